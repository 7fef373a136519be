"""Queries about teams, and fetching one on behalf of a viewer."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Forbidden
from crownhead.server.teams.access import is_in, leads, no_such_team
from crownhead.server.teams.models import JoinRequest, JoinRequestKind, Member, Post, Team
from crownhead.server.teams.validators import likeness

Viewer = User | AnonymousUser | None

__all__ = [
    "JoinRequest",
    "Member",
    "Post",
    "Team",
    "access_team",
    "is_captain",
    "is_member",
    "join_requests",
    "member_ids",
    "members",
    "my_invitations",
    "posts",
    "teams",
    "teams_led_by",
    "teams_of",
]


def access_team(team_id: str) -> Team:
    """A team, also a disbanded one; all are public. Raises ``NotFound``."""
    team = Team.objects.select_related("captain").filter(public_id=team_id).first()
    if team is None:
        raise no_such_team(team_id)
    return team


def teams(*, search: str = "") -> QuerySet[Team]:
    """All teams, the largest first; ``search``: how the name starts, in any spelling."""
    rows = Team.objects.select_related("captain").defer("html").filter(disbanded_at=None)
    wanted = search.strip()
    if wanted:
        rows = rows.filter(likeness__startswith=likeness(wanted))
    return rows.order_by("-size", "-pk")


def teams_of(user_id: int) -> QuerySet[Team]:
    """The teams of a user, by name."""
    rows = Team.objects.select_related("captain").defer("html").filter(disbanded_at=None)
    return rows.filter(members__user=user_id).order_by("name", "pk")


def teams_led_by(user_id: int) -> QuerySet[Team]:
    """The teams whose captain the user is, by name."""
    return Team.objects.filter(captain=user_id, disbanded_at=None).order_by("name", "pk")


def members(team: Team) -> QuerySet[Member]:
    """The members of a team, the longest-standing first."""
    rows = Member.objects.filter(team=team, team__disbanded_at=None, user__closed_at=None)
    return rows.select_related("user").order_by("joined_at", "pk")


def member_ids(team_id: str, among: Collection[int] | None = None) -> set[int]:
    """The users who are members; ``among``: only of these."""
    rows = Member.objects.filter(team__public_id=team_id, team__disbanded_at=None, user__closed_at=None)
    if among is not None:
        rows = rows.filter(user__in=among)
    return set(rows.values_list("user_id", flat=True))


def is_member(user_id: int, team_id: str) -> bool:
    """Whether a user is a member of a team."""
    return user_id in member_ids(team_id, among=[user_id])


def is_captain(user: Viewer, team: Team) -> bool:
    """Whether the viewer may act as captain of the team."""
    return isinstance(user, User) and team.disbanded_at is None and leads(user, team)


def join_request_of(user: User, team: Team) -> JoinRequest | None:
    """The open join request or invitation between a user and a team; none that has lapsed."""
    rows = JoinRequest.objects.filter(team=team, team__disbanded_at=None, user=user)
    return rows.exclude(lapsed(user)).select_related("by").first()


def join_requests(user: User, team: Team) -> QuerySet[JoinRequest]:
    """A team's requests and invitations for its captain, oldest first, without people they block."""
    if not is_captain(user, team):
        raise Forbidden(_("Only the captain of the team can do this."))
    hidden = Q(kind=JoinRequestKind.ASKED, user__in=accounts.blocked_ids(user.pk))
    rows = JoinRequest.objects.filter(team=team, user__closed_at=None).exclude(hidden)
    return rows.select_related("user").order_by("made_at", "pk")


def my_invitations(user: User) -> QuerySet[JoinRequest]:
    """A user's invitations to teams that have not lapsed."""
    rows = JoinRequest.objects.filter(user=user, kind=JoinRequestKind.INVITED, team__disbanded_at=None)
    return rows.exclude(lapsed(user)).select_related("team", "by").order_by("-made_at", "-pk")


def lapsed(user: User) -> Q:
    """Which invitations of a user count no more: of people whom they block, or who blocked them since.

    The captain counts as well, who may be another by now, even with a block from before the invitation.
    """
    is_since = Q(created_at__gte=OuterRef("made_at"))
    of_inviter, of_captain = Q(user=OuterRef("by")), Q(user=OuterRef("team__captain"))
    blocks = accounts.blockers_of(user).filter((of_inviter & is_since) | (of_captain & ~of_inviter))
    return Q(Exists(blocks) | Q(by__in=accounts.blocked_ids(user.pk)), kind=JoinRequestKind.INVITED)


def posts(user: User, team: Team) -> QuerySet[Post]:
    """The messages on the board for a member, newest first, without those of people they block."""
    if not is_in(team, user.pk) and not user.acts_as_staff:
        raise Forbidden(_("Only members of %(name)s can read its message board.") % {"name": team.name})
    rows = Post.objects.filter(team=team, team__disbanded_at=None).select_related("author")
    return rows.exclude(author__in=accounts.blocked_ids(user.pk)).order_by("-pk")
