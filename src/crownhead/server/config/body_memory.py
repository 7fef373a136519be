"""How much memory the bodies of requests may take: until a request is answered, its body is held."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

MOST_PER_HOUSEHOLD = 8 << 20  # bytes
MOST_IN_ALL = 64 << 20

Count = Callable[[int], None]
"""Called with the number of bytes that have come; raises `MemoryFull`."""


class MemoryFull(Exception):
    """No more bytes are taken at present; the message is meant for the client."""


class BodyMemory:
    """The bytes that are held, of each household and in all; used on the event loop alone."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()
        self._in_all = 0

    @contextmanager
    def held_for(self, household: str) -> Iterator[Count]:
        """Count the bytes of one body, and forget them at the end."""
        held = 0

        def count(size: int) -> None:
            nonlocal held
            if self._held[household] + size > MOST_PER_HOUSEHOLD or self._in_all + size > MOST_IN_ALL:
                raise MemoryFull("The club holds too many unfinished requests. Try again in a moment.")
            held += size
            self._held[household] += size
            self._in_all += size

        try:
            yield count
        finally:
            self._held[household] -= held
            self._in_all -= held
            if not self._held[household]:
                del self._held[household]
