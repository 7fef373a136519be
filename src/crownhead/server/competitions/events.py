"""The events of tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar

from crownhead.server.competitions.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentChanged:
    """The fields that every event of a tournament has."""

    tournament_id: str
    name: str
    variant: str
    host_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCreated(TournamentChanged):
    """A tournament was created."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitedToTournament(TournamentChanged):
    """A director invited players; ``replaces_id``: whose place the one of them is to take over."""

    user_ids: tuple[int, ...]
    by_id: int
    replaces_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationAnswered(TournamentChanged):
    """An invited player accepted or declined the invitation of ``by_id``."""

    user_id: int
    by_id: int
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWithdrawn(TournamentChanged):
    """A director withdrew an invitation that was not answered."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedToDirect(TournamentChanged):
    """Players were asked to direct a tournament."""

    user_ids: tuple[int, ...]
    by_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectingAnswered(TournamentChanged):
    """The player who was asked to direct a tournament has answered."""

    user_id: int
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered(TournamentChanged):
    """A player has entered."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrew(TournamentChanged):
    """A player has withdrawn; ``expelled``: a director has expelled them."""

    user_id: int
    expelled: bool


class Why(StrEnum):
    """Why a tournament has another date: full while players were away, moved, or too few were left."""

    FULL = "full"
    MOVED = "moved"
    TOO_FEW = "too few"


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSet(TournamentChanged):
    """A tournament with players has another date; None if it waits until it is full again."""

    player_ids: tuple[int, ...]
    starts_at: datetime | None
    why: Why


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStarted(TournamentChanged):
    """A tournament has started."""

    player_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCancelled(TournamentChanged):
    """A tournament was cancelled by ``by_id`` for a ``reason``, or by the club: it couldn't start."""

    player_ids: tuple[int, ...]
    by_id: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(TournamentChanged):
    """A round has been paired whose games start at ``starts_at``; ``player_ids``: some of its players."""

    round: int
    player_ids: tuple[int, ...]
    starts_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired(TournamentChanged):
    """Two players meet in a round by appointment, or one has a bye."""

    round: int
    table: int
    first_id: int
    second_id: int | None
    by_appointment: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentProposed(TournamentChanged):
    """A player proposes a time to their opponent."""

    round: int
    table: int
    by_id: int
    to_id: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentAnswered(TournamentChanged):
    """The opponent has accepted or declined the time."""

    round: int
    table: int
    by_id: int
    to_id: int
    at: datetime
    agreed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentSoon(TournamentChanged):
    """The time of a pairing is near, or is another one now because a game is played again.

    ``since``: when it was noticed or decided; telling it again is no news.
    """

    round: int
    table: int
    player_ids: tuple[int, ...]
    at: datetime
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorActed(TournamentChanged):
    """A decision of the director ``by_id`` on these players; ``text`` and ``reason`` are in the log."""

    by_id: int
    verb: str
    text: str
    reason: str
    player_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused(TournamentChanged):
    """Players of an arena who lost a game by forfeit are paused until they resume."""

    player_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundHeld(TournamentChanged):
    """A round has been paired, and waits for a director to release it."""

    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorNeeded(TournamentChanged):
    """The tournament needs a decision of a director; ``sentence``: what its format says, to be translated."""

    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOver(TournamentChanged):
    """A director hosts the tournament now, whose host has closed their account.

    ``starts_by_hand``: it is open for entry, and begins when they start it.
    """

    starts_by_hand: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFinished(TournamentChanged):
    """A tournament is over, as these players are told; all winners share the first place.

    Of very many winners there are only those who are told.
    """

    player_ids: tuple[int, ...]
    winner_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrophyWon(TournamentChanged):
    """A player has won a trophy."""

    user_id: int
    trophy: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesLeft:
    """Games of a player who has left, too many for one request; the director and what they say, if any."""

    game_ids: tuple[str, ...]
    user_id: int
    director_id: int | None
    reason: str
    nothing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TimesChanged:
    """Pairings of a substitute, too many for one request, each with its new time, None for the deadline."""

    pairings: tuple[tuple[int, datetime | None], ...]


Event = TypeVar("Event", bound=TournamentChanged)


def about(kind: type[Event], tournament: Tournament, **facts: Any) -> Event:
    """The event of a kind about a tournament."""
    return kind(
        tournament_id=tournament.public_id,
        name=tournament.name,
        variant=tournament.variant,
        host_id=tournament.host_id,
        **facts,
    )
