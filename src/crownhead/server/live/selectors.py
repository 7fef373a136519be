"""Reads the outbox."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Min, Q

from crownhead.server.live.models import Outbox


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the outbox."""

    id: int
    topic: str
    kind: str
    payload: dict[str, Any]


def position() -> int:
    """The id of the latest event; 0 if there is none."""
    return Outbox.objects.order_by("-id").values_list("id", flat=True).first() or 0


def oldest() -> int:
    """The id of the oldest stored event; 0 if there is none."""
    return Outbox.objects.aggregate(first=Min("id"))["first"] or 0


def events_after(
    after: int,
    *,
    late: Collection[int] = (),
    upto: int | None = None,
    topics: Collection[str] | None = None,
    limit: int = 1000,
) -> list[Event]:
    """The events after a position, in order: all, or those of some topics.

    `late` are ids of earlier events to include as well: their writers had not committed before.
    """
    condition = Q(id__gt=after) | Q(id__in=late) if late else Q(id__gt=after)
    rows = Outbox.objects.filter(condition).order_by("id")
    if upto is not None:
        rows = rows.filter(id__lte=upto)
    if topics is not None:
        rows = rows.filter(topic__in=topics)
    return [Event(*row) for row in rows.values_list("id", "topic", "kind", "payload")[:limit]]
