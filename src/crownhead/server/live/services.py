"""Publishes events to open pages."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.http import HttpRequest

from crownhead.server.core import clock
from crownhead.server.core.jobs import sweep
from crownhead.server.core.queries import rows
from crownhead.server.live import access as grants
from crownhead.server.live import selectors, signs
from crownhead.server.live.bus import BUS, notify
from crownhead.server.live.models import Outbox
from crownhead.server.live.requests import token_in

_LOCK = 0x637265776E  # of PostgreSQL, held by the process that numbers events
_NUMBER = """
WITH unnumbered AS (
    SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS place FROM live_outbox WHERE position IS NULL
), base AS (
    SELECT MAX(place) AS place FROM (
        SELECT MAX(position) AS place FROM live_outbox UNION ALL SELECT MAX(id - place) FROM unnumbered
    ) AS least
)
UPDATE live_outbox SET position = base.place + unnumbered.place
FROM unnumbered, base WHERE live_outbox.id = unnumbered.id
"""


@dataclass(frozen=True, slots=True)
class Message:
    """What is told to the listeners of a topic.

    Topics are `game:<id>` (public) and `user:<id>` (that user's own); kinds are `game` and `me`.
    """

    topic: str
    kind: str
    payload: dict[str, Any]


Finder = Callable[[HttpRequest], int | None]
_finders: list[Finder] = []

_gathering: ContextVar[list[Message] | None] = ContextVar("gathering", default=None)


def publish(*, topic: str, kind: str, payload: dict[str, Any]) -> None:
    """Store an event in the transaction of the caller and wake the listeners once it has committed."""
    publish_all([Message(topic, kind, payload)])


def publish_unheard() -> None:
    """Store an event for nobody, as where none would tell something: positions count all events of a club."""
    publish(topic="nobody", kind="me", payload={})


def publish_all(messages: Iterable[Message]) -> None:
    """Store several at once, as `publish` does."""
    gathering = _gathering.get()
    if gathering is not None:
        gathering.extend(messages)
        return
    now = clock.now()
    rows.insert_all(
        Outbox,
        ("topic", "kind", "payload", "created_at"),
        [(message.topic, message.kind, message.payload, now) for message in messages],
    )
    notify()
    transaction.on_commit(BUS.wake, robust=True)


def number_committed() -> None:
    """Give the events that have committed their positions, after those given already, in the order of ids.

    Positions are given by one process at a time and only to what everybody can see, so none appears below
    another that was seen before: what a long transaction wrote gets its own at its end. Call it outside a
    transaction.
    """
    if not Outbox.objects.filter(position=None).exists():
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # One request, so one transaction; its second statement sees all that committed before the lock.
            cursor.execute(f"SELECT pg_advisory_xact_lock({_LOCK}); {_NUMBER}")
        else:
            cursor.execute(_NUMBER)


@contextmanager
def published_together() -> Iterator[None]:
    """Store what is published within by one statement at the end, which belongs inside the transaction."""
    if _gathering.get() is not None:
        yield
        return
    gathering: list[Message] = []
    token = _gathering.set(gathering)
    try:
        yield
    finally:
        _gathering.reset(token)
    if gathering:
        publish_all(gathering)


def end_streams(*, user_id: int, ended: Iterable[str] | None = None, kept: Iterable[str] = ()) -> None:
    """End the streams that were opened with these credentials of a user, in every process, after the commit.

    Without ``ended``: all of the user's streams except those of the credentials that are kept.
    """
    payload = grants.ending(ended=ended, kept=kept)
    publish(topic=grants.topic_of(user_id), kind=grants.ENDED, payload=payload)


def prune(*, before: datetime) -> int:
    """Delete the events older than `before`, except the latest; the number of rows."""
    newest = Outbox.objects.order_by("-id").values("id")[:1]
    old = Outbox.objects.filter(created_at__lt=before).exclude(id__in=newest)
    if selectors.has_many_writers():
        number_committed()
        old = old.filter(position__lt=selectors.position())
    return sweep(old)


def finds_users(find: Finder) -> Finder:
    """Register the function by which an app above knows whose a request is; `note_request` asks it."""
    _finders[:] = [find]
    return find


def note_request(request: HttpRequest) -> None:
    """Note who has made a request, after it: they are here, and known by the session or token they showed."""
    user_id = _finders[0](request) if _finders else None
    if user_id is None:
        return
    token = token_in(request.headers.get("Authorization", "")) if getattr(request, "auth", None) else None
    session = request.session.session_key  # which is a new one where somebody has just signed in
    if name := signs.name_of(token=token, session=session):
        signs.note_holder(name, user_id)
    signs.note_heard(user_id)
