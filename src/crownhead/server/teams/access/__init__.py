"""What every act on a team begins with: the row, and whether the one who acts may."""

from __future__ import annotations

from typing import Any, TypeVar

from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Forbidden, NotFound, Unprocessable
from crownhead.server.teams.events import TeamChanged
from crownhead.server.teams.models import Member, Team

Event = TypeVar("Event", bound=TeamChanged)


def locked(team_id: str) -> Team:
    """The row, held until the transaction ends; raises ``NotFound``."""
    rows = Team.objects.select_related("captain").select_for_update(of=("self",))
    team = rows.filter(public_id=team_id, disbanded_at=None).first()
    if team is None:
        raise no_such_team(team_id)
    return team


def no_such_team(team_id: str) -> NotFound:
    """The refusal for an identifier that belongs to no team."""
    return NotFound(_("expected the identifier of a team, got %(given)s") % {"given": repr(team_id[:60])})


def locked_for_captain(user: User, team_id: str) -> Team:
    """The row, held, if the user leads the team or belongs to the staff."""
    team = locked(team_id)
    if not leads(user, team):
        raise Forbidden(_("expected the captain of the team, or a member of the staff"))
    return team


def leads(user: User, team: Team) -> bool:
    """Whether the user may act for the team."""
    return team.captain_id == user.pk or user.is_staff


def is_in(team: Team, user_id: int) -> bool:
    """Whether somebody is a member."""
    return Member.objects.filter(team=team, user=user_id).exists()


def expect_member(team: Team, user: User) -> None:
    """Raises ``Forbidden`` for whoever is no member."""
    if not is_in(team, user.pk):
        raise Forbidden(_("expected a member of %(name)s") % {"name": team.name})


def named(name: str) -> User:
    """The player of a name that somebody wrote; raises ``Unprocessable``."""
    player = accounts.player(name)
    if player is None:
        raise Unprocessable(
            "username: " + _("there is no player %(given)s") % {"given": repr(name.strip()[:60])}
        )
    return player


def checked_text(name: str, text: str, *, longest: int, least: int = 0) -> str:
    """The text without what is around it; raises ``Unprocessable`` where there is too little or too much."""
    kept = text.strip()
    if not least <= len(kept) <= longest:
        raise Unprocessable(
            _("%(name)s: expected %(least)s to %(longest)s characters, got %(count)s")
            % {"name": name, "least": least, "longest": longest, "count": len(kept)}
        )
    return kept


def about(kind: type[Event], team: Team, **facts: Any) -> Event:
    """The event of a kind about a team as it stands."""
    return kind(team_id=team.public_id, team=team.name, captain_id=team.captain_id, **facts)
