"""How much memory the bodies of requests may take: until a request is answered, its body is held."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crownhead.server.core.processes.shared_counts import SharedCounts

MAX_PER_HOUSEHOLD = 8 << 20  # bytes
MAX_IN_ALL = 64 << 20
SMALL, KEPT_FREE = 64 << 10, 64 << 20
"""What a household may hold though others have filled the room of all, and how much room there is for it."""

Count = Callable[[int], None]
"""Called with the number of bytes that have come; raises `MemoryFull`."""


class MemoryFull(Exception):
    """No more bytes are taken at present; the message is meant for the client."""


class BodyMemory:
    """The bytes that all processes hold, of each household and in all; used on the event loop alone."""

    def __init__(self) -> None:
        self._held = SharedCounts()

    @contextmanager
    def held_for(self, household: str) -> Iterator[Count]:
        """Count the bytes of one body, and forget them at the end."""
        held = 0

        def count(size: int) -> None:
            nonlocal held
            own, in_all = self._held.of(household) + size, self._held.in_all() + size
            most = MAX_IN_ALL + (KEPT_FREE if own <= SMALL else 0)
            if own > MAX_PER_HOUSEHOLD or in_all > most:
                raise MemoryFull("The club holds too many unfinished requests. Try again in a moment.")
            held += size
            self._held.add(household, size)

        try:
            yield count
        finally:
            self._held.add(household, -held)
