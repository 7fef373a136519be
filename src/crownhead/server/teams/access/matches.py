"""Fetching team matches with lock and permission."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, TypeVar

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Conflict, Forbidden, NotFound
from crownhead.server.teams.access import leads
from crownhead.server.teams.events import MatchChanged
from crownhead.server.teams.models import MatchStatus, Side, Team, TeamMatch

Event = TypeVar("Event", bound=MatchChanged)

OPEN = (MatchStatus.PROPOSED, MatchStatus.LINING_UP)
EXPIRES = timedelta(days=14)  # after which a proposal without an answer is withdrawn


def lock_match(match_id: str) -> TeamMatch:
    """The match, locked until the transaction ends; raises ``NotFound``."""
    rows = TeamMatch.objects.select_related("home__captain", "away__captain").select_for_update(of=("self",))
    match = rows.filter(public_id=match_id).first()
    if match is None:
        raise no_such_match(match_id)
    return match


def lock_match_and_teams(match_id: str) -> TeamMatch:
    """The match and its two teams, locked until the transaction ends; raises ``NotFound``.

    Teams come before matches, as for one that is disbanded, and in their order.
    """
    teams = TeamMatch.objects.filter(public_id=match_id).values_list("home", "away").first() or ()
    list(Team.objects.select_for_update().filter(pk__in=teams).order_by("pk").values_list("pk"))
    return lock_match(match_id)


def open_matches(team_id: str) -> QuerySet[TeamMatch]:
    """The matches of a team that have not started."""
    team = Team.objects.filter(public_id=team_id).values("pk")[:1]
    return TeamMatch.objects.filter(Q(home=team) | Q(away=team), status__in=OPEN)


def lock_open_matches(team: Team, *, most: int) -> list[TeamMatch]:
    """The first matches of a team that have not started, locked until the transaction ends."""
    rows = TeamMatch.objects.select_related("home__captain", "away__captain").select_for_update(of=("self",))
    return list(rows.filter(Q(home=team) | Q(away=team), status__in=OPEN).order_by("pk")[:most])


def no_such_match(match_id: str) -> NotFound:
    """The problem for an id that belongs to no team match."""
    return NotFound(_("There is no team match with the id %(given)s.") % {"given": match_id[:60]})


def side_of(match: TeamMatch, user: User) -> Side | None:
    """The side whose captain the user is, the home side if both; None if neither."""
    led = [side for side in Side if team_of(match, side).captain_id == user.pk]
    return led[0] if led else None


def led_side(match: TeamMatch, user: User) -> Side:
    """The side that the user is captain of; raises ``Forbidden`` if there is none."""
    side = side_of(match, user)
    if side is None:
        raise Forbidden(_("Only the captains of the two teams can do this."))
    return side


def team_of(match: TeamMatch, side: Side) -> Team:
    """The team on a side."""
    team: Team = match.home if side is Side.HOME else match.away
    return team


def has_expired(match: TeamMatch) -> bool:
    """Whether a match that was withdrawn had waited for an answer as long as it may."""
    if match.answered_at is not None or match.ended_at is None:
        return False
    return match.ended_at - match.proposed_at >= EXPIRES


def may_call_off(match: TeamMatch, user: User) -> bool:
    """Whether the user may withdraw the match before it starts."""
    return leads(user, match.home) or leads(user, match.away)


def expect_status(match: TeamMatch, *allowed: MatchStatus) -> None:
    """Raise ``Conflict`` unless the match has one of these states."""
    if match.status not in allowed:
        raise Conflict(
            {
                MatchStatus.PROPOSED: _("This match has not been accepted yet."),
                MatchStatus.LINING_UP: _("This match has already been accepted."),
                MatchStatus.PLAYING: _("This match has already started."),
                MatchStatus.FINISHED: _("This match is over."),
                MatchStatus.DECLINED: _("This match was declined."),
                MatchStatus.WITHDRAWN: _("This match was cancelled."),
            }[MatchStatus(match.status)]
        )


def expect_both_there(match: TeamMatch) -> None:
    """Raise ``Conflict`` if one of the two teams was disbanded."""
    for team in (match.home, match.away):
        if team.disbanded_at is not None:
            raise Conflict(_("%(name)s was disbanded.") % {"name": team.name})


def about_match(kind: type[Event], match: TeamMatch, **facts: Any) -> Event:
    """An event of this kind about a match."""
    return kind(
        match_id=match.public_id,
        home=match.home.name,
        away=match.away.name,
        home_captain_id=match.home.captain_id,
        away_captain_id=match.away.captain_id,
        **facts,
    )
