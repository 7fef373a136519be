"""Publishes events to open pages."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from crownhead.server.core import clock
from crownhead.server.live import grants
from crownhead.server.live.bus import BUS
from crownhead.server.live.listening import notify
from crownhead.server.live.models import Outbox


def publish(*, topic: str, kind: str, payload: dict[str, Any]) -> None:
    """Store an event in the transaction of the caller and wake the listeners once it has committed.

    Topics are `game:<id>` (public) and `user:<id>` (that user's own); kinds are `game` and `me`.
    """
    Outbox.objects.create(topic=topic, kind=kind, payload=payload, created_at=clock.now())
    notify()
    transaction.on_commit(BUS.wake, robust=True)


def end_streams(*, user_id: int, ended: Iterable[str] | None = None, kept: Iterable[str] = ()) -> None:
    """End the streams that were opened with these credentials of a user, in every process, after the commit.

    Without ``ended``: all of the user's streams except those of the credentials that are kept.
    """
    payload = grants.ending(ended=ended, kept=kept)
    publish(topic=grants.topic_of(user_id), kind=grants.ENDED, payload=payload)


def prune(*, before: datetime) -> int:
    """Delete the events older than `before`, except the latest; the number of rows."""
    newest = Outbox.objects.order_by("-id").values("id")[:1]
    rows, _ = Outbox.objects.filter(created_at__lt=before).exclude(id__in=newest).delete()
    return rows
