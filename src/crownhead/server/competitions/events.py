"""What happens in tournaments, told upwards to whoever wants to know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from crownhead.server.competitions.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentChanged:
    """What every event of a tournament tells."""

    tournament_id: str
    name: str
    variant: str
    host_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCreated(TournamentChanged):
    """A tournament was announced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitedToTournament(TournamentChanged):
    """Somebody may enter a tournament for invited players."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered(TournamentChanged):
    """Somebody takes part."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrew(TournamentChanged):
    """Somebody no longer takes part; ``expelled``: a director has put him out."""

    user_id: int
    expelled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStarted(TournamentChanged):
    """It has begun."""

    player_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentCancelled(TournamentChanged):
    """It does not take place; ``reason`` is a sentence."""

    player_ids: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(TournamentChanged):
    """A round has been paired; its games begin at ``starts_at``, or have begun."""

    round: int
    player_ids: tuple[int, ...]
    starts_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired(TournamentChanged):
    """Two are to play in a round, by appointment where ``by_appointment``; or one has a bye."""

    round: int
    table: int
    first_id: int
    second_id: int | None
    by_appointment: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentProposed(TournamentChanged):
    """One of two proposes a time to play to the other."""

    round: int
    table: int
    by_id: int
    to_id: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentAnswered(TournamentChanged):
    """The other agrees, or does not."""

    round: int
    table: int
    by_id: int
    to_id: int
    at: datetime
    agreed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AppointmentSoon(TournamentChanged):
    """Two who have agreed on a time are to be at the board shortly."""

    round: int
    table: int
    player_ids: tuple[int, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorActed(TournamentChanged):
    """A director did something that concerns these players; ``text`` and ``reason`` stand in the log."""

    verb: str
    text: str
    reason: str
    player_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorNeeded(TournamentChanged):
    """The contest cannot go on by its rules: ``sentence`` says why, in English."""

    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFinished(TournamentChanged):
    """It is over; the winners share the first place."""

    player_ids: tuple[int, ...]
    winner_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrophyWon(TournamentChanged):
    """Somebody has won a trophy."""

    user_id: int
    trophy: str
    place: int


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
