"""Tournaments after a time in which nobody could play: what has a deadline gets as much more time."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from crownhead.server.competitions.models import Pairing, Round, Status, Tournament
from crownhead.server.competitions.selectors import awaited
from crownhead.server.core.background.outages import ROWS_AT_ONCE, Outage

_OPEN = Q(status__in=[Status.ENTRY, Status.RUNNING])


def extend(outage: Outage, after: int) -> int | None:
    """See to some tournaments after the one with this key; returns the key of the last, None if all are done.

    Deadlines of rounds and the ends of arenas move. Starts and appointments, for which people keep a time
    free, move if they fell into the outage.
    """
    keys = list(
        Tournament.objects.filter(_OPEN, pk__gt=after)
        .order_by("pk")
        .values_list("pk", flat=True)[:ROWS_AT_ONCE]
    )
    if not keys:
        return None
    tournaments = Tournament.objects.filter(pk__in=keys)
    rounds = Round.objects.filter(tournament__in=keys)
    if outage.is_backward:
        _bring_back(tournaments, rounds, outage)
        return keys[-1]
    longer, missed = outage.length, (outage.begins, outage.ends)
    rounds.filter(made_at__lt=outage.ends, deadline__gt=outage.begins).update(deadline=F("deadline") + longer)
    rounds.filter(made_at__lt=outage.ends, starts_at__range=missed).update(starts_at=F("starts_at") + longer)
    appointed = Pairing.objects.filter(round__tournament__in=keys, starts_at__range=missed)
    rows = appointed.select_related("first", "second", "round__tournament").prefetch_related("games")
    to_come = [row.pk for row in rows if awaited(row, row.games.all())]
    appointed.filter(pk__in=to_come).update(starts_at=F("starts_at") + longer, reminded_at=None)
    tournaments.filter(started_at__lt=outage.ends, ends_at__gt=outage.begins).update(
        ends_at=F("ends_at") + longer
    )
    entry = tournaments.filter(status=Status.ENTRY, starts_at__range=missed)
    entry.filter(due_at__isnull=False).update(due_at=F("due_at") + longer)
    entry.update(starts_at=F("starts_at") + longer)
    return keys[-1]


def _bring_back(tournaments: QuerySet[Tournament], rounds: QuerySet[Round], outage: Outage) -> None:
    """Undo what was reckoned from a clock that was ahead, and look at the tournaments again now."""
    for name in ("starts_at", "deadline"):
        rounds.filter(made_at__gt=outage.ends).update(**{name: F(name) + outage.length})
    tournaments.filter(started_at__gt=outage.ends).update(ends_at=F("ends_at") + outage.length)
    tournaments.filter(due_at__gt=outage.ends, status=Status.RUNNING).update(due_at=outage.ends)
