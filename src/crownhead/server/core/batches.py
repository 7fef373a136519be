"""Some of many at a time, so that no statement and no transaction is long."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def batched(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Slices of at most so many items, as ``itertools.batched`` of Python 3.12 gives tuples."""
    return (items[start : start + size] for start in range(0, len(items), size))
