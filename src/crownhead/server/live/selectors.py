"""Reads the outbox, in the order in which its events have committed, and counts who follows it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.http import HttpRequest

from crownhead.server.core import clock
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.live import signs
from crownhead.server.live.audience import AUDIENCE
from crownhead.server.live.models import Outbox

_LATELY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the outbox; ``id`` is its position in the stream."""

    id: int
    topic: str
    kind: str
    payload: dict[str, Any]
    created_at: datetime


def has_many_writers() -> bool:
    """Whether a row may commit after one with a higher id."""
    return bool(connection.vendor != "sqlite")


def position() -> int:
    """The position of the latest event; 0 if there is none.

    What is read afterwards includes all events up to here, and every other one is yet to be told.
    """
    latest = _LATEST.first()
    return latest[0] if latest else 0


def mark_position(request: HttpRequest) -> None:
    """Note where the stream is: the page that answers the request continues from there."""
    request.live_from = position()  # type: ignore[attr-defined] # for templates


def watchers(game_id: str, *, players: Collection[int]) -> int:
    """How many people other than its players follow a game."""
    return AUDIENCE.count(f"game:{game_id}", excluding={f"user {user_id}" for user_id in players})


def last_heard(user_id: int) -> datetime | None:
    """When a user who follows no stream last asked this machine for something, if that was lately."""
    return signs.last_heard(user_id)


def is_here(user_id: int) -> bool:
    """Whether somebody follows a stream of this machine, or has asked it for something a moment ago."""
    heard = last_heard(user_id)
    return bool(AUDIENCE.count(f"user:{user_id}")) or (heard is not None and clock.now() - heard <= _LATELY)


def listening_since() -> datetime | None:
    """Since when this process has heard who comes back, by streams; None for one without."""
    return signs.listening_since()


def oldest() -> int:
    """The position of the oldest stored event; 0 if there is none."""
    order = _order()
    rows = Outbox.objects.filter(**{f"{order}__isnull": False}).order_by(order)
    return rows.values_list(order, flat=True).first() or 0


def events_after(
    after: int, *, upto: int | None = None, topics: Collection[str] | None = None, limit: int = 1000
) -> list[Event]:
    """The events after a position, in order: all, or those of some topics."""
    order = _order()
    rows = Outbox.objects.filter(**{f"{order}__gt": after}).order_by(order)
    if upto is not None:
        rows = rows.filter(**{f"{order}__lte": upto})
    if topics is not None:
        rows = rows.filter(topic__in=topics)
    return [Event(*row) for row in rows.values_list(order, "topic", "kind", "payload", "created_at")[:limit]]


def _order() -> str:
    """The column that holds the position."""
    return "position" if has_many_writers() else "id"


def _latest() -> QuerySet[Outbox, tuple[int]]:
    order = _order()
    return Outbox.objects.filter(**{f"{order}__isnull": False}).order_by(f"-{order}").values_list(order)[:1]


_LATEST: Prepared[tuple[int]] = Prepared(_latest)
