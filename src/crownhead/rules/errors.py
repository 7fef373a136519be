"""The error tree of the library: one root, raised low, with the facts as attributes."""

from __future__ import annotations

from functools import partial
from typing import Any


class CrownheadError(ValueError):
    """The root of everything the library raises about its input.

    Errors travel between processes: those with facts of their own say how to make them again.
    """


class UnknownVariant(CrownheadError):
    """No row of the variant table has this key."""

    def __init__(self, key: object, known: tuple[str, ...]) -> None:
        """``key``: what came; ``known``: the keys there are."""
        super().__init__(f"expected one of the variants {', '.join(known)}, got {_short(key)}")
        self.key = key
        self.known = known

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.key, self.known)


class NotationError(CrownheadError):
    """A text is not in the notation that was expected."""

    def __init__(self, expected: str, text: object, *, column: int | None = None) -> None:
        """``expected``: in words; ``text``: what came; ``column``: where in it, from 1."""
        where = f" at column {column}" if column is not None else ""
        super().__init__(f"expected {expected}, got {_short(text)}{where}")
        self.expected = expected
        self.text = text
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.expected, self.text, column=self.column), ()


class IllegalMove(CrownheadError):
    """A move is well written but not legal in the position, or the game is over."""

    def __init__(self, move: object, fen: str, reason: str = "") -> None:
        """``move``: what came; ``fen``: the position; ``reason``: why not, where it can be told."""
        why = f": {reason}" if reason else ""
        super().__init__(f"expected a legal move, got {_short(move)} in {fen}{why}")
        self.move = move
        self.fen = fen
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.move, self.fen, self.reason)


class AmbiguousMove(CrownheadError):
    """A move text fits several legal moves."""

    def __init__(self, text: str, fen: str, candidates: tuple[str, ...]) -> None:
        """``candidates``: the legal moves it fits, written in full."""
        super().__init__(f"expected one move, got {_short(text)} for {', '.join(candidates)} in {fen}")
        self.text = text
        self.fen = fen
        self.candidates = candidates

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.fen, self.candidates)


class IllegalPosition(CrownheadError):
    """An arrangement of pieces cannot be a position of the variant."""


class TooManyCaptures(CrownheadError):
    """A crafted position has more ways to capture than the budget of one search allows."""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:100]}… ({len(text)} characters)"
