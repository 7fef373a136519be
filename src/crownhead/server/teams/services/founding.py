"""Creating, editing and disbanding teams, and handing them over to a member who wants it."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import (
    check_may_write,
    expect_may_call,
    hold_member,
    hold_user,
    player_named,
)
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.limits import spend_text
from crownhead.server.core.markup.stored import render_ahead
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.core.texts import expect_one_of
from crownhead.server.teams.access import (
    about,
    checked_text,
    expect_leads,
    is_in,
    leads,
    lock_team,
    lock_team_for_captain,
    may_take_over,
)
from crownhead.server.teams.events import (
    AskedToLead,
    CaptainChanged,
    LeadingDeclined,
    MemberJoined,
    TeamDisbanded,
)
from crownhead.server.teams.models import Joining, MatchStatus, Member, Team, TeamMatch
from crownhead.server.teams.selectors import access_team
from crownhead.server.teams.services import calling_off
from crownhead.server.teams.validators import checked_name, likeness

LONGEST_ABOUT = 5000
MAX_LED = 5  # teams with the same captain


def create_team(*, user: User, name: str, about_text: str, joining: str, now: datetime) -> Team:
    """Create a team; the user becomes its captain."""
    columns = _columns(name=name, about_text=about_text, joining=joining)
    expect_may_call(user=user, name=columns["name"])
    check_may_write(user=user, now=now, text=f"{name} {about_text}")
    render_ahead(columns["about"])
    with transaction.atomic():
        hold_member(user)
        _expect_may_lead_another(user)
        team = Team(captain=user, size=1, created_at=now, **columns)
        _save(team)
        Member.objects.create(team=team, user=user, joined_at=now)
        emit(about(MemberJoined, team, user_id=user.pk))
    return team


def edit_team(*, user: User, team_id: str, name: str, about_text: str, joining: str, now: datetime) -> Team:
    """Change the name and description of a team, and how players join."""
    expect_leads(user, access_team(team_id))  # before their text costs anything
    render_ahead(checked_text("about", about_text, longest=LONGEST_ABOUT))
    with transaction.atomic():
        team = lock_team_for_captain(user, team_id)
        columns = _columns(name=name, about_text=about_text, joining=joining, before=team)
        expect_may_call(user=user, name=columns["name"], before=team.name)
        for column in ("name", "about"):
            check_may_write(user=user, now=now, text=columns[column], before=getattr(team, column))
        spend_text(user_id=user.pk, text=columns["about"], before=team.about)
        for column, value in columns.items():
            setattr(team, column, value)
        _save(team)
    return team


def hand_over(*, user: User, team_id: str, username: str) -> Team:
    """Ask another member to be the captain; the captain stays until they accept."""
    with transaction.atomic():
        team = lock_team_for_captain(user, team_id)
        successor = player_named(username)
        if not is_in(team, successor.pk):
            raise Unprocessable(
                _("%(username)s is not a member of the team.") % {"username": successor.username},
                field="username",
            )
        if successor.pk not in {team.captain_id, team.successor_id}:
            ask_to_lead(team, successor)
    return team


def ask_to_lead(team: Team, successor: User) -> None:
    """Ask a member of a locked team to be its captain."""
    team.successor = successor
    team.save(update_fields=["successor"])
    emit(about(AskedToLead, team, user_id=successor.pk))


def answer_leading(*, user: User, team_id: str, accepted: bool) -> None:
    """Accept or decline to be the captain; does nothing for anybody who was not asked.

    A team without a captain may be taken over by somebody who was not: see ``access.may_take_over``.
    """
    with transaction.atomic():
        hold_user(user.pk)
        team = lock_team(team_id)
        is_asked = team.successor_id == user.pk
        if accepted and (is_asked or may_take_over(team, user.pk)):
            pass_on(team, user)
            return
        if not is_asked:
            return
        team.successor = None
        team.save(update_fields=["successor"])
        emit(about(LeadingDeclined, team, user_id=user.pk))


def pass_on(team: Team, successor: User) -> None:
    """Make a member, whose row is held, the captain of a locked team."""
    before = team.captain_id
    if before == successor.pk:
        return
    _expect_may_lead_another(successor)
    team.captain, team.successor = successor, None
    team.save(update_fields=["captain", "successor"])
    emit(about(CaptainChanged, team, before_id=before))


def disband(*, user: User, team_id: str, now: datetime) -> None:
    """Disband a team that is playing no match; its matches stay, its message board goes."""
    with transaction.atomic():
        team = lock_team(team_id)
        if not leads(user, team):
            raise Forbidden(_("Only the captain of the team can do this."))
        expect_no_match(team)
        close(team, by_id=user.pk, now=now)


def expect_no_match(team: Team) -> None:
    """Raise ``Conflict`` while the team plays a match."""
    for side in ("home", "away"):
        if TeamMatch.objects.filter(**{side: team}, status=MatchStatus.PLAYING).exists():
            raise Conflict(_("The team is still playing a match. Finish it first."))


def close(team: Team, *, by_id: int, now: datetime, called_off: int = calling_off.MAX_AT_ONCE) -> None:
    """Disband a locked team, which calls off its matches that have not started; others go on without it.

    Nobody is a member or reads its board from then on; ``services.clearing`` deletes the rows.
    ``called_off``: the most matches that are called off at once; the worker calls off the others.
    """
    team.size, team.disbanded_at = 0, now
    team.save(update_fields=["size", "disbanded_at"])
    calling_off.call_off_first(team, most=called_off, by_id=by_id, now=now)
    emit(about(TeamDisbanded, team, by_id=by_id))


def _expect_may_lead_another(user: User) -> None:
    """Raise ``Conflict`` if a user, whose row is held, leads as many teams as anybody may."""
    if Team.objects.filter(captain=user, disbanded_at=None).count() >= MAX_LED:
        raise Conflict(
            _("You can be the captain of at most %(most_led)s teams. Hand one over first.")
            % {"most_led": MAX_LED}
        )


def _columns(*, name: str, about_text: str, joining: str, before: Team | None = None) -> dict[str, str]:
    """The checked columns; a name that stays is left as it is, also where others are refused by now."""
    expect_one_of("joining", joining, Joining.values)
    named = (
        {"name": before.name, "likeness": before.likeness} if before and before.name == name.strip() else None
    )
    if named is None:
        checked = checked_name(name)
        named = {"name": checked, "likeness": likeness(checked)}
    text = checked_text("about", about_text, longest=LONGEST_ABOUT)
    return {**named, "about": text, "joining": joining}


def _save(team: Team) -> None:
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError as error:
        raise Conflict(
            _("%(name)s or a similar name is already taken.") % {"name": team.name}, field="name"
        ) from error
