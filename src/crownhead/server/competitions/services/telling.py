"""Telling the players of a round whom they meet: of many a worker tells a few in each transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from crownhead.server.competitions.events import Paired, RoundStarted, about
from crownhead.server.competitions.models import Pairing, Round, Status, Tournament
from crownhead.server.core.events import emit

MAX_TOLD = 12  # pairings in one transaction: both their players are notified
# By round of which not all are told: the last table. Telling again changes nothing.
_told: dict[int, int] = {}


def announce_round(tournament: Tournament, row: Round, now: datetime) -> None:
    """Notify the players of a round that begins, once; who is left over is told by ``tell_some``."""
    if row.told_at is not None or row.starts_at is None:
        return
    pairings = list(_pairings(row))
    players = tuple(
        entrant.user_id for pairing in pairings for entrant in (pairing.first, pairing.second) if entrant
    )
    if tournament.minutes is None:
        emit(about(RoundStarted, tournament, round=row.number, player_ids=players, starts_at=row.starts_at))
    notified = [pairing for pairing in pairings if pairing.second is None or row.deadline is not None]
    if len(notified) <= MAX_TOLD:
        _tell(tournament, row, pairings)
        row.told_at = now
        row.save(update_fields=["told_at"])


def tell_some(*, pk: int, now: datetime) -> bool:
    """Tell some players of a round of a tournament that is due; whether there were any to tell."""
    due = _left(pk).filter(tournament__status=Status.RUNNING, tournament__due_at__lte=now)
    row = due.select_related("tournament").order_by("number").first()
    if row is None:
        return False
    with transaction.atomic():
        some = list(_pairings(row).filter(table__gt=_told.get(row.pk, 0))[:MAX_TOLD])
        _tell(row.tournament, row, some)
        if len(some) < MAX_TOLD:
            Round.objects.filter(pk=row.pk, told_at=None).update(told_at=now)
    if len(some) < MAX_TOLD:
        _told.pop(row.pk, None)
    else:
        _told[row.pk] = some[-1].table
    return True


def is_left(tournament: Tournament) -> bool:
    """Whether players of a round that begins are still to be told."""
    return _left(tournament.pk).exists()


def _left(tournament_id: int) -> QuerySet[Round]:
    return Round.objects.filter(tournament=tournament_id, told_at=None, starts_at__isnull=False)


def _pairings(row: Round) -> QuerySet[Pairing]:
    return Pairing.objects.filter(round=row).select_related("first", "second").order_by("table")


def _tell(tournament: Tournament, row: Round, pairings: Iterable[Pairing]) -> None:
    for pairing in pairings:
        emit(
            about(
                Paired,
                tournament,
                round=row.number,
                table=pairing.table,
                first_id=pairing.first.user_id,
                second_id=pairing.second.user_id if pairing.second else None,
                by_appointment=row.deadline is not None and pairing.second is not None,
            )
        )
