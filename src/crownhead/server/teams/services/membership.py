"""How one becomes a member of a team, and ceases to be one."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, NotFound
from crownhead.server.teams.access import about, checked_text, is_in, locked, locked_for_captain, named
from crownhead.server.teams.events import (
    AskedToJoin,
    AskingAnswered,
    InvitationAnswered,
    InvitedToTeam,
    MemberJoined,
    MemberLeft,
)
from crownhead.server.teams.models import Joining, Knock, KnockKind, Member, Team
from crownhead.server.teams.services import founding

LONGEST_MESSAGE = 500
MOST_KNOCKS = 200  # unanswered ones of a team


def join(*, user: User, team_id: str, message: str = "", now: datetime) -> bool:
    """Join a team, or ask to; True if one is a member now. Doing so again changes nothing."""
    text = checked_text("message", message, longest=LONGEST_MESSAGE)
    with transaction.atomic():
        team = locked(team_id)
        if is_in(team, user.pk):
            return True
        knock = Knock.objects.filter(team=team, user=user).first()
        if knock is not None and knock.kind == KnockKind.INVITED:
            emit(about(InvitationAnswered, team, user_id=user.pk, accepted=True))
            take_in(team, user, now)
        elif team.joining == Joining.OPEN:
            take_in(team, user, now)
        elif team.joining == Joining.INVITED:
            raise Forbidden(
                _("expected an invitation: %(name)s takes in only those whom it invites")
                % {"name": team.name}
            )
        elif knock is None:
            _knock(team, user=user, by=user, kind=KnockKind.ASKED, text=text, now=now)
            emit(about(AskedToJoin, team, user_id=user.pk, message=text))
        return is_in(team, user.pk)


def invite(*, user: User, team_id: str, username: str, message: str = "", now: datetime) -> None:
    """Invite somebody; one who has asked to join is taken in at once."""
    text = checked_text("message", message, longest=LONGEST_MESSAGE)
    with transaction.atomic():
        team = locked_for_captain(user, team_id)
        player = named(username)
        if is_in(team, player.pk):
            raise Conflict(
                "username: " + _("%(username)s is a member already") % {"username": player.username}
            )
        knock = Knock.objects.filter(team=team, user=player).first()
        if knock is not None and knock.kind == KnockKind.ASKED:
            _answer(team, knock, accepted=True, now=now)
        elif knock is None:
            _knock(team, user=player, by=user, kind=KnockKind.INVITED, text=text, now=now)
            emit(about(InvitedToTeam, team, user_id=player.pk, by_id=user.pk, message=text))


def answer(*, user: User, team_id: str, username: str, accepted: bool, now: datetime) -> None:
    """Take somebody in who asks to join, or do not; an invitation is called back by saying no."""
    with transaction.atomic():
        team = locked_for_captain(user, team_id)
        knock = Knock.objects.filter(team=team, user=named(username)).select_related("user").first()
        if knock is None or (accepted and knock.kind == KnockKind.INVITED):
            raise NotFound(_("expected somebody who asks to join %(name)s") % {"name": team.name})
        _answer(team, knock, accepted=accepted, now=now)


def decline(*, user: User, team_id: str) -> None:
    """Say no to an invitation, or no longer ask; doing so again changes nothing."""
    with transaction.atomic():
        team = locked(team_id)
        knock = Knock.objects.filter(team=team, user=user).first()
        if knock is None:
            return
        if knock.kind == KnockKind.INVITED:
            emit(about(InvitationAnswered, team, user_id=user.pk, accepted=False))
        knock.delete()


def leave(*, user: User, team_id: str, now: datetime) -> None:
    """Leave a team; its captain hands it over first, and the last member disbands it."""
    with transaction.atomic():
        team = locked(team_id)
        if not is_in(team, user.pk):
            return
        if team.captain_id == user.pk:
            if team.size > 1:
                raise Conflict(_("expected a member who does not lead the team: hand it over first"))
            founding.close(team, now)
            return
        _let_go(team, user, removed=False)


def remove(*, user: User, team_id: str, username: str) -> None:
    """Put a member out of the team."""
    with transaction.atomic():
        team = locked_for_captain(user, team_id)
        member = named(username)
        if not is_in(team, member.pk):
            raise NotFound(
                _("expected a member of %(name)s, got %(username)s")
                % {"name": team.name, "username": repr(member.username)}
            )
        if member.pk == team.captain_id:
            raise Conflict(_("expected a member who does not lead the team: hand it over first"))
        _let_go(team, member, removed=True)


def forget(*, user_id: int, now: datetime) -> None:
    """Take somebody whose account is closed out of all teams; those that he led go to the oldest member."""
    for team_id in Member.objects.filter(user=user_id).values_list("team__public_id", flat=True):
        with transaction.atomic():
            team = locked(team_id)
            others = Member.objects.filter(team=team).exclude(user=user_id).select_related("user")
            oldest = others.order_by("joined_at", "pk").first()
            if team.captain_id == user_id and oldest is not None:
                founding.pass_on(team, oldest.user)
            if oldest is None:
                founding.close(team, now)
            else:
                gone = Member.objects.get(team=team, user=user_id)
                _let_go(team, gone.user, removed=False)
    Knock.objects.filter(user=user_id).delete()


def take_in(team: Team, user: User, now: datetime) -> None:
    """Make somebody a member of a locked team."""
    Knock.objects.filter(team=team, user=user).delete()
    Member.objects.create(team=team, user=user, joined_at=now)
    Team.objects.filter(pk=team.pk).update(size=F("size") + 1)
    emit(about(MemberJoined, team, user_id=user.pk))


def _let_go(team: Team, user: User, *, removed: bool) -> None:
    Member.objects.filter(team=team, user=user).delete()
    Team.objects.filter(pk=team.pk).update(size=F("size") - 1)
    emit(about(MemberLeft, team, user_id=user.pk, removed=removed))


def _answer(team: Team, knock: Knock, *, accepted: bool, now: datetime) -> None:
    asked = knock.kind == KnockKind.ASKED
    knock.delete()
    if accepted:
        take_in(team, knock.user, now)
    if asked:
        emit(about(AskingAnswered, team, user_id=knock.user_id, accepted=accepted))


def _knock(team: Team, *, user: User, by: User, kind: KnockKind, text: str, now: datetime) -> None:
    if Knock.objects.filter(team=team, kind=kind).count() >= MOST_KNOCKS:
        raise Conflict(
            _("%(name)s has %(most_knocks)s such requests without an answer; try again later")
            % {"name": team.name, "most_knocks": MOST_KNOCKS}
        )
    Knock.objects.create(team=team, user=user, by=by, kind=kind, message=text, made_at=now)
