"""A game as the page and the API show it, worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from crownhead import Variant
from crownhead.server.accounts.validators import display_name, guest_number
from crownhead.server.play.clocks.time_control import TimeControl, pace_text
from crownhead.server.play.games.contests import Contest


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """Who sits on a seat."""

    id: int
    username: str

    @property
    def display_name(self) -> str:
        """The name that people read."""
        return display_name(self.username)

    @property
    def is_guest(self) -> bool:
        """Whether they play without an account."""
        return guest_number(self.username) is not None


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A move to choose from; squares are the variant's own numbers, ``path`` as ``Move.path``."""

    notation: str
    path: tuple[int, ...]
    captures: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutcomeInfo:
    """How a game ended: ``winner`` is ``first``, ``second`` or None; ``result`` is ``1-0`` if first won."""

    winner: str | None
    termination: str
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeInfo:
    """The clocks: their terms, what each seat has left now, and until when who is on vacation.

    ``left`` is the rest of the present turn for the seat to move, and of the next turn for the other.
    """

    control: TimeControl
    left: Mapping[str, timedelta]
    away: Mapping[str, datetime | None]
    stands_still: bool = False
    waits: timedelta = timedelta(0)  # of a first move: how long the clock does not run yet
    added_hours: int = 0
    adjourned_until: datetime | None = None

    @property
    def words(self) -> str:
        """The terms, as people say them."""
        return pace_text(self.control)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchInfo:
    """The match that a game belongs to, and its score in points."""

    id: str
    kind: str
    length: int
    number: int
    creator_score: float
    opponent_score: float
    over: bool


@dataclass(frozen=True, slots=True)
class Rights:
    """What the viewer may do to the game now."""

    join: bool = False
    decline: bool = False
    invite_again: bool = False
    withdraw: bool = False
    move: bool = False
    offer_draw: bool = False
    answer_draw: bool = False
    claim_draw: bool = False
    ask_take_back: bool = False
    answer_take_back: bool = False
    plan: bool = False
    chat: bool = False
    appeal: bool = False
    resign: bool = False
    abort: bool = False
    give_time: bool = False


@dataclass(frozen=True, slots=True)
class GameState:
    """What is shown of a game. Seats are ``first`` and ``second``, colours ``black`` and ``white``."""

    id: str
    variant: Variant
    start: str  # FEN
    moves: tuple[str, ...]  # as PDN writes them, short unless ambiguous
    opening: int | None  # number of the ballot
    opening_plies: int  # how many of ``moves`` it made
    fen: str
    turn: str | None  # None unless the game is in progress
    version: int
    status: str
    outcome: OutcomeInfo | None  # None unless the game is finished
    annulled: bool  # it counts for nothing
    creator: PlayerInfo
    first: PlayerInfo | None
    second: PlayerInfo | None
    first_colour: str
    days_per_move: int | None  # None: the game has another clock
    time: TimeInfo
    deadline: datetime | None
    draw_rules: str
    rated: bool
    hidden: bool
    open: bool  # to anybody; else it is an invitation
    min_rating: int | None
    max_rating: int | None
    invited: PlayerInfo | None
    match: MatchInfo | None
    contest: Contest | None  # the ladder or tournament that it belongs to
    draw_offer: str | None  # the seat that offers
    take_back: str | None  # the seat that asks for a move back
    planned: tuple[int, ...]  # plies that were conditional moves; shown when the game is over
    claimable_draws: tuple[str, ...]  # terminations that either player may claim
    legal_moves: tuple[LegalMove, ...]  # of the side to move; empty unless the game is in progress
    viewer_seat: str | None
    rights: Rights
    adjudication_reason: str
    created_at: datetime
    started_at: datetime | None
    last_moved_at: datetime | None
    ended_at: datetime | None
    expires_at: datetime | None  # of a waiting game
