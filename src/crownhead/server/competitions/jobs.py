"""Repeated work for tournaments; each job may run in several workers at once."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.services import (
    appointments,
    checking,
    directors,
    entries,
    finish,
    leaving,
    no_shows,
    outages,
    precompute,
    rounds,
    starting,
    telling,
)
from crownhead.server.core.background.checks import check
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.background.outages import Outage, compensation
from crownhead.server.core.background.throttling import while_there_is_time
from crownhead.server.core.jobs import repeat

MAX_AT_ONCE = 100
AT_MOST = 2.0  # seconds; then other jobs have their turn
_RETRY = timedelta(minutes=1)  # until one that failed is tried again


@repeat("tournaments", timedelta(seconds=1))
def advance_due(now: datetime) -> int:
    """Advance the tournaments that are due; returns how many."""
    precompute.stop_unwanted(now)
    due = Tournament.objects.filter(due_at__lte=now).order_by("due_at", "pk").values_list("pk", flat=True)

    def postpone(pk: int) -> None:
        Tournament.objects.filter(pk=pk, due_at__lte=now).update(due_at=now + _RETRY)

    return one_by_one(
        while_there_is_time(list(due[:MAX_AT_ONCE]), AT_MOST),
        lambda pk: rounds.advance_if_free(pk=pk, now=now),
        failing="tournament %s is due but cannot go on",
        failed=postpone,
    )


@repeat("full tournaments that wait for players", timedelta(seconds=5))
def begin_attended(now: datetime) -> int:
    """Begin live tournaments that are full once all their players are here."""
    return starting.begin_attended(now)


@repeat("no-shows of tournaments", timedelta(seconds=10))
def forfeit_no_shows(now: datetime) -> int:
    """Forfeit the live games of no-shows."""
    return no_shows.forfeit(now=now)


@repeat("appointments of tournaments", timedelta(seconds=30))
def remind(now: datetime) -> int:
    """Remind players of appointments that are near."""
    return appointments.remind(now=now)


@repeat("games of players who have left tournaments", timedelta(minutes=10), lasts=True)
def end_games_of_who_left(now: datetime) -> None:
    """End what a worker has left of them, before anybody loses on time."""
    leaving.end_forgotten(now)


@repeat("tournaments of closed accounts", timedelta(minutes=10), lasts=True)
def forget_closed_accounts(now: datetime) -> None:
    """Withdraw them from what a worker has left."""
    entries.forget_closed_accounts(now=now)


@repeat("tournaments of hosts who closed their accounts", timedelta(minutes=10), lasts=True)
def see_to_gone_hosts(now: datetime) -> int:
    """Hand over what other directors direct, and cancel what nobody can start."""
    return directors.see_to_gone_hosts(now)


@repeat("ends of tournaments", timedelta(minutes=10), lasts=True)
def tell_of_ends(now: datetime) -> int:
    """Come back to players who have not heard that it is over."""
    return telling.come_back(now)


@repeat("tables of tournaments that are over", timedelta(minutes=5), lasts=True)
def store_tables(_now: datetime) -> int:
    """Store the tables that a tournament lacks, or has of another version."""
    return finish.store_missing_tables()


@compensation("tournaments")
def extend_after_outage(outage: Outage, after: int) -> int | None:
    """Move what was due while nobody could play."""
    return outages.extend(outage, after)


check("tournaments")(checking.findings)
