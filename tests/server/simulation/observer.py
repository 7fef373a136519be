"""Observes the events of games and records which notifications they should cause."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.competitions.selectors.boards import before
from crownhead.server.core import clock
from crownhead.server.core.events import on
from crownhead.server.play import events
from crownhead.server.play.choices import NO_SHOW
from crownhead.server.play.models import Game
from tests.server.simulation.expected_notices import ExpectedNotices
from tests.server.simulation.timings import BEFORE_THE_MOVE, OFFERS

SEATS = ("first", "second")
_PASSING = (*BEFORE_THE_MOVE, *OFFERS)
_JUDGED = ("adjudication", "forfeit")
_STARTS = ("paired", "challenged", "answered")
_TABLE = re.compile(r":t\d+$")  # a table of a tournament round


@dataclass(slots=True)
class Observer:
    """Records events in the expected state."""

    expected: ExpectedNotices


_observers: list[Observer] = []
Rule = Callable[[ExpectedNotices, Any], None]


def attach(observer: Observer) -> None:
    """Start observing."""
    observer.expected.rollback_log.open()
    _observers.append(observer)


def detach(observer: Observer) -> None:
    """Stop observing."""
    _observers.remove(observer)
    observer.expected.rollback_log.close()


def rule(*kinds: type) -> Callable[[Rule], Rule]:
    """Register a function as the consequence of events of some kinds."""

    def register(follows: Rule) -> Rule:
        def look(event: Any) -> None:
            for observer in _observers:
                observer.expected.rollback_log.begin()
                follows(observer.expected, event)

        for kind in kinds:
            on(kind)(look)
        return follows

    return register


@dataclass(frozen=True, slots=True)
class Board:
    """A game as its players are notified of it."""

    game: Game

    @property
    def about(self) -> str:
        """The subject of its notifications."""
        return about(self.game.public_id)

    @property
    def link(self) -> str:
        """Its page."""
        return f"/games/{self.game.public_id}/"

    @property
    def is_live(self) -> bool:
        """Whether it is a live game."""
        return self.game.pace == "live"

    @property
    def occasion(self) -> str:
        """What started it: a round of a tournament, a board of a match, or the game itself."""
        return _TABLE.sub("", self.game.contest_key) or self.game.public_id

    def player(self, seat: str | None) -> int | None:
        """The player of a seat."""
        return self.game.first_player_id if seat == "first" else self.game.second_player_id

    @property
    def planned(self) -> bool:
        """Whether the last move was a conditional one."""
        return bool(self.game.planned) and self.game.planned[-1] == len(self.game.moves.split()) - 1


def about(game_id: str) -> str:
    """The subject of a game."""
    return f"game {game_id}"


def board(event: events.GameChanged) -> Board:
    """The game of an event."""
    return Board(Game.objects.get(public_id=event.game_id))


def expect(expected: ExpectedNotices, here: Board, user: int | None, *kinds: str, **facts: Any) -> bool:
    """Expect a notification about a game."""
    return expected.notify(user, *kinds, about=here.about, link=here.link, at=clock.now(), **facts)


def expect_turn(expected: ExpectedNotices, here: Board, seat: str | None) -> None:
    """Expect a notification of a player's turn, except in live games."""
    if seat is not None and not here.is_live:
        expect(
            expected,
            here,
            here.player(seat),
            "turn",
            once=("turn", here.game.public_id, here.game.version),
        )


@rule(events.GameCreated)
def _created(expected: ExpectedNotices, event: events.GameCreated) -> None:
    if event.invited_id is not None:
        expect(expected, board(event), event.invited_id, "invited", actor=event.creator_id)


@rule(events.GameWithdrawn)
def _withdrawn(expected: ExpectedNotices, event: events.GameChanged) -> None:
    expected.withdraw(about(event.game_id), ["invited"])


@rule(events.GameDeclined)
def _declined(expected: ExpectedNotices, event: events.GameDeclined) -> None:
    expected.withdraw(about(event.game_id), ["invited"])
    expect(expected, board(event), event.creator_id, "answered", actor=event.invited_id)


@rule(events.GameExpired)
def _expired(expected: ExpectedNotices, event: events.GameExpired) -> None:
    expected.withdraw(about(event.game_id), ["invited"])
    expect(expected, board(event), event.creator_id, "answered")


@rule(events.GameStarted)
def _started(expected: ExpectedNotices, event: events.GameStarted) -> None:
    """The player who joined knows; the one who invited gets the answer; others learn of the game."""
    expected.withdraw(about(event.game_id), ["invited"])
    here = board(event)
    if event.contest is not None and event.contest.kind == "ladder":
        return  # the challenge reports its games
    by_itself = event.contest is not None or (here.game.match_number or 1) > 1
    for seat in SEATS:
        player, is_their_turn = here.player(seat), event.turn == seat
        if not by_itself and player != event.creator_id:
            expect_turn(expected, here, seat if is_their_turn else None)
        elif event.invited_id is not None and player == event.creator_id:
            expect(expected, here, player, *_with_turn("answered", here, is_their_turn=is_their_turn))
        else:
            _begun(expected, here, seat, is_their_turn=is_their_turn)


def _begun(expected: ExpectedNotices, here: Board, seat: str, *, is_their_turn: bool) -> None:
    """The first game of a round, live ones and replays are announced in full, others in one notification."""
    player, at = here.player(seat), clock.now()
    kinds = _with_turn("paired", here, is_their_turn=is_their_turn)
    is_first = expect(expected, here, player, *kinds, once=("begun", here.occasion))
    if is_first or not here.game.contest_kind:
        return
    if here.is_live or before(here.game.contest_key) is not None:
        expect(expected, here, player, *kinds)
        return
    expected.notify(
        player,
        "paired",
        about=f"contest {here.game.contest_event}",
        link=here.game.contest_link,
        at=at,
        once=("others", here.occasion, at.date()),
    )
    expect_turn(expected, here, seat if is_their_turn else None)


def _with_turn(kind: str, here: Board, *, is_their_turn: bool) -> tuple[str, ...]:
    return (kind, "turn") if is_their_turn and not here.is_live else (kind,)


@rule(events.MovePlayed)
def _moved(expected: ExpectedNotices, event: events.MovePlayed) -> None:
    here, mover = board(event), _on(event, event.seat)
    expected.withdraw(here.about, _PASSING, [mover])
    if not here.planned:
        expected.mark_seen(mover, here.about)
    expect_turn(expected, here, event.turn)


@rule(events.MovesTakenBack)
def _taken_back(expected: ExpectedNotices, event: events.MovesTakenBack) -> None:
    expected.withdraw(about(event.game_id), _PASSING)
    expect_turn(expected, board(event), event.seat)


@rule(events.TimeIsShort)
def _time_is_short(expected: ExpectedNotices, event: events.TimeIsShort) -> None:
    """Once per move: a vacation may bring the time back above the threshold."""
    once = (event.reminder, event.game_id, event.version)
    expect(expected, board(event), _on(event, event.seat), event.reminder, once=once)


@rule(
    events.DrawOffered, events.TakeBackAsked, events.ChatWritten, events.DrawDeclined, events.TakeBackDeclined
)
def _offered_or_written(expected: ExpectedNotices, event: Any) -> None:
    """The speaker has seen the page; the opponent is notified, except in live games."""
    kind = {
        events.ChatWritten: "chat",
        events.DrawOffered: "draw",
        events.DrawDeclined: "draw",
        events.TakeBackAsked: "take-back",
        events.TakeBackDeclined: "take-back",
    }[type(event)]
    here, speaker = board(event), _on(event, event.seat)
    if isinstance(event, (events.DrawDeclined, events.TakeBackDeclined)):
        expected.withdraw(here.about, [kind], [speaker])
    expected.mark_seen(speaker, here.about)
    other = here.player("second" if event.seat == "first" else "first")
    if not here.is_live:
        expect(expected, here, other, kind, actor=speaker, gathered=kind == "chat")


@rule(events.GameEnded)
def _ended(expected: ExpectedNotices, event: events.GameEnded) -> None:
    """Both are notified of the result, except a player who resigned; that it began is no news any more."""
    here = board(event)
    expected.withdraw(here.about, _PASSING)
    judged = event.termination in _JUDGED and here.game.adjudication_reason != NO_SHOW
    kinds = ("appeal", "ended") if judged else ("ended",)
    for seat in SEATS:
        expected.mark_seen(here.player(seat), here.about, _STARTS)
        if event.termination == "resignation" and event.winner != seat:
            expected.mark_seen(here.player(seat), here.about)
        else:
            expect(expected, here, here.player(seat), *kinds)


@rule(events.GameAnnulled)
def _annulled(expected: ExpectedNotices, event: events.GameAnnulled) -> None:
    here = board(event)
    for seat in SEATS:
        expect(expected, here, here.player(seat), "appeal")


@rule(events.GameAdjourned)
def _adjourned(expected: ExpectedNotices, event: events.GameAdjourned) -> None:
    here = board(event)
    for seat in SEATS:
        expect(expected, here, here.player(seat), "tournament")


@rule(events.AppealMade)
def _appealed(expected: ExpectedNotices, event: events.AppealMade) -> None:
    for member in expected.people.values():
        if member.user.is_staff:
            expect(expected, board(event), member.key, "staff")


@rule(events.AppealAnswered)
def _answered(expected: ExpectedNotices, event: events.AppealAnswered) -> None:
    here = board(event)
    if here.game.termination not in _JUDGED:  # else its end is the answer
        expect(expected, here, _on(event, event.seat), "appeal")


@rule(events.MatchEnded)
def _match_ended(expected: ExpectedNotices, event: events.MatchEnded) -> None:
    for player in (event.creator_id, event.opponent_id):
        expected.notify(
            player,
            "ended",
            about=f"match {event.match_id}",
            link=f"/matches/{event.match_id}/",
            at=clock.now(),
        )


@rule(AccountClosed)
def _closed(expected: ExpectedNotices, event: AccountClosed) -> None:
    expected.forget(event.user_id)


def _on(event: events.GameChanged, seat: str) -> int | None:
    return event.first_id if seat == "first" else event.second_id
