"""How much memory the bodies of requests may take: until a request is answered, its body is held."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from crownhead.server.core.processes.shared_counts import SharedCounts

MAX_PER_HOUSEHOLD = 8 << 20  # bytes
MAX_IN_ALL = 64 << 20

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
            too_many = self._held.of(household) + size > MAX_PER_HOUSEHOLD
            if too_many or self._held.in_all() + size > MAX_IN_ALL:
                raise MemoryFull("The club holds too many unfinished requests. Try again in a moment.")
            held += size
            self._held.add(household, size)

        try:
            yield count
        finally:
            self._held.add(household, -held)
