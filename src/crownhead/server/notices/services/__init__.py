"""The verbs of notices, for the doors and for those above."""

from __future__ import annotations

from crownhead.server.notices.services.devices import forget_device, forget_endpoint, note_device
from crownhead.server.notices.services.notify import notify, read_about, withdraw
from crownhead.server.notices.services.preferences import choose, stop, try_address_again
from crownhead.server.notices.services.reading import mark_all_read, mark_read, mark_seen, prune

__all__ = [
    "choose",
    "forget_device",
    "forget_endpoint",
    "mark_all_read",
    "mark_read",
    "mark_seen",
    "note_device",
    "notify",
    "prune",
    "read_about",
    "stop",
    "try_address_again",
    "withdraw",
]
