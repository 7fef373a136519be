"""Hosting a tournament: create and edit it, invite, start, cancel, name directors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    checked_reason,
    expect_director,
    expect_status,
    lock_tournament,
    log,
    player_named,
    schedule,
)
from crownhead.server.competitions.choices import Entry, Start
from crownhead.server.competitions.events import InvitedToTournament, TournamentCreated, about
from crownhead.server.competitions.models import (
    Director,
    Entrant,
    Invitation,
    Status,
    Tournament,
    Verb,
)
from crownhead.server.competitions.services import starting
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.teams import selectors as teams

MOST_HELD = 10  # unfinished tournaments of one host
MOST_INVITED = 500
MOST_DIRECTORS = 10


def create(*, user: User, wanted: Announcement, now: datetime) -> Tournament:
    """Create a tournament; the host directs it, and plays only after entering."""
    expect_may_hold(user)
    columns = wanted.columns(now=now)
    _check_team(user, wanted)
    unfinished = Tournament.objects.filter(host=user, status__in=[Status.ENTRY, Status.RUNNING])
    if not user.is_staff and unfinished.count() >= MOST_HELD:
        raise Conflict(
            _("You can host at most %(most_held)s tournaments at a time.") % {"most_held": MOST_HELD}
        )
    with transaction.atomic():
        tournament = Tournament.objects.create(host=user, created_at=now, **columns)
        tournament.due_at = tournament.starts_at
        tournament.save(update_fields=["due_at"])
        emit(about(TournamentCreated, tournament))
    return tournament


def expect_may_hold(user: User) -> None:
    """Raise ``Forbidden`` if only the staff may create tournaments."""
    if not may_hold(user):
        raise Forbidden(_("Only the staff can create tournaments here."))


def may_hold(user: User) -> bool:
    """Whether the user may create a tournament."""
    return user.is_staff or settings.TOURNAMENTS_BY_MEMBERS


def edit(*, user: User, tournament_id: str, wanted: Announcement, now: datetime) -> Tournament:
    """Edit a tournament that has not started; players who have entered stay in."""
    columns = wanted.columns(now=now)
    _check_team(user, wanted)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.ENTRY)
        if tournament.size and (columns["variant"], columns["terms"]) != (
            tournament.variant,
            tournament.terms,
        ):
            raise Conflict("variant: " + _("The game and its time cannot change once players have entered."))
        if columns["max_players"] < tournament.size:
            raise Unprocessable(
                "max_players: " + _("%(size)s players have already entered.") % {"size": tournament.size}
            )
        for column, value in columns.items():
            setattr(tournament, column, value)
        tournament.due_at = tournament.starts_at
        if tournament.start == Start.FULL and tournament.size == tournament.max_players:
            tournament.due_at = now
        tournament.save()
        if tournament.size:
            log(tournament, by=user, verb=Verb.EDITED, now=now, concerns=_entered(tournament))
    return tournament


def invite(*, user: User, tournament_id: str, usernames: Sequence[str], now: datetime) -> None:
    """Invite players to a tournament by invitation; inviting again changes nothing."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        expect_status(tournament, Status.ENTRY, Status.RUNNING)
        if tournament.entry != Entry.INVITED:
            raise Conflict(_("This tournament is not by invitation."))
        players = [player_named(name) for name in usernames]
        if Invitation.objects.filter(tournament=tournament).count() + len(players) > MOST_INVITED:
            raise Conflict(
                _("You can invite at most %(most_invited)s players.") % {"most_invited": MOST_INVITED}
            )
        for player in players:
            row, made = Invitation.objects.get_or_create(
                tournament=tournament, user=player, defaults={"made_at": now}
            )
            if made or row.declined:
                Invitation.objects.filter(pk=row.pk).update(declined=False)
                emit(about(InvitedToTournament, tournament, user_id=player.pk))
        names = ", ".join(player.username for player in players)
        log(tournament, by=user, verb=Verb.INVITED, text=names, now=now)


def start(*, user: User, tournament_id: str, now: datetime) -> Tournament:
    """Start at once, if enough players have entered; a worker pairs the first round."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        if tournament.status == Status.RUNNING:
            return tournament
        expect_status(tournament, Status.ENTRY)
        starting.begin(tournament, now)
        tournament.save()
        schedule(tournament, now)
        log(tournament, by=user, verb=Verb.STARTED, text="the tournament", now=now)
    return tournament


def cancel(*, user: User, tournament_id: str, reason: str, now: datetime) -> Tournament:
    """Cancel a tournament before it starts."""
    reason = checked_reason(reason)
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        expect_director(user, tournament)
        if tournament.status == Status.CANCELLED:
            return tournament
        expect_status(tournament, Status.ENTRY)
        starting.cancel(tournament, reason, now)
        tournament.save()
        log(tournament, by=user, verb=Verb.CANCELLED, reason=reason, now=now)
    return tournament


def set_directors(*, user: User, tournament_id: str, usernames: Sequence[str], now: datetime) -> None:
    """Set the directors besides the host; for the host and the staff."""
    with transaction.atomic():
        tournament = lock_tournament(tournament_id)
        if not user.is_staff and tournament.host_id != user.pk:
            raise Forbidden(_("Only the host can change the directors."))
        players = {player.pk: player for player in map(player_named, usernames)}
        if len(players) > MOST_DIRECTORS:
            raise Unprocessable(
                "username: "
                + _("Name at most %(most_directors)s directors.") % {"most_directors": MOST_DIRECTORS}
            )
        Director.objects.filter(tournament=tournament).exclude(user__in=players).delete()
        for player in players.values():
            Director.objects.get_or_create(tournament=tournament, user=player)
        names = ", ".join(player.username for player in players.values())
        log(tournament, by=user, verb=Verb.DIRECTORS, text=names, now=now)


def _check_team(user: User, wanted: Announcement) -> None:
    if wanted.entry != Entry.TEAM:
        return
    team = teams.access_team(wanted.team)
    if not teams.is_captain(user, team):
        raise Forbidden("team: " + _("Only the captain of %(name)s can do this.") % {"name": team.name})


def _entered(tournament: Tournament) -> list[int]:
    return list(Entrant.objects.filter(tournament=tournament).values_list("user_id", flat=True))
