"""Positions that random games reach, for tests of what is written and read back."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from crownhead import VARIANTS, Position

KEYS = sorted(VARIANTS)


def walks(plies: int = 80) -> st.SearchStrategy[tuple[str, list[int]]]:
    """A variant and choices that lead through a game of it."""
    return st.tuples(st.sampled_from(KEYS), st.lists(st.integers(0, 1000), max_size=plies))


def reached(walk: tuple[str, list[int]]) -> Iterator[Position]:
    """Every position of the game that the choices lead through."""
    variant, choices = walk
    position = Position.start(variant)
    yield position
    for choice in choices:
        moves = position.legal_moves()
        if not moves:
            return
        position = position.play(moves[choice % len(moves)])
        yield position
