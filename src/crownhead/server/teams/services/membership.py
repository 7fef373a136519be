"""Joining and leaving teams: requests, invitations, removal."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Case, F, When
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import check_may_write, player_named
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services import repeated_invitations
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, NotFound
from crownhead.server.play.games.selectors import blocking
from crownhead.server.play.problems import NotWelcome
from crownhead.server.teams import selectors
from crownhead.server.teams.access import (
    about,
    checked_text,
    is_in,
    lock_team,
    lock_team_for_captain,
    lock_team_if_there,
)
from crownhead.server.teams.events import (
    AskedToJoin,
    AskingAnswered,
    AskingWithdrawn,
    InvitationAnswered,
    InvitationWithdrawn,
    InvitedToTeam,
    MemberJoined,
    MemberLeft,
)
from crownhead.server.teams.models import Joining, JoinRequest, JoinRequestKind, Member, Team
from crownhead.server.teams.services import founding

LONGEST_MESSAGE = 500
MAX_REQUESTS = 200  # open ones of a team, by kind


def join(*, user: User, team_id: str, message: str = "", now: datetime) -> bool:
    """Join a team, or ask to; returns whether the user is a member now. Joining again changes nothing.

    Whom the captain has blocked only asks, also where everybody else joins: else they would be back at once
    after each removal; nor does an invitation from before count then. Raises ``TooMany`` for somebody who
    asks many.
    """
    text = checked_text("message", message, longest=LONGEST_MESSAGE)
    check_may_write(user=user, now=now, text=text)
    with transaction.atomic():
        team = lock_team(team_id)
        if is_in(team, user.pk):
            return True
        join_request = _open_request(team, user)
        if join_request is not None and join_request.kind == JoinRequestKind.INVITED:
            emit(about(InvitationAnswered, team, user_id=user.pk, accepted=True))
            add_member(team, user, now)
        elif team.joining == Joining.OPEN and not accounts.has_blocked(team.captain_id, user.pk):
            add_member(team, user, now)
        elif team.joining == Joining.INVITED:
            raise Forbidden(_("%(name)s is by invitation only.") % {"name": team.name})
        elif join_request is None:
            limits.spend(scope="named_invitations", who=f"user:{user.pk}")
            _add_request(team, user=user, by=user, kind=JoinRequestKind.ASKED, text=text, now=now)
            emit(about(AskedToJoin, team, user_id=user.pk, message=text))
        return is_in(team, user.pk)


def invite(*, user: User, team_id: str, username: str, message: str = "", now: datetime) -> None:
    """Invite a player; one who has asked to join becomes a member at once.

    Raises ``NotWelcome`` for a player who wants no invitations, ``TooMany`` for somebody who invites many.
    """
    text = checked_text("message", message, longest=LONGEST_MESSAGE)
    check_may_write(user=user, now=now, text=text)
    with transaction.atomic():
        team = lock_team_for_captain(user, team_id)
        player = player_named(username)
        if is_in(team, player.pk):
            raise Conflict(
                _("%(username)s is already a member.") % {"username": player.username}, field="username"
            )
        join_request = _open_request(team, player)
        if join_request is not None and join_request.kind == JoinRequestKind.ASKED:
            _answer(team, join_request, accepted=True, by=user, now=now)
            return
        blocking.expect_may_invite(user, by=player)
        if join_request is None:
            limits.spend(scope="named_invitations", who=f"user:{user.pk}")
            repeated_invitations.spend(by=user, players=[player])
            _add_request(team, user=player, by=user, kind=JoinRequestKind.INVITED, text=text, now=now)
            emit(about(InvitedToTeam, team, user_id=player.pk, by_id=user.pk, message=text))


def answer(*, user: User, team_id: str, username: str, accepted: bool, now: datetime) -> None:
    """Accept or decline a join request; declining also withdraws an invitation.

    Raises ``NotWelcome`` for accepting a player who has blocked the user since asking.
    """
    with transaction.atomic():
        team = lock_team_for_captain(user, team_id)
        join_request = (
            JoinRequest.objects.filter(team=team, user=player_named(username)).select_related("user").first()
        )
        if join_request is None or (accepted and join_request.kind == JoinRequestKind.INVITED):
            raise NotFound(_("This player has not asked to join %(name)s.") % {"name": team.name})
        _answer(team, join_request, accepted=accepted, by=user, now=now)


def decline(*, user: User, team_id: str) -> None:
    """Decline an invitation or cancel one's own request; doing so again changes nothing."""
    with transaction.atomic():
        team = lock_team(team_id)
        join_request = JoinRequest.objects.filter(team=team, user=user).first()
        if join_request is None:
            return
        if join_request.kind == JoinRequestKind.INVITED:
            emit(about(InvitationAnswered, team, user_id=user.pk, accepted=False))
        else:
            emit(about(AskingWithdrawn, team, user_id=user.pk))
        join_request.delete()


def leave(*, user: User, team_id: str, now: datetime) -> None:
    """Leave a team; the captain must hand it over first, and the last member disbands it."""
    with transaction.atomic():
        team = lock_team(team_id)
        if not is_in(team, user.pk):
            return
        if team.captain_id == user.pk:
            if team.size > 1:
                raise Conflict(_("The captain can't leave the team. Hand it over first."))
            founding.expect_no_match(team)
            founding.close(team, by_id=user.pk, now=now)
            return
        _remove_member(team, user, removed=False)


def remove(*, user: User, team_id: str, username: str) -> None:
    """Remove a member from the team."""
    with transaction.atomic():
        team = lock_team_for_captain(user, team_id)
        member = player_named(username)
        if not is_in(team, member.pk):
            raise NotFound(
                _("%(username)s is not a member of %(name)s.")
                % {"name": team.name, "username": member.username}
            )
        if member.pk == team.captain_id:
            raise Conflict(_("The captain can't leave the team. Hand it over first."))
        _remove_member(team, member, removed=True)


def teams_to_leave(user_id: int) -> list[str]:
    """The teams of which the user of a closed account is still a member, those that they led first."""
    rows = Member.objects.filter(user=user_id, team__disbanded_at=None)
    led_first = Case(When(team__captain=user_id, then=0), default=1)
    return list(rows.order_by(led_first, "pk").values_list("team__public_id", flat=True))


def leave_for_good(*, user_id: int, team_id: str, now: datetime) -> None:
    """Remove the user of a closed account from a team; doing it again changes nothing.

    A team that they led has no captain until one of its members takes it over; the longest-standing one is
    asked to. A team of which they were the last member ends, whatever it plays; the worker calls off what it
    does not play yet.
    """
    with transaction.atomic():
        team = lock_team_if_there(team_id)
        rows = Member.objects.filter(team=team).select_related("user")
        gone = rows.filter(user=user_id).first()
        if team is None or gone is None:
            return
        oldest = rows.filter(user__closed_at=None).exclude(user=user_id).order_by("joined_at", "pk").first()
        if oldest is None:
            founding.close(team, by_id=user_id, now=now, called_off=0)
            return
        _remove_member(team, gone.user, removed=False)
        if team.captain_id == user_id and not team.successor_id:
            founding.ask_to_lead(team, oldest.user)


def add_member(team: Team, user: User, now: datetime) -> None:
    """Add a member to a locked team; raises ``Conflict`` where nobody is left whose team it is.

    A team whose members have all closed their accounts ends as soon as the worker comes to it: nobody gets
    it, with its name and its past, who joins before that.
    """
    if not Member.objects.filter(team=team, user__closed_at=None).exists():
        raise Conflict(_("All members of %(name)s have left the club.") % {"name": team.name})
    JoinRequest.objects.filter(team=team, user=user).delete()
    Member.objects.create(team=team, user=user, joined_at=now)
    Team.objects.filter(pk=team.pk).update(size=F("size") + 1)
    emit(about(MemberJoined, team, user_id=user.pk))


def _remove_member(team: Team, user: User, *, removed: bool) -> None:
    Member.objects.filter(team=team, user=user).delete()
    Team.objects.filter(pk=team.pk).update(size=F("size") - 1)
    Team.objects.filter(pk=team.pk, successor=user).update(successor=None)
    emit(about(MemberLeft, team, user_id=user.pk, removed=removed))


def _open_request(team: Team, user: User) -> JoinRequest | None:
    """The join request or invitation between a user and a locked team; one that has lapsed is withdrawn."""
    rows = JoinRequest.objects.filter(team=team, user=user)
    if rows.filter(selectors.lapsed(user)).delete()[0]:
        emit(about(InvitationWithdrawn, team, user_id=user.pk))
    return rows.first()


def _answer(team: Team, join_request: JoinRequest, *, accepted: bool, by: User, now: datetime) -> None:
    if accepted and accounts.has_blocked(join_request.user_id, by.pk):
        raise NotWelcome(
            _("%(username)s no longer wants to join %(name)s.")
            % {"username": join_request.user.username, "name": team.name}
        )
    has_asked = join_request.kind == JoinRequestKind.ASKED
    join_request.delete()
    if accepted:
        add_member(team, join_request.user, now)
    if has_asked:
        emit(about(AskingAnswered, team, user_id=join_request.user_id, accepted=accepted))
    else:
        emit(about(InvitationWithdrawn, team, user_id=join_request.user_id))


def _add_request(
    team: Team, *, user: User, by: User, kind: JoinRequestKind, text: str, now: datetime
) -> None:
    if JoinRequest.objects.filter(team=team, kind=kind).count() >= MAX_REQUESTS:
        raise Conflict(_("%(name)s has too many open requests. Try again later.") % {"name": team.name})
    JoinRequest.objects.create(team=team, user=user, by=by, kind=kind, message=text, made_at=now)
