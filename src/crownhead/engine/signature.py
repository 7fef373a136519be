"""The signature of the search: the nodes of a fixed search of a set of positions, the same on every machine.

A change to the search without functional change leaves it as it is.
"""

from __future__ import annotations

from crownhead.engine.engine import Engine
from crownhead.rules.position import Position
from crownhead.rules.variants import STOCK

DEPTH = 9
POSITIONS = tuple(Position.start(variant) for variant in STOCK)


def signature(depth: int = DEPTH) -> int:
    """The nodes of all positions together, with one thread and the material evaluation."""
    return sum(
        Engine(position.variant, megabytes=4, weights=b"", tables=False).analyse(position, depth=depth).nodes
        for position in POSITIONS
    )
