"""What happens in teams, told upwards to whoever wants to know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamChanged:
    """What every event of a team tells: which team, and whose it is."""

    team_id: str
    team: str
    captain_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedToJoin(TeamChanged):
    """Somebody asks to join: for the captain to answer."""

    user_id: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitedToTeam(TeamChanged):
    """The captain (``by_id``) invites somebody."""

    user_id: int
    by_id: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingAnswered(TeamChanged):
    """The captain has taken somebody in who asked, or has not."""

    user_id: int
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationAnswered(TeamChanged):
    """Somebody who was invited has said yes or no."""

    user_id: int
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberJoined(TeamChanged):
    """The team has a new member."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberLeft(TeamChanged):
    """A member has left, or was removed by the captain or the staff."""

    user_id: int
    removed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainChanged(TeamChanged):
    """The team has another captain: ``captain_id``."""

    before_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamPostWritten(TeamChanged):
    """A member has written on the team's board."""

    author_id: int
    post_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChanged:
    """What every event of a match between teams tells."""

    match_id: str
    home: str
    away: str
    home_captain_id: int
    away_captain_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchProposed(MatchChanged):
    """The home team proposes a match: for the other captain to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchAnswered(MatchChanged):
    """The away team has agreed, or has not."""

    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchWithdrawn(MatchChanged):
    """A captain has called the match off before it began."""

    by_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchStarted(MatchChanged):
    """Both line-ups are filed and the games have begun; ``player_ids`` sit at the boards."""

    player_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchFinished(MatchChanged):
    """All games are over; points are halves, ``winner`` is ``home``, ``away`` or None for a tie."""

    player_ids: tuple[int, ...]
    home_points: int
    away_points: int
    winner: str | None
