"""The exceptions of the library, with the facts as attributes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from crownhead.rules.aliases import ALIASES, normalised

if TYPE_CHECKING:
    from crownhead.rules.schema import Priority, Variant


class CrownheadError(ValueError):
    """The base class of all exceptions that the library raises about its input.

    Exceptions can be pickled.
    """


class UnknownVariant(CrownheadError):
    """There is no variant with this key; ``suggestion`` is the key that resembles it most, or empty."""

    def __init__(self, key: object, known: tuple[str, ...]) -> None:
        """``key``: the unknown key; ``known``: the existing keys."""
        self.suggestion = _closest(key, known)
        hint = f"; did you mean {self.suggestion!r}?" if self.suggestion else ""
        super().__init__(f"expected one of the variants {', '.join(known)}, got {_short(key)}{hint}")
        self.key = key
        self.known = known

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.key, self.known)


class BadVariant(CrownheadError):
    """The columns of a variant do not make a game that can be played."""


class NotationError(CrownheadError):
    """A text is not in the expected notation."""

    def __init__(self, expected: str, text: object, *, column: int | None = None) -> None:
        """``expected``: in words; ``text``: the actual text; ``column``: where the problem is, from 1."""
        where = f" at column {column}" if column is not None else ""
        super().__init__(f"expected {expected}, got {_short(text)}{where}")
        self.expected = expected
        self.text = text
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), self.expected, self.text, column=self.column), ()


class IllegalMove(CrownheadError):
    """A move is not legal in the position, or the game is over."""

    def __init__(
        self,
        move: object,
        fen: str,
        reason: str = "",
        *,
        kind: str = "",
        squares: tuple[str, ...] = (),
        priority: Priority | None = None,
    ) -> None:
        """``move``: the rejected move; ``fen``: the position; ``reason``: why it is illegal, if known.

        ``kind``, ``squares``, ``priority``: the same reason for programs, as ``crownhead.notation.explain``
        lists them.
        """
        why = f": {reason}" if reason else ""
        super().__init__(f"expected a legal move, got {_short(move)} in {fen}{why}")
        self.move = move
        self.fen = fen
        self.reason = reason
        self.kind = kind
        self.squares = squares
        self.priority = priority

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(type(self), self.move, self.fen, self.reason)
        return partial(make, kind=self.kind, squares=self.squares, priority=self.priority), ()


class AmbiguousMove(CrownheadError):
    """A move text matches several legal moves."""

    def __init__(self, text: str, fen: str, candidates: tuple[str, ...]) -> None:
        """``candidates``: the matching legal moves, written in full."""
        super().__init__(f"expected one move, got {_short(text)} for {', '.join(candidates)} in {fen}")
        self.text = text
        self.fen = fen
        self.candidates = candidates

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.text, self.fen, self.candidates)


class IllegalPosition(CrownheadError):
    """An arrangement of pieces cannot be a position of the variant."""

    def __init__(self, text: str, *, variant: Variant | None = None, fault: str = "") -> None:
        """``text``: the message; ``variant``: the row, if it is known; ``fault``: the part that says why."""
        super().__init__(text)
        self.variant = variant
        self.fault = fault


class TooManyCaptures(CrownheadError):
    """A position has more capture sequences than the search budget allows; only crafted positions do."""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 120 else f"{text[:100]}… ({len(text)} characters)"


def _closest(key: object, known: tuple[str, ...]) -> str:
    """Return the known key that resembles a text most, by itself or by an alias; empty if none does."""
    from difflib import get_close_matches

    if not isinstance(key, str) or len(key) > 40:
        return ""
    aliases = {name: key for name, key in ALIASES.items() if key in known}
    found = get_close_matches(normalised(key), [*known, *aliases], n=1, cutoff=0.7)
    return aliases.get(found[0], found[0]) if found else ""
