"""Metrics that are looked up when somebody asks: queues, overdue games, outages; and who may ask."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_tasks_db.models import DBTaskResult
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from crownhead.server.core import clock
from crownhead.server.core.events import after
from crownhead.server.core.monitoring.metrics import CONTENT_TYPE, MOVES, exposition
from crownhead.server.core.processes import queues
from crownhead.server.notices.selectors import queues as notice_queues
from crownhead.server.play import events
from crownhead.server.play.games.selectors.deadlines import longest_overdue
from crownhead.server.play.outages import selectors as outages


class Queues(Collector):
    """How long work has been waiting, in seconds, and how much of it there is."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The gauges."""
        waiting = GaugeMetricFamily(
            "crownhead_tasks_waiting", "Tasks that no worker has taken: engine and others.", labels=["queue"]
        )
        age = GaugeMetricFamily(
            "crownhead_queue_age_seconds", "How long the first in a queue has been waiting.", labels=["queue"]
        )
        found = DBTaskResult.objects.ready().order_by().values("queue_name")
        rows: dict[str, tuple[int, datetime | None]] = {
            row["queue_name"]: (row["count"], row["oldest"])
            for row in found.annotate(count=Count("pk"), oldest=Min("enqueued_at"))
        }
        for name in queues.ALL:
            count, oldest = rows.get(name, (0, None))
            waiting.add_metric([name], count)
            age.add_metric([name], self._age(oldest))
        for channel, since in notice_queues.waiting_since(self._now).items():
            age.add_metric([channel], self._age(since))
        age.add_metric(["deadlines"], self._age(longest_overdue(now=self._now)))
        yield waiting
        yield age
        open_ones = GaugeMetricFamily("crownhead_outages_open", "Outages that are not made up for.")
        open_ones.add_metric([], len(outages.open_outages()))
        yield open_ones

    def _age(self, moment: datetime | None) -> float:
        return max(self._now - moment, timedelta(0)).total_seconds() if moment else 0.0


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics, for who has the token of `metrics_token`, or asks on the machine itself without one."""
    if not may_read(request):
        return HttpResponse("Not found.\n", status=404, content_type="text/plain")
    return HttpResponse(exposition((Queues(clock.now()),)), content_type=CONTENT_TYPE)


def may_read(request: HttpRequest) -> bool:
    """Whether the request may read the metrics; one through a proxy does not come from the machine itself."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return secrets.compare_digest(given.encode(), settings.METRICS_TOKEN.encode())
    if {"X-Forwarded-For", "Forwarded", "X-Real-IP"} & set(request.headers):
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


@after(events.MovePlayed)
def count_move(_event: events.MovePlayed) -> None:
    """Count a move."""
    MOVES.inc()
