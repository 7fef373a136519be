"""How the stream writes what it says: server-sent events."""

from __future__ import annotations

import json
import random
from datetime import datetime

from crownhead.server.live.selectors import Event

HEARTBEAT = b": still here\n\n"
_AGING = {"move", "began"}
RETRY = 2.0  # seconds a browser waits at least before it connects again
_CROWD = 10  # readers from which on they do not ask for more at once
_APART = 30  # milliseconds between two of them
_AGAIN_A_SECOND = 100  # connections that a process is to take again in a second, when all were cut at once
_LATEST = 40.0  # seconds: sooner than the opponent of who does not come back may claim a live game


def encode_event(event: Event, *, readers: int = 1, now: datetime | None = None) -> bytes:
    """An event of the outbox.

    A crowd is told over how many milliseconds to ask for more, ``spread``; one who was away until ``now`` and
    missed a move, or the beginning of a game, how many milliseconds ago that was: ``age``.
    """
    payload = event.payload
    if readers > _CROWD:
        payload = payload | {"spread": readers * _APART}
    if now is not None and not _AGING.isdisjoint(payload):
        payload = payload | {"age": max(0, round((now - event.created_at).total_seconds() * 1000))}
    data = json.dumps(payload, separators=(",", ":"))
    return f"id: {event.id}\nevent: {event.kind}\ndata: {data}\n\n".encode()


def encode_position(position: int) -> bytes:
    """Where the reader has come; without data: the browser remembers the id and fires no event."""
    return f"id: {position}\n\n".encode()


def encode_reload() -> bytes:
    """More was missed than is told."""
    return b"event: reload\ndata: {}\n"


def encode_retry(streams: int) -> bytes:
    """How long to wait before connecting again: at random, the longer the more streams there are."""
    latest = min(RETRY * 3 + streams / _AGAIN_A_SECOND, _LATEST)
    return f"retry: {round(1000 * random.uniform(RETRY, latest))}\n\n".encode()
