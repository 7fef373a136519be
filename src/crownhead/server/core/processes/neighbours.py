"""Short messages between the processes that serve one club on one machine.

They say that there is something new, or that somebody has done something that is counted; one that reads
them late or never is slower or more generous, not wrong. What must not be lost is in the database, or is sent
again by who reads from `broadcast` that somebody had no room for it.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

log = logging.getLogger(__name__)

ENDED = "process ended"  # with its place, by the parent
VARIABLE = "CROWNHEAD_NEIGHBOURS"  # the descriptors of the inboxes, for a process that only sends
_LONGEST = 16_384  # bytes of a message

Handler = Callable[..., None]
_handlers: dict[str, list[Handler]] = {}


def subscribe(kind: str) -> Callable[[Handler], Handler]:
    """Register a function that gets the facts of each message of a kind as keywords, in another thread."""

    def register(handler: Handler) -> Handler:
        _handlers.setdefault(kind, []).append(handler)
        return handler

    return register


def unsubscribe(kind: str, handler: Handler) -> None:
    """Remove a handler."""
    _handlers[kind].remove(handler)


class Neighbours:
    """The inboxes of the processes; made before they are forked, so that each has all of them."""

    def __init__(self, processes: int) -> None:
        # Packets: several writers, none of which ever splits another's message.
        self._inboxes = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(processes)]

    def settle(self, place: int) -> None:
        """Be the process at this place (from 0): read its inbox in a thread, and broadcast to the others."""
        global _others, _place
        _place = place
        inbox, _ = self._inboxes[place]
        _others = [out for number, (_, out) in enumerate(self._inboxes) if number != place]
        threading.Thread(target=_read, args=(inbox,), name="neighbours", daemon=True).start()

    def announce_end(self, place: int) -> None:
        """Tell the others that the process at a place has ended; called by the parent, which has no place."""
        others = [out for number, (_, out) in enumerate(self._inboxes) if number != place]
        _send(ENDED, {"place": place}, others)

    def for_child(self) -> tuple[Mapping[str, str], tuple[int, ...]]:
        """The environment and the descriptors by which a child that is no fork can send to all processes."""
        numbers = tuple(out.fileno() for _, out in self._inboxes)
        return {VARIABLE: ",".join(map(str, numbers))}, numbers


_others: list[socket.socket] = []
_place = 0


def own_place() -> int:
    """The place of this process among its neighbours."""
    return _place


def broadcast(kind: str, /, **facts: Any) -> bool:
    """Send a message to the other processes, if any; whether none was too busy to get it."""
    return not _others or _send(kind, facts, _others)


def _send(kind: str, facts: Mapping[str, Any], inboxes: Iterable[socket.socket]) -> bool:
    message = json.dumps([kind, facts]).encode()
    if len(message) > _LONGEST:
        raise ValueError(f"expected at most {_LONGEST} bytes, got {len(message)} of {kind}")
    is_sent = True
    for out in inboxes:
        # A full inbox has enough to wake up for; what one counts too little, another has counted.
        try:
            out.send(message, socket.MSG_DONTWAIT)
        except BlockingIOError:
            is_sent = False
        except OSError:
            continue  # it is gone
    return is_sent


def connect_to_parents() -> None:
    """Send to the processes whose inboxes the environment names; called once, at the start of a child."""
    numbers = os.environ.pop(VARIABLE, "")
    _others.extend(socket.socket(fileno=int(number)) for number in numbers.split(",") if number)


def _read(inbox: socket.socket) -> None:
    """Receive messages until the process ends, which closes the inbox."""
    while True:
        try:
            message = inbox.recv(_LONGEST)
        except OSError:
            return
        if not message:
            return
        take_in(*json.loads(message))


def take_in(kind: str, facts: Mapping[str, Any]) -> None:
    """Call the functions that are registered for a message."""
    for handler in tuple(_handlers.get(kind, ())):
        try:
            handler(**facts)
        except Exception:
            log.exception("could not take in a message: %s", kind)
