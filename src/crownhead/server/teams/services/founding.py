"""A team from its founding to its end: who leads it, what it is called, how one joins."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.teams.access import about, checked_text, is_in, leads, locked, locked_for_captain, named
from crownhead.server.teams.events import CaptainChanged, MemberJoined
from crownhead.server.teams.models import Joining, Knock, MatchStatus, Member, Team, TeamMatch
from crownhead.server.teams.validators import checked_name, likeness

LONGEST_ABOUT = 5000
MOST_LED = 5  # teams that one player leads

_RUNNING = (MatchStatus.PROPOSED, MatchStatus.LINING_UP, MatchStatus.PLAYING)


def create_team(*, user: User, name: str, about_text: str, joining: str, now: datetime) -> Team:
    """Found a team; the founder leads it."""
    columns = _columns(name=name, about_text=about_text, joining=joining)
    if Team.objects.filter(captain=user, disbanded_at=None).count() >= MOST_LED:
        raise Conflict(
            _("expected a player who leads fewer than %(most_led)s teams; hand one over first")
            % {"most_led": MOST_LED}
        )
    with transaction.atomic():
        team = Team(captain=user, size=1, created_at=now, **columns)
        _save(team)
        Member.objects.create(team=team, user=user, joined_at=now)
        emit(about(MemberJoined, team, user_id=user.pk))
    return team


def edit_team(*, user: User, team_id: str, name: str, about_text: str, joining: str) -> Team:
    """Change what the team says of itself and how one joins."""
    columns = _columns(name=name, about_text=about_text, joining=joining)
    with transaction.atomic():
        team = locked_for_captain(user, team_id)
        for column, value in columns.items():
            setattr(team, column, value)
        _save(team)
    return team


def hand_over(*, user: User, team_id: str, username: str) -> Team:
    """Let another member lead."""
    with transaction.atomic():
        team = locked_for_captain(user, team_id)
        successor = named(username)
        if not is_in(team, successor.pk):
            raise Unprocessable(
                "username: "
                + _("expected a member of the team, got %(username)s")
                % {"username": repr(successor.username)}
            )
        pass_on(team, successor)
    return team


def pass_on(team: Team, successor: User) -> None:
    """Make a member the captain of a locked team."""
    before = team.captain_id
    if before == successor.pk:
        return
    team.captain = successor
    team.save(update_fields=["captain"])
    emit(about(CaptainChanged, team, before_id=before))


def disband(*, user: User, team_id: str, now: datetime) -> None:
    """End a team that has no match to play; what it played stays, its board goes."""
    with transaction.atomic():
        team = locked(team_id)
        if not leads(user, team):
            raise Forbidden(_("expected the captain of the team, or a member of the staff"))
        close(team, now)


def close(team: Team, now: datetime) -> None:
    """End a locked team."""
    for side in ("home", "away"):
        if TeamMatch.objects.filter(**{side: team}, status__in=_RUNNING).exists():
            raise Conflict(_("expected a team without a match to play; finish or withdraw it first"))
    Member.objects.filter(team=team).delete()
    Knock.objects.filter(team=team).delete()
    team.posts.all().delete()
    team.size, team.disbanded_at = 0, now
    team.save(update_fields=["size", "disbanded_at"])


def _columns(*, name: str, about_text: str, joining: str) -> dict[str, str]:
    if joining not in Joining.values:
        raise Unprocessable(
            "joining: "
            + _("expected one of %(choices)s, got %(choices_2)s")
            % {"choices": ", ".join(Joining.values), "choices_2": repr(joining[:60])}
        )
    kept = checked_name(name)
    text = checked_text("about", about_text, longest=LONGEST_ABOUT)
    return {"name": kept, "likeness": likeness(kept), "about": text, "joining": joining}


def _save(team: Team) -> None:
    try:
        with transaction.atomic():
            team.save()
    except IntegrityError as error:
        raise Conflict(
            "name: " + _("%(name)s, or a name that looks like it, is taken") % {"name": repr(team.name)}
        ) from error
