"""The start array as the kernel plays it by its code for any rules, whether it has faster code or not."""

from __future__ import annotations

from crownhead import VARIANTS, Position
from crownhead.rules.kernel import kernel_variant


def is_compiled(key: str) -> bool:
    """Whether the kernel has code for the rules of a variant alone."""
    return kernel_variant(VARIANTS[key]).compiled


def generic_start(key: str) -> Position:
    """The start array of a variant, by the code for any rules."""
    start = Position.start(key)
    return Position(
        kernel_variant(VARIANTS[key], specialised=False),
        start.black_to_move,
        start.black_men,
        start.black_kings,
        start.white_men,
        start.white_kings,
        start.black_marked,
        start.white_marked,
    )
