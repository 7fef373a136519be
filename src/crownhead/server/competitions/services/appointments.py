"""Appointments of live pairings: one proposes a time, the other agrees, both are reminded."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from crownhead.contest import ContestError
from crownhead.contest import appointments as agreeing
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import expect_status, locked, look_again, tell_pages
from crownhead.server.competitions.events import (
    AppointmentAnswered,
    AppointmentProposed,
    AppointmentSoon,
    about,
)
from crownhead.server.competitions.models import (
    Appointment,
    Entrant,
    Meeting,
    Pairing,
    Status,
    Tournament,
)
from crownhead.server.competitions.services import contest_rows
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable

REMINDED_BEFORE = timedelta(hours=1)


def propose(*, user: User, tournament_id: str, number: int, table: int, at: datetime, now: datetime) -> None:
    """Propose a time for one's pairing, in the place of an earlier one; what both propose is agreed."""
    with transaction.atomic():
        tournament, pairing = _pairing(tournament_id, number, table)
        mine, other = _sides(pairing, user)
        try:
            made = agreeing.propose(appointment_of(pairing), contest_rows.key_of(mine.pk), [at], now)
        except ContestError as error:
            deadline = date_format(pairing.round.deadline or pairing.round.made_at, "DATETIME_FORMAT")
            raise Unprocessable(
                "at: " + _("Choose a time before %(deadline)s UTC.") % {"deadline": deadline}
            ) from error
        rows = Appointment.objects.filter(pairing=pairing, status=Meeting.PROPOSED)
        if made.agreed is not None:
            _agree(tournament, pairing, rows.get(by=other.user_id, at=made.agreed), user, now)
            return
        rows.filter(by=user).delete()
        Appointment.objects.create(pairing=pairing, by=user, at=at, made_at=now)
        emit(
            about(
                AppointmentProposed,
                tournament,
                round=number,
                table=table,
                by_id=user.pk,
                to_id=other.user_id,
                at=at,
            )
        )
        tell_pages(tournament)


def answer(*, user: User, tournament_id: str, number: int, table: int, agreed: bool, now: datetime) -> None:
    """Agree to the time that the opponent proposes, or do not."""
    with transaction.atomic():
        tournament, pairing = _pairing(tournament_id, number, table)
        mine, other = _sides(pairing, user)
        row = Appointment.objects.filter(pairing=pairing, by=other.user_id, status=Meeting.PROPOSED).first()
        if row is None:
            raise NotFound(_("Your opponent has not proposed a time."))
        if not agreed:
            row.status = Meeting.DECLINED
            row.save(update_fields=["status"])
            _tell_answer(tournament, pairing, row, user, agreed=False)
            return
        try:
            agreeing.accept(appointment_of(pairing), contest_rows.key_of(mine.pk), row.at, now)
        except ContestError as error:
            raise Conflict(_("This time has passed. Propose another one.")) from error
        _agree(tournament, pairing, row, user, now)


def appointment_of(pairing: Pairing) -> agreeing.Appointment:
    """What the two have proposed so far, as ``contest`` looks at it."""
    keys = {entrant.user_id: contest_rows.key_of(entrant.pk) for entrant in _both(pairing)}
    first, second = keys.values()
    rows = Appointment.objects.filter(pairing=pairing, status=Meeting.PROPOSED).order_by("pk")
    return agreeing.Appointment(
        first=first,
        second=second,
        until=pairing.round.deadline or pairing.round.made_at,
        proposed=tuple((keys[row.by_id], row.at) for row in rows if row.by_id in keys),
        agreed=pairing.starts_at,
    )


def at_fault(pairing: Pairing, now: datetime) -> int | None:
    """Once the time for appointments is over: the entrant who never proposed one, while the other did."""
    if pairing.starts_at is not None or pairing.round.deadline is None:
        return None
    rows = Appointment.objects.filter(pairing=pairing).order_by("pk")
    keys = {entrant.user_id: contest_rows.key_of(entrant.pk) for entrant in _both(pairing)}
    asked = tuple((keys[row.by_id], row.at) for row in rows if row.by_id in keys)
    found = agreeing.at_fault(replace(appointment_of(pairing), proposed=asked), now)
    return int(found[0]) if found else None


def remind(*, now: datetime) -> int:
    """Remind those whose game begins shortly, each pairing once; how many pairings."""
    rows = Pairing.objects.filter(
        starts_at__lte=now + REMINDED_BEFORE,
        starts_at__gt=now,
        reminded_at=None,
        round__tournament__status=Status.RUNNING,
    ).select_related("round__tournament", "first", "second")
    told = 0
    for pairing in rows:
        with transaction.atomic():
            if not Pairing.objects.filter(pk=pairing.pk, reminded_at=None).update(reminded_at=now):
                continue  # another worker was quicker
            players = tuple(entrant.user_id for entrant in (pairing.first, pairing.second) if entrant)
            emit(
                about(
                    AppointmentSoon,
                    pairing.round.tournament,
                    round=pairing.round.number,
                    table=pairing.table,
                    player_ids=players,
                    at=pairing.starts_at,
                )
            )
            told += 1
    return told


def _agree(tournament: Tournament, pairing: Pairing, row: Appointment, user: User, now: datetime) -> None:
    row.status = Meeting.AGREED
    row.save(update_fields=["status"])
    Appointment.objects.filter(pairing=pairing, status=Meeting.PROPOSED).delete()
    pairing.starts_at, pairing.reminded_at = row.at, None
    pairing.save(update_fields=["starts_at", "reminded_at"])
    look_again(tournament, now)
    _tell_answer(tournament, pairing, row, user, agreed=True)


def _tell_answer(
    tournament: Tournament, pairing: Pairing, row: Appointment, user: User, *, agreed: bool
) -> None:
    emit(
        about(
            AppointmentAnswered,
            tournament,
            round=pairing.round.number,
            table=pairing.table,
            by_id=user.pk,
            to_id=row.by_id,
            at=row.at,
            agreed=agreed,
        )
    )
    tell_pages(tournament)


def _pairing(tournament_id: str, number: int, table: int) -> tuple[Tournament, Pairing]:
    """A pairing of a held tournament whose games have not begun; raises what stands against it."""
    tournament = locked(tournament_id)
    expect_status(tournament, Status.RUNNING)
    rows = Pairing.objects.select_related("round", "first", "second")
    pairing = rows.filter(round__tournament=tournament, round__number=number, table=table).first()
    if pairing is None or pairing.second is None:
        raise NotFound(
            _("Round %(number)s has no table %(table)s with two players.")
            % {"number": number, "table": table}
        )
    if pairing.round.deadline is None or pairing.round.starts_at is None:
        raise Conflict(_("This round is played without appointments."))
    if pairing.games.exists():
        raise Conflict(_("The game has already started."))
    return tournament, pairing


def _both(pairing: Pairing) -> list[Entrant]:
    return [entrant for entrant in (pairing.first, pairing.second) if entrant is not None]


def _sides(pairing: Pairing, user: User) -> tuple[Entrant, Entrant]:
    """The user's own place and that of his opponent; raises ``Forbidden``."""
    first, second = pairing.first, pairing.second
    if second is not None and first.user_id == user.pk:
        return first, second
    if second is not None and second.user_id == user.pk:
        return second, first
    raise Forbidden(_("Only the two players of this pairing can agree on a time."))
