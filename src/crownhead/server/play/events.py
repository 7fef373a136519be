"""Events of games, for the apps above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from crownhead import Termination
from crownhead.server.play.choices import ABORTED, FORFEIT
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.models import Game, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChanged:
    """The facts in every event of a game: its state, its people and its contest."""

    game_id: str
    variant: str
    version: int
    status: str
    turn: str | None
    creator_id: int
    first_id: int | None
    second_id: int | None
    invited_id: int | None
    is_public: bool
    is_open: bool  # in the waiting room, or taken from there
    contest: Contest | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputerMayAnswer(GameChanged):
    """The computer may have to answer: ``computer_ids`` are the keys of its computer players."""

    computer_ids: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCreated(ComputerMayAnswer):
    """A game went into the waiting room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWithdrawn(GameChanged):
    """Its creator withdrew a waiting game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameExpired(GameChanged):
    """Nobody joined a waiting game in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDeclined(GameChanged):
    """The invited player declined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitedByMail(GameChanged):
    """Somebody is to be invited by e-mail, with a link for joining the game."""

    email: str
    link: str
    inviter: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(ComputerMayAnswer):
    """Both seats are taken and the clock runs; ``pace``: of its clock."""

    pace: str


@dataclass(frozen=True, slots=True)
class MoveNews:
    """What a move is reported with: to everybody who may watch, and to each player, by seat."""

    public: Mapping[str, Any]
    of_players: Mapping[Seat, Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MovePlayed(ComputerMayAnswer):
    """A move was made by ``seat``; ``row``: the game and its players, to read; ``news``: for open pages."""

    seat: str
    row: Game = field(repr=False, compare=False)
    news: MoveNews = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOffered(ComputerMayAnswer):
    """The player on ``seat`` offers a draw."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawDeclined(GameChanged):
    """The player on ``seat`` turned an offer down."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackAsked(ComputerMayAnswer):
    """The player on ``seat`` asks for a take-back."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackDeclined(GameChanged):
    """The player on ``seat`` turned such a request down."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesTakenBack(ComputerMayAnswer):
    """The last move of the player on ``seat`` was taken back; it is their turn."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanChanged(GameChanged):
    """The player on ``seat`` has changed their conditional moves; only they may know."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlansWait(GameChanged):
    """Planned moves may be left that were too many to be made at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClocksWait:
    """The clocks of a player's games are left that were too many to be set at once."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatWritten(GameChanged):
    """The player on ``seat`` wrote a chat message, for the two players."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealMade(GameChanged):
    """The player on ``seat`` asks the staff for a decision: for the players to know."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AppealAnswered(GameChanged):
    """The staff have answered the player on ``seat``: for the players to know."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeChanged(GameChanged):
    """The deadline of the player to move has changed because of a vacation or an outage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft(GameChanged):
    """The player on ``seat`` of a live game has left; at ``claim_at`` the other may claim the game."""

    seat: str
    claim_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerReturned(GameChanged):
    """The player on ``seat`` is back."""

    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeIsShort(GameChanged):
    """The player on ``seat`` has as much time left as ``reminder`` says (``time_control.Reminder``)."""

    seat: str
    reminder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdjourned(GameChanged):
    """The clock is stopped until ``until``; None: it runs again early."""

    until: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded(GameChanged):
    """The game is finished; ``winner`` is a seat, or None; ``seen_at``: when the server noticed.

    ``annulled``: it does not count in ratings, whatever the result.
    """

    winner: str | None
    termination: str
    rated: bool
    annulled: bool
    pace: str
    seen_at: datetime

    @property
    def half_points(self) -> tuple[int, int] | None:
        """What a contest gives the first and the second seat; None where there is no result at all."""
        if self.winner is not None:
            return (2, 0) if self.winner == "first" else (0, 2)
        if self.termination == FORFEIT:
            return 0, 0
        nothing = {ABORTED, Termination.ADJUDICATION}
        return None if self.annulled and self.termination in nothing else (1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAnnulled(GameChanged):
    """The staff annulled a finished game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded:
    """All games of a match are over; ``winner_id`` is None where the score is even."""

    match_id: str
    creator_id: int
    opponent_id: int | None
    winner_id: int | None


Event = TypeVar("Event", bound=GameChanged)


def game_event(kind: type[Event], game: Game, **facts: Any) -> Event:
    """The event of a kind about a game as it stands."""
    if issubclass(kind, ComputerMayAnswer):
        facts["computer_ids"] = game.computer_ids
    return kind(
        game_id=game.public_id,
        variant=game.variant,
        version=game.version,
        status=game.status,
        turn=game.turn,
        creator_id=game.creator_id,
        first_id=game.first_player_id,
        second_id=game.second_player_id,
        invited_id=game.invited_id,
        is_public=game.is_public,
        is_open=game.open,
        contest=game.contest,
        **facts,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OutageMadeUp:
    """Nobody could play from ``begins_at`` to ``ends_at``; the clocks of so many games were set right."""

    pk: int
    begins_at: datetime
    ends_at: datetime
    games: int
    at: datetime
