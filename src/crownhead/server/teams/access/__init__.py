"""Fetching teams with lock and permission."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Forbidden, NotFound, Unprocessable
from crownhead.server.core.texts import without_controls
from crownhead.server.teams.events import TeamChanged
from crownhead.server.teams.models import Member, Team

Event = TypeVar("Event", bound=TeamChanged)


def lock_team(team_id: str) -> Team:
    """The team, locked until the transaction ends; raises ``NotFound``."""
    team = lock_team_if_there(team_id)
    if team is None:
        raise no_such_team(team_id)
    return team


def lock_team_if_there(team_id: str) -> Team | None:
    """The team, locked until the transaction ends; None for one that was disbanded."""
    return _to_lock().filter(public_id=team_id, disbanded_at=None).first()


def lock_two_teams(team_id: str, other_id: str) -> tuple[Team, Team]:
    """Two teams, locked as by ``lock_team``, in the same order whichever is named first; raises ``NotFound``.

    Captains who propose matches to each other's team would otherwise wait for one another.
    """
    rows = _to_lock().filter(public_id__in=(team_id, other_id), disbanded_at=None).order_by("pk")
    teams = {team.public_id: team for team in rows}
    for wanted in (team_id, other_id):
        if wanted not in teams:
            raise no_such_team(wanted)
    return teams[team_id], teams[other_id]


def _to_lock() -> QuerySet[Team]:
    return Team.objects.select_related("captain").select_for_update(of=("self",))


def no_such_team(team_id: str) -> NotFound:
    """The problem for an id that belongs to no team."""
    return NotFound(_("There is no team with the id %(given)s.") % {"given": team_id[:60]})


def lock_team_for_captain(user: User, team_id: str) -> Team:
    """The team, locked, for its captain and the staff; raises ``Forbidden`` for others."""
    team = lock_team(team_id)
    expect_leads(user, team)
    return team


def expect_leads(user: User, team: Team) -> None:
    """Raise ``Forbidden`` unless the user is the captain of the team, or of the staff."""
    if not leads(user, team):
        raise Forbidden(_("Only the captain of the team can do this."))


def leads(user: User, team: Team) -> bool:
    """Whether the user is the captain of the team, or of the staff."""
    return team.captain_id == user.pk or user.acts_as_staff


def may_take_over(team: Team, user_id: int) -> bool:
    """Whether a user may lead a team, unasked, because the account of its captain is closed.

    Those may who were members when it was closed; once none of them is left, the longest-standing member. Who
    is suspended is none of them.
    """
    closed_at = team.captain.closed_at
    if closed_at is None:
        return False
    rows = Member.objects.filter(
        team=team, team__disbanded_at=None, user__closed_at=None, user__is_active=True
    )
    before = rows.filter(joined_at__lte=closed_at)
    if before.filter(user=user_id).exists():
        return True
    oldest = rows.order_by("joined_at", "pk").first()
    return oldest is not None and oldest.user_id == user_id and not before.exists()


def is_in(team: Team, user_id: int) -> bool:
    """Whether a user is a member; nobody is one of a team that was disbanded."""
    return team.disbanded_at is None and Member.objects.filter(team=team, user=user_id).exists()


def expect_member(team: Team, user: User) -> None:
    """Raise ``Forbidden`` unless the user is a member."""
    if not is_in(team, user.pk):
        raise Forbidden(_("Only members of %(name)s can do this.") % {"name": team.name})


def checked_text(name: str, text: str, *, longest: int, least: int = 0) -> str:
    """The stripped text; raises ``Unprocessable`` if it is too short or too long."""
    stripped = without_controls(text)
    if not least <= len(stripped) <= longest:
        raise Unprocessable(
            _("Use %(least)s to %(longest)s characters.") % {"least": least, "longest": longest}, field=name
        )
    return stripped


def about(kind: type[Event], team: Team, **facts: Any) -> Event:
    """An event of this kind about a team."""
    return kind(team_id=team.public_id, team=team.name, captain_id=team.captain_id, **facts)
