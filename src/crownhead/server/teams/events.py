"""The events of teams and team matches."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamChanged:
    """The fields of every event of a team."""

    team_id: str
    team: str
    captain_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedToJoin(TeamChanged):
    """A player asks to join a team."""

    user_id: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitedToTeam(TeamChanged):
    """The captain (``by_id``) has invited a player."""

    user_id: int
    by_id: int
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingWithdrawn(TeamChanged):
    """A player has taken back a join request."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationWithdrawn(TeamChanged):
    """The captain has withdrawn the invitation of a player."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingAnswered(TeamChanged):
    """The captain has accepted or declined a join request."""

    user_id: int
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationAnswered(TeamChanged):
    """A player has accepted or declined an invitation."""

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
    """The team has a new captain: ``captain_id``."""

    before_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedToLead(TeamChanged):
    """The captain asks a member to be the captain."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadingDeclined(TeamChanged):
    """A member does not want to be the captain."""

    user_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamDisbanded(TeamChanged):
    """A team was disbanded, by its captain, the staff or the last member to leave (``by_id``)."""

    by_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamPostWritten(TeamChanged):
    """A member has posted on the message board."""

    author_id: int
    post_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchChanged:
    """The fields of every event of a team match."""

    match_id: str
    home: str
    away: str
    home_captain_id: int
    away_captain_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchProposed(MatchChanged):
    """The home team has proposed a match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchAnswered(MatchChanged):
    """The away team has accepted or declined a match."""

    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MembersAskedToPlay(MatchChanged):
    """Members of the team of this captain are asked whether they can play in a match that was accepted."""

    captain_id: int
    user_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailabilityChanged(MatchChanged):
    """A member can play in a match for the team of this captain, or no longer can."""

    user_id: int
    captain_id: int
    available: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchWithdrawn(MatchChanged):
    """A captain has withdrawn a match before it started."""

    by_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchExpired(MatchChanged):
    """The away team has not answered a proposal in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchStarted(MatchChanged):
    """The games of a match have started; ``player_ids`` play in it.

    ``unplayed``: the numbers of the boards whose players do not play each other.
    """

    player_ids: tuple[int, ...]
    unplayed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamMatchFinished(MatchChanged):
    """A match is over; points are in halves, ``winner`` is ``home``, ``away`` or None for a tie."""

    player_ids: tuple[int, ...]
    home_points: int
    away_points: int
    winner: str | None
