"""A team for its page, and the form to create and edit it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.core.problems import Problem
from crownhead.server.teams import selectors
from crownhead.server.teams.access import may_take_over
from crownhead.server.teams.models import LONGEST_NAME, Joining, JoinRequestKind, Member, Team
from crownhead.server.teams.presenters.matches import MatchLine, lines
from crownhead.server.teams.selectors import Viewer
from crownhead.server.teams.selectors import matches as match_selectors
from crownhead.server.teams.services.founding import LONGEST_ABOUT
from crownhead.server.teams.validators import SHORTEST
from crownhead.server.web.forms import given_back

SHOWN_MEMBERS, SHOWN_MATCHES = 12, 10


@dataclass(slots=True)
class TeamForm:
    """The values of the fields and their errors."""

    name: str = ""
    about: str = ""
    joining: str = Joining.ASK.value
    errors: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, query: QueryDict) -> TeamForm:
        """The fields as they were sent."""
        return cls(query.get("name", ""), query.get("about", ""), query.get("joining", Joining.ASK.value))

    @property
    def ways(self) -> list[tuple[str, str, bool]]:
        """How one may join: value, name, chosen."""
        return [(way.value, str(way.label), way.value == self.joining) for way in Joining]

    def refuse(self, problem: Problem) -> bool:
        """Show a problem beside the field it is about; false if it is about none."""
        self.name, self.about = given_back(self.name, LONGEST_NAME), given_back(self.about, LONGEST_ABOUT)
        name = field_of(problem)
        if name is None:
            return False
        texts = {
            "about": _("This is too long."),
            "joining": _("Choose one of these."),
            "name": _("Use %(least)s to 40 letters, digits and spaces, starting with a letter or digit.")
            % {"least": SHORTEST},
        }
        taken = _("This name or a similar one is already taken.")
        self.errors[name] = taken if problem.status == 409 else texts[name]
        return True


def field_of(problem: Problem) -> str | None:
    """The field of the form that a problem is about."""
    return problem.field if problem.field in {"name", "about", "joining"} else None


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member in a list."""

    username: str
    is_captain: bool
    joined_at: datetime


@dataclass(frozen=True, slots=True)
class TeamPage:
    """``standing``: what the viewer is to the team: guest, stranger, asked, invited, member or captain."""

    team: Team
    about: str
    joining: str
    standing: str
    why_not: str
    asked_to_lead: bool
    may_take_over: bool
    leads: bool
    may_challenge: bool
    asking: int
    members: list[MemberLine]
    more: int
    matches: list[MatchLine]


def team_page(team: Team, viewer: Viewer) -> TeamPage:
    """A team as this viewer sees it."""
    members = member_lines(selectors.members(team)[:SHOWN_MEMBERS], team)
    leads = selectors.is_captain(viewer, team)
    standing = _standing(team, viewer)
    return TeamPage(
        team=team,
        about=stored_html(team),
        joining=str(Joining(team.joining).label),
        standing=standing,
        why_not=_why_not(team, standing),
        asked_to_lead=isinstance(viewer, User) and team.successor_id == viewer.pk,
        may_take_over=isinstance(viewer, User) and may_take_over(team, viewer.pk),
        leads=leads,
        may_challenge=isinstance(viewer, User) and standing != "captain" and team.disbanded_at is None,
        asking=_asking(team, viewer) if leads else 0,
        members=members,
        more=max(team.size - len(members), 0),
        matches=lines(match_selectors.matches_of(team, viewer)[:SHOWN_MATCHES]),
    )


def member_lines(members: Iterable[Member], team: Team) -> list[MemberLine]:
    """Members as lines."""
    return [
        MemberLine(
            username=row.user.username,
            is_captain=row.user_id == team.captain_id,
            joined_at=row.joined_at,
        )
        for row in members
    ]


def _standing(team: Team, viewer: Viewer) -> str:
    if not isinstance(viewer, User):
        return "guest"
    if team.captain_id == viewer.pk:
        return "captain"
    if selectors.is_member(viewer.pk, team.public_id):
        return "member"
    join_request = selectors.join_request_of(viewer, team)
    return (
        "stranger"
        if join_request is None
        else "asked"
        if join_request.kind == JoinRequestKind.ASKED
        else "invited"
    )


def _why_not(team: Team, standing: str) -> str:
    """Why the viewer cannot join; empty if they can or are a member already."""
    if team.disbanded_at is not None:
        return _("This team was disbanded.")
    if standing == "stranger" and team.joining == Joining.INVITED:
        return _("This team is by invitation only.")
    return ""


def _asking(team: Team, viewer: Viewer) -> int:
    if not isinstance(viewer, User):
        return 0
    return selectors.join_requests(viewer, team).filter(kind=JoinRequestKind.ASKED).count()
