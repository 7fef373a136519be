"""Sees what happens in the club and writes into the book who has to be told of it.

The rules stand here anew, in words of their own; nothing of the club's own telling is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.play import events
from crownhead.server.play.models import Game
from tests.server.month.ledger import Ledger
from tests.server.month.wishes import BEFORE_THE_MOVE, OFFERS

SEATS = ("first", "second")
_PASSING = (*BEFORE_THE_MOVE, *OFFERS)
_JUDGED = ("adjudication", "forfeit")
_TABLE = re.compile(r":t\d+$")  # of a round of a tournament


@dataclass(slots=True)
class Witness:
    """Whoever wants to write down what happens while it happens."""

    ledger: Ledger
    seen: dict[str, int] = field(default_factory=dict)  # how often what happened

    def note(self, event: object) -> None:
        """Count it."""
        name = type(event).__name__
        self.seen[name] = self.seen.get(name, 0) + 1


_present: list[Witness] = []
Rule = Callable[[Ledger, Any], None]


def call(witness: Witness) -> None:
    """Have him look, from now on."""
    witness.ledger.memory.open()
    _present.append(witness)


def dismiss(witness: Witness) -> None:
    """He looks no more."""
    _present.remove(witness)
    witness.ledger.memory.close()


def rule(*kinds: type) -> Callable[[Rule], Rule]:
    """Have a function say what follows from events of some kinds, whenever somebody looks."""

    def register(follows: Rule) -> Rule:
        def look(event: Any) -> None:
            for witness in _present:
                witness.note(event)
                witness.ledger.memory.begin()
                follows(witness.ledger, event)

        for kind in kinds:
            on(kind)(look)
        return follows

    return register


@dataclass(frozen=True, slots=True)
class Board:
    """A game as those are told of it who play it."""

    game: Game

    @property
    def about(self) -> str:
        """What it is called in the book."""
        return about(self.game.public_id)

    @property
    def link(self) -> str:
        """Its page."""
        return f"/games/{self.game.public_id}/"

    @property
    def is_live(self) -> bool:
        """Both sit before it."""
        return self.game.pace == "live"

    @property
    def occasion(self) -> str:
        """What begins by one thing: a round of a tournament, a board of a match, or the game alone."""
        return _TABLE.sub("", self.game.contest_key) or self.game.public_id

    def player(self, seat: str | None) -> int | None:
        """Who sits there."""
        return self.game.first_player_id if seat == "first" else self.game.second_player_id

    @property
    def planned(self) -> bool:
        """The last move was made for its player."""
        return bool(self.game.planned) and self.game.planned[-1] == len(self.game.moves.split()) - 1


def about(game_id: str) -> str:
    """What a game is called in the book."""
    return f"game {game_id}"


def board(event: events.GameChanged) -> Board:
    """The game of an event."""
    return Board(Game.objects.get(public_id=event.game_id))


def tell(ledger: Ledger, here: Board, user: int | None, *kinds: str, **facts: Any) -> bool:
    """Somebody is to be told of a game."""
    return ledger.tell(user, *kinds, about=here.about, link=here.link, at=clock.now(), **facts)


def tell_turn(ledger: Ledger, here: Board, seat: str | None) -> None:
    """Of his turn, but for who sits at the board."""
    if seat is not None and not here.is_live:
        tell(
            ledger,
            here,
            here.player(seat),
            "turn",
            once=("turn", here.game.public_id, here.game.version),
        )


@rule(events.GameCreated)
def _created(ledger: Ledger, event: events.GameCreated) -> None:
    if event.invited_id is not None:
        tell(ledger, board(event), event.invited_id, "invited", actor=event.creator_id)


@rule(events.GameWithdrawn)
def _withdrawn(ledger: Ledger, event: events.GameChanged) -> None:
    ledger.over(about(event.game_id), ["invited"])


@rule(events.GameDeclined)
def _declined(ledger: Ledger, event: events.GameDeclined) -> None:
    ledger.over(about(event.game_id), ["invited"])
    tell(ledger, board(event), event.creator_id, "answered", actor=event.invited_id)


@rule(events.GameExpired)
def _expired(ledger: Ledger, event: events.GameExpired) -> None:
    ledger.over(about(event.game_id), ["invited"])
    tell(ledger, board(event), event.creator_id, "answered")


@rule(events.GameStarted)
def _started(ledger: Ledger, event: events.GameStarted) -> None:
    """Who took it knows; who invited hears the answer; the others hear that they have a game."""
    ledger.over(about(event.game_id), ["invited"])
    here = board(event)
    if event.contest is not None and event.contest.kind == "ladder":
        return  # the challenge tells of its games
    by_itself = event.contest is not None or (here.game.match_number or 1) > 1
    for seat in SEATS:
        player, his_turn = here.player(seat), event.turn == seat
        if not by_itself and player != event.creator_id:
            tell_turn(ledger, here, seat if his_turn else None)
        elif event.invited_id is not None and player == event.creator_id:
            tell(ledger, here, player, *_with_turn("answered", here, his_turn=his_turn))
        else:
            _begun(ledger, here, seat, his_turn=his_turn)


def _begun(ledger: Ledger, here: Board, seat: str, *, his_turn: bool) -> None:
    """Of the first game of a round in full, of the others by one word."""
    player, at = here.player(seat), clock.now()
    kinds = _with_turn("paired", here, his_turn=his_turn)
    told = tell(ledger, here, player, *kinds, once=("begun", here.occasion))
    if told or not here.game.contest_kind:
        return
    ledger.tell(
        player,
        "paired",
        about=f"contest {here.game.contest_event}",
        link=here.game.contest_link,
        at=at,
        once=("others", here.occasion, at.date()),
    )
    tell_turn(ledger, here, seat if his_turn else None)


def _with_turn(kind: str, here: Board, *, his_turn: bool) -> tuple[str, ...]:
    return (kind, "turn") if his_turn and not here.is_live else (kind,)


@rule(events.MovePlayed)
def _moved(ledger: Ledger, event: events.MovePlayed) -> None:
    here, mover = board(event), _on(event, event.seat)
    ledger.over(here.about, _PASSING, [mover])
    if not here.planned:
        ledger.seen(mover, here.about)
    tell_turn(ledger, here, event.turn)


@rule(events.MovesTakenBack)
def _taken_back(ledger: Ledger, event: events.MovesTakenBack) -> None:
    ledger.over(about(event.game_id), _PASSING)
    tell_turn(ledger, board(event), event.seat)


@rule(events.TimeIsShort)
def _time_is_short(ledger: Ledger, event: events.TimeIsShort) -> None:
    """A vacation may bring him back to more than half of it: he is not told again."""
    once = (event.reminder, event.game_id, event.version)
    tell(ledger, board(event), _on(event, event.seat), event.reminder, once=once)


@rule(
    events.DrawOffered, events.TakeBackAsked, events.ChatWritten, events.DrawDeclined, events.TakeBackDeclined
)
def _said(ledger: Ledger, event: Any) -> None:
    """The one who says it has the page before him; the other hears it, but not at a live board."""
    kind = {
        events.ChatWritten: "chat",
        events.DrawOffered: "draw",
        events.DrawDeclined: "draw",
        events.TakeBackAsked: "take-back",
        events.TakeBackDeclined: "take-back",
    }[type(event)]
    here, speaker = board(event), _on(event, event.seat)
    if isinstance(event, (events.DrawDeclined, events.TakeBackDeclined)):
        ledger.over(here.about, [kind], [speaker])
    ledger.seen(speaker, here.about)
    other = here.player("second" if event.seat == "first" else "first")
    if not here.is_live:
        tell(ledger, here, other, kind, actor=speaker, gathered=kind == "chat")


@rule(events.GameEnded)
def _ended(ledger: Ledger, event: events.GameEnded) -> None:
    """Both hear the result, but for who gave up; what was to be done there is no more."""
    here = board(event)
    ledger.over(here.about, _PASSING)
    kinds = ("appeal", "ended") if event.termination in _JUDGED else ("ended",)
    for seat in SEATS:
        if event.termination == "resignation" and event.winner != seat:
            ledger.seen(here.player(seat), here.about)
        else:
            tell(ledger, here, here.player(seat), *kinds)


@rule(events.GameAnnulled)
def _annulled(ledger: Ledger, event: events.GameAnnulled) -> None:
    here = board(event)
    for seat in SEATS:
        tell(ledger, here, here.player(seat), "appeal")


@rule(events.GameAdjourned)
def _adjourned(ledger: Ledger, event: events.GameAdjourned) -> None:
    here = board(event)
    for seat in SEATS:
        tell(ledger, here, here.player(seat), "tournament")


@rule(events.AppealMade)
def _appealed(ledger: Ledger, event: events.AppealMade) -> None:
    for member in ledger.people.values():
        if member.user.is_staff:
            tell(ledger, board(event), member.key, "staff")


@rule(events.AppealAnswered)
def _answered(ledger: Ledger, event: events.AppealAnswered) -> None:
    here = board(event)
    if here.game.termination not in _JUDGED:  # else its end is the answer
        tell(ledger, here, _on(event, event.seat), "appeal")


@rule(events.MatchEnded)
def _match_ended(ledger: Ledger, event: events.MatchEnded) -> None:
    for player in (event.creator_id, event.opponent_id):
        ledger.tell(
            player,
            "ended",
            about=f"match {event.match_id}",
            link=f"/matches/{event.match_id}/",
            at=clock.now(),
        )


@rule(AccountClosed)
def _closed(ledger: Ledger, event: AccountClosed) -> None:
    ledger.forget(event.user_id)


def _on(event: events.GameChanged, seat: str) -> int | None:
    return event.first_id if seat == "first" else event.second_id
