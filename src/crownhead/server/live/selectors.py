"""Questions about the outbox."""

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
    """The place in the stream where the next event will come after; 0 before the first."""
    return Outbox.objects.order_by("-id").values_list("id", flat=True).first() or 0


def oldest() -> int:
    """The first event that is still kept; 0 when there is none."""
    return Outbox.objects.aggregate(first=Min("id"))["first"] or 0


def events_after(
    place: int,
    *,
    late: Collection[int] = (),
    upto: int | None = None,
    topics: Collection[str] | None = None,
    limit: int = 1000,
) -> list[Event]:
    """What happened after a place in the stream, in order: everything, or on some topics.

    `late` are the ids of earlier events to look for as well: their writers had not committed.
    """
    wanted = Q(id__gt=place) | Q(id__in=late) if late else Q(id__gt=place)
    rows = Outbox.objects.filter(wanted).order_by("id")
    if upto is not None:
        rows = rows.filter(id__lte=upto)
    if topics is not None:
        rows = rows.filter(topic__in=topics)
    return [Event(*row) for row in rows.values_list("id", "topic", "kind", "payload")[:limit]]
