"""Queries about team matches."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, F, Prefetch, Q, QuerySet

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.teams.access.matches import no_such_match, team_of
from crownhead.server.teams.models import (
    Availability,
    Board,
    BoardGame,
    LineUp,
    MatchStatus,
    Side,
    Team,
    TeamMatch,
)
from crownhead.server.teams.selectors import Viewer

__all__ = [
    "TeamMatch",
    "access_match",
    "availabilities",
    "availability_of",
    "available",
    "boards",
    "filed",
    "half_begun",
    "has_matches_of",
    "line_ups",
    "lined_up",
    "matches_of",
    "matches_waiting_for",
    "proposals_to",
    "words_of",
]

_MAX_WAITING = 50


def access_match(match_id: str) -> TeamMatch:
    """A match; all of them are public. Raises ``NotFound``."""
    rows = TeamMatch.objects.select_related("home__captain", "away__captain")
    match = rows.filter(public_id=match_id).first()
    if match is None:
        raise no_such_match(match_id)
    return match


def has_matches_of(variant: str) -> bool:
    """Whether there is a match of the variant with this key."""
    return TeamMatch.objects.filter(variant=variant).exists()


def matches_of(team: Team, viewer: Viewer) -> QuerySet[TeamMatch]:
    """The matches of a team, the newest first, without declined and withdrawn ones.

    Nor proposals of captains whom the viewer has blocked.
    """
    rows = TeamMatch.objects.filter(Q(home=team) | Q(away=team)).select_related("home", "away")
    if isinstance(viewer, User):
        rows = rows.exclude(_proposed_by_blocked(viewer.pk))
    return rows.exclude(status__in=[MatchStatus.DECLINED, MatchStatus.WITHDRAWN]).order_by("-pk")


def matches_waiting_for(user_id: int) -> list[TeamMatch]:
    """The matches that wait for a captain's answer or line-up, the oldest first.

    Without the proposals of people whom the captain has blocked.
    """
    proposed_to_us = Q(away__captain=user_id, status=MatchStatus.PROPOSED)
    agreed = Q(home__captain=user_id) | Q(away__captain=user_id)
    rows = TeamMatch.objects.filter(proposed_to_us | (agreed & Q(status=MatchStatus.LINING_UP)))
    rows = rows.exclude(_proposed_by_blocked(user_id))
    rows = rows.filter(home__disbanded_at=None, away__disbanded_at=None)
    matches = list(rows.select_related("home", "away").order_by("pk")[:_MAX_WAITING])
    filed_ones = line_ups([match for match in matches if match.status == MatchStatus.LINING_UP])

    def waits(match: TeamMatch) -> bool:
        led = {Side.HOME: match.home.captain_id, Side.AWAY: match.away.captain_id}
        return match.status == MatchStatus.PROPOSED or any(
            captain == user_id and (match.pk, side) not in filed_ones for side, captain in led.items()
        )

    return list(filter(waits, matches))


def proposals_to(team: Team) -> QuerySet[TeamMatch]:
    """The proposals that a team has to answer: as in ``matches_waiting_for``, those that its captain sees."""
    rows = TeamMatch.objects.filter(away=team, status=MatchStatus.PROPOSED, home__disbanded_at=None)
    return rows.exclude(_proposed_by_blocked(team.captain_id))


def words_of(match: TeamMatch, viewer: Viewer) -> str:
    """What a match was proposed with; nothing where the viewer has blocked the captain of the home team."""
    if match.message and isinstance(viewer, User) and accounts.has_blocked(viewer.pk, match.home.captain_id):
        return ""
    return match.message


def half_begun() -> list[str]:
    """The matches in progress of which not every board has begun."""
    rows = TeamMatch.objects.filter(status=MatchStatus.PLAYING).annotate(begun=Count("tables"))
    return list(rows.filter(begun__lt=F("boards")).order_by("pk").values_list("public_id", flat=True))


def _proposed_by_blocked(user_id: int) -> Q:
    return Q(status=MatchStatus.PROPOSED, home__captain__in=accounts.blocked_ids(user_id))


def boards(match: TeamMatch) -> QuerySet[Board]:
    """The boards in order, with their players and games."""
    games = Prefetch("games", BoardGame.objects.order_by("number", "attempt"))
    rows = Board.objects.filter(match=match).select_related("match", "home_player", "away_player")
    return rows.prefetch_related(games).order_by("number")


def available(match: TeamMatch, side: Side) -> list[str]:
    """The names of those who have said that they can play for a side, the first first."""
    rows = availabilities(match, side).filter(user__is_active=True)
    return list(rows.order_by("pk").values_list("user__username", flat=True))


def availabilities(match: TeamMatch, side: Side) -> QuerySet[Availability]:
    """Who has said that they can play for a side: nobody for a team that was disbanded, or who has left."""
    rows = Availability.objects.filter(match=match, side=side, user__closed_at=None)
    return rows.filter(**{f"match__{side.value}__disbanded_at": None})


def availability_of(match: TeamMatch, user: User) -> Availability | None:
    """What the user has said about playing in the match."""
    return Availability.objects.filter(match=match, user=user).first()


def filed(match: TeamMatch) -> set[str]:
    """The sides that have submitted a line-up that holds."""
    return {side for _key, side in line_ups([match])}


def line_ups(matches: Collection[TeamMatch]) -> dict[tuple[int, str], list[int]]:
    """The line-ups of matches that have not started, by match and side: those that hold.

    One that names somebody whose account is closed does not, nor does that of a team that was disbanded: the
    captain submits another.
    """
    held = {match.pk: match for match in matches}
    found = {
        (row.match_id, row.side): row.players
        for row in LineUp.objects.filter(match__in=held)
        if team_of(held[row.match_id], Side(row.side)).disbanded_at is None
    }
    named = User.objects.filter(pk__in={key for players in found.values() for key in players})
    gone = set(named.filter(closed_at__isnull=False).values_list("pk", flat=True))
    return {key: players for key, players in found.items() if gone.isdisjoint(players)}


@dataclass(frozen=True, slots=True)
class LinedUp:
    """A captain's own line-up."""

    players: list[int]


def lined_up(match: TeamMatch, side: Side) -> LinedUp | None:
    """The line-up of a side, for its own captain."""
    players = line_ups([match]).get((match.pk, side))
    return None if players is None else LinedUp(list(players))
