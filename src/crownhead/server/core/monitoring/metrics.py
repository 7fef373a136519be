"""The metrics of a process, as Prometheus reads them.

With several processes of one site `PROMETHEUS_MULTIPROC_DIR` names a folder that they share; any of them then
answers for all.
"""

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import REGISTRY
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

SHARED = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

REQUESTS = Counter("crownhead_requests", "Requests answered.", ["method", "route", "status"])
SECONDS = Histogram(
    "crownhead_request_seconds",
    "How long a request took on its thread.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
QUERIES = Counter("crownhead_queries", "Queries of the database, by the route that made them.", ["route"])
MOVES = Counter("crownhead_moves", "Moves played.")
STREAMS = Gauge("crownhead_streams", "Event streams that are open.", multiprocess_mode="livesum")
ENGINE_SECONDS = Counter("crownhead_engine_seconds", "How long the engine has thought.", ["kind"])
ENGINE_SEARCHES = Counter("crownhead_engine_searches", "Searches of the engine.", ["kind"])
ENGINE_FAILURES = Counter("crownhead_engine_failures", "Tasks of the engine that failed.", ["kind"])
ERRORS = Counter("crownhead_logged_errors", "Errors that were logged.", ["logger"])
SECURITY_EVENTS = Counter("crownhead_security_events", "Events of the security log.", ["event"])


def forget(process: int) -> None:
    """Leave out what a process that has ended had open."""
    mark_process_dead(process)  # type: ignore[no-untyped-call]


def exposition(collectors: tuple[Collector, ...] = ()) -> bytes:
    """All metrics in the text format, those of collectors that look when they are asked as well."""
    registry = CollectorRegistry()
    if os.environ.get(SHARED):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    for collector in collectors:
        registry.register(collector)
    return generate_latest(registry)
