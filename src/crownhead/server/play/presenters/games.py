"""Games as pages show them: prepared values, so that templates hold no logic."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

import crownhead
from crownhead import Colour, Termination
from crownhead.server.accounts.validators import computer_level
from crownhead.server.play.choices import Status, Unrated
from crownhead.server.play.clocks.presenters import ClockPresenter, clock_presenter, duration
from crownhead.server.play.presenters.board.diagrams import Diagram, bottom_of, dark_side, diagram
from crownhead.server.play.presenters.board.markup import discs_markup
from crownhead.server.play.presenters.board.words import result_sentence, side, turn_sentence
from crownhead.server.play.presenters.entry_markup import (
    ended_markup,
    facts_markup,
    game_link,
    time_left_markup,
)
from crownhead.server.play.presenters.state import GameState, PlayerInfo
from crownhead.server.play.presenters.variant_texts import variant_name
from crownhead.server.play.selectors import Game

_SHORT = 0.2  # the part of a move's time from which on it is said to be short


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """How much time a player has, in words."""

    text: str
    short: bool
    until: datetime


@dataclass(frozen=True, slots=True)
class Strip:
    """A player beside the board: name, side, and clock while the game is in progress.

    ``taken``: how many pieces they have captured, all of colour ``takes``; ``discs`` has one entry for each
    that there is to capture, true for those captured.
    """

    name: str
    side: str
    colour: Colour
    mine: bool
    to_move: bool
    clock: ClockPresenter | None
    takes: Colour
    taken: int
    discs: tuple[bool, ...]
    computer: int | None = None  # the level at which the engine plays
    is_guest: bool = False  # somebody without an account
    variant_key: str = ""
    absent: bool = False  # they have left the club during a live game

    @property
    def discs_markup(self) -> SafeString:
        """The pieces to capture as HTML."""
        return discs_markup(self.discs, self.takes)


@dataclass(frozen=True, slots=True)
class Ply:
    """A move in the list."""

    number: int
    text: str
    current: bool
    planned: bool = False  # a conditional move


@dataclass(frozen=True, slots=True)
class Row:
    """A numbered line of the move list; the first side may be absent from the first line."""

    number: int
    first: Ply | None
    second: Ply | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in a list."""

    id: str
    variant: str
    title: str
    colour: Colour | None
    move_number: int
    pace: str
    time_left: TimeLeft | None
    result: str
    ended_at: datetime | None
    diagram: Diagram
    dark_side: str

    @property
    def link(self) -> str:
        """The path of its page."""
        return game_link(self.id)

    @property
    def facts(self) -> SafeString:
        """The variant, the number of the move, the pace or the result, as HTML."""
        number = _("move %(number)s") % {"number": self.move_number}
        return facts_markup(self.variant, number, self.result or self.pace)

    @property
    def side(self) -> SafeString | str:
        """The time left, or when it ended, as HTML."""
        if self.time_left:
            left = self.time_left
            return time_left_markup(until=left.until, text=left.text, short=left.short)
        return ended_markup(self.ended_at) if self.ended_at else ""


def time_left(*, deadline: datetime, whole: timedelta, now: datetime) -> TimeLeft:
    """``2 days 3 hours``, and whether that is little of the ``whole`` time that the game gives."""
    rest = max(deadline - now, timedelta(0))
    return TimeLeft(duration(rest), rest < _SHORT * whole, deadline)


def strips(
    *, state: GameState, position: crownhead.Position, start: crownhead.Position, bottom: Colour
) -> tuple[Strip, Strip]:
    """The upper and the lower strip."""
    made = {colour: _strip(state, colour, position, start) for colour in Colour}
    return made[bottom.opponent], made[bottom]


def rows(
    record: crownhead.Game, texts: Iterable[str], *, ply: int, planned: Collection[int] = ()
) -> tuple[Row, ...]:
    """The move list, two moves a line, the side that begins the variant on the left."""
    plies = [
        Ply(number, text, number == ply, number - 1 in planned) for number, text in enumerate(texts, start=1)
    ]
    padded = [*([] if record.start.turn is record.variant.start.first else [None]), *plies]
    pairs = [(*padded[at : at + 2], None)[:2] for at in range(0, len(padded), 2)]
    return tuple(Row(number, first, second) for number, (first, second) in enumerate(pairs, start=1))


def move_number(record: crownhead.Game, ply: int) -> int:
    """The number of the move that comes after ``ply`` plies."""
    late = record.start.turn is not record.variant.start.first
    return (ply + late) // 2 + 1


def status_sentence(state: GameState, record: crownhead.Game, *, to_player: bool = True) -> str:
    """Whose turn it is, or how the game ended; ``to_player``: the viewer of ``state`` reads it."""
    if state.outcome and is_called_off(state):
        return _("This game was ended by adjudication. It doesn't count.")
    if state.outcome:
        winner = colour_of(state, state.outcome.winner) if state.outcome.winner else None
        return result_sentence(
            variant=state.variant,
            winner=winner,
            termination=state.outcome.termination,
            reader=my_colour(state) if to_player else None,
        )
    if state.rights.decline:
        return _("%(name)s invites you to this game.") % {"name": state.creator.display_name}
    if state.status == Status.WAITING and state.invited is not None:
        return _("Waiting for %(name)s.") % {"name": state.invited.display_name}
    if state.status != Status.PLAYING:
        return _STATUS_TEXTS[Status(state.status)]()
    if state.rights.move:
        return _("Your turn.")
    return turn_sentence(record.turn, state.variant)


def is_called_off(state: GameState) -> bool:
    """The staff, or a director, have ended the game with no result at all."""
    outcome = state.outcome
    if outcome is None or not state.annulled:
        return False
    return outcome.termination == Termination.ADJUDICATION and outcome.winner is None


def unrated_sentence(game: Game) -> str:
    """Why a game that was to be rated is not, now that it is over; empty for any other."""
    match game.unrated_because:
        case Unrated.PAIR:
            return _("Not rated: these two players had played all their rated games of the day.")
        case Unrated.LEFT:
            return _("Not rated: the loser has left several games early.")
        case Unrated.WON:
            return _("Not rated: the winner has recently won several games that opponents left early.")
    return ""


def draw_offer_sentence(state: GameState) -> str:
    """The sentence about a pending draw offer for this viewer; empty if there is none."""
    if not state.draw_offer:
        return ""
    if state.draw_offer == state.viewer_seat:
        return _("You offered a draw.")
    return _("%(who)s offers a draw.") % {"who": _who(state, state.draw_offer)}


def take_back_sentence(state: GameState) -> str:
    """The sentence about a pending take-back request for this viewer; empty if there is none."""
    if not state.take_back:
        return ""
    if state.take_back == state.viewer_seat:
        return _("You asked to take back your last move.")
    return _("%(who)s asks to take back the last move.") % {"who": _who(state, state.take_back)}


def _who(state: GameState, seat: str) -> str:
    """Who has a seat: the opponent by name, for those who watch the side."""
    player: PlayerInfo | None = getattr(state, seat)
    if state.viewer_seat and player:
        return player.display_name
    return side(colour_of(state, seat), state.variant)


def entry(state: GameState, record: crownhead.Game, *, now: datetime, to_player: bool = True) -> Entry:
    """A game as a line of a list, from the side of the viewer of ``state``, who reads it if ``to_player``."""
    mine = my_colour(state)
    running = state.deadline is not None
    return Entry(
        id=state.id,
        variant=variant_name(state.variant),
        title=_title(state),
        colour=mine,
        move_number=move_number(record, len(record.moves)),
        pace=state.time.words,
        time_left=time_left(deadline=state.deadline, whole=state.time.control.initial, now=now)
        if running and state.deadline
        else None,
        result=status_sentence(state, record, to_player=to_player) if state.outcome else "",
        ended_at=state.ended_at,
        diagram=diagram(record.position, bottom=bottom_of(state.variant, mine or state.variant.start.first)),
        dark_side=dark_side(state.variant),
    )


def my_colour(state: GameState) -> Colour | None:
    """The viewer's side."""
    return colour_of(state, state.viewer_seat) if state.viewer_seat else None


def _strip(
    state: GameState, colour: Colour, position: crownhead.Position, start: crownhead.Position
) -> Strip:
    seat = "first" if colour is state.variant.start.first else "second"
    player: PlayerInfo | None = getattr(state, seat)
    to_move = state.turn == seat
    there, left = _count(start, colour.opponent), _count(position, colour.opponent)
    empty = _nobody(state) if state.first or state.second else _("Random side")
    return Strip(
        name=player.username if player else empty,
        side=side(colour, state.variant),
        colour=colour,
        mine=state.viewer_seat == seat,
        to_move=to_move,
        clock=clock_presenter(state, seat),
        takes=colour.opponent,
        taken=there - left,
        discs=tuple(number < there - left for number in range(there)),
        computer=computer_level(player.username) if player else None,
        is_guest=player is not None and player.is_guest,
        variant_key=state.variant.key,
    )


def _count(position: crownhead.Position, colour: Colour) -> int:
    return sum(piece.colour is colour for piece in position.pieces.values())


def colour_of(state: GameState, seat: str) -> Colour:
    """Return the side that a seat plays."""
    first = state.variant.start.first
    return first if seat == "first" else first.opponent


def _title(state: GameState) -> str:
    if state.viewer_seat:
        other = state.second if state.viewer_seat == "first" else state.first
        return other.display_name if other else _nobody(state)
    first, second = (player.display_name if player else "" for player in (state.first, state.second))
    if not first or not second:
        return first or second
    return _("%(first)s against %(second)s") % {"first": first, "second": second}


def _nobody(state: GameState) -> str:
    """What stands in the place of a player who has not come yet."""
    if state.status == Status.WAITING and state.invited is not None:
        return _("%(name)s, invited") % {"name": state.invited.display_name}
    return _("Nobody yet")


_STATUS_TEXTS = {
    Status.WAITING: lambda: _("Waiting for an opponent."),
    Status.WITHDRAWN: lambda: _("This game was withdrawn before anyone joined."),
    Status.DECLINED: lambda: _("The invitation was declined."),
    Status.EXPIRED: lambda: _("Nobody joined in time."),
}
