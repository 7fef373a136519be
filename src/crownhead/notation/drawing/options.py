"""Validating the options of an image."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, TypeVar

from crownhead._kernel import Move
from crownhead.notation.drawing.themes import THEMES, Theme
from crownhead.notation.numberings import Numbering, names, numbers
from crownhead.rules.errors import CrownheadError
from crownhead.rules.schema import Variant

MAX_ARROWS = 200
LARGEST = 10_000  # pixels

_Choice = TypeVar("_Choice", bound=StrEnum)


class Numbers(StrEnum):
    """Where square numbers are written."""

    NONE = "none"
    INSIDE = "inside"  # in the corner of each square
    OUTSIDE = "outside"  # around the board: the ends of each rank, or files and ranks


class Mark(StrEnum):
    """The shape that marks a square."""

    RING = "ring"
    FRAME = "frame"
    CROSS = "cross"
    DOT = "dot"


@dataclass(frozen=True, slots=True)
class Options:
    """The validated options of ``draw``, with square numbers of the variant."""

    flip: bool
    numbers: Numbers
    names: Mapping[int, str]
    numbering: Numbering
    last_move: Move | None
    marks: Mapping[int, Mark]
    arrows: tuple[tuple[int, int], ...]
    theme: Theme
    size: int | None


def options(
    variant: Variant,
    *,
    flip: Any,
    numbers: Any,
    numbering: Any,
    last_move: Any,
    marks: Any,
    arrows: Any,
    theme: Any,
    size: Any,
) -> Options:
    """Validate the options; raises ``CrownheadError``."""
    counted = _choice("numbering", numbering, Numbering)
    return Options(
        flip=_flip(flip),
        numbers=_choice("numbers", numbers, Numbers),
        names=names(variant, counted),
        numbering=counted,
        last_move=_last_move(last_move, variant),
        marks=_marks(marks, variant, counted),
        arrows=_arrows(arrows, variant, counted),
        theme=_theme(theme),
        size=_size(size),
    )


def _choice(name: str, value: Any, choices: type[_Choice]) -> _Choice:
    if isinstance(value, str) and value in list(choices):
        return choices(value)
    raise _refused(name, " or ".join(f"'{choice}'" for choice in choices), value)


def _flip(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise _refused("flip", "True or False", value)


def _last_move(value: Any, variant: Variant) -> Move | None:
    if value is None:
        return None
    if not isinstance(value, Move):
        raise _refused("last_move", "a Move", value)
    for number in (*value.path, *value.captures):
        _square("last_move", number, variant, Numbering.NATIVE)
    return value


def _marks(value: Any, variant: Variant, numbering: Numbering) -> Mapping[int, Mark]:
    if isinstance(value, str) or not isinstance(value, Collection):
        raise _refused("marks", "squares, or a mapping of squares to marks", value)
    chosen = value.items() if isinstance(value, Mapping) else ((square, Mark.RING) for square in value)
    return {
        _square("marks", square, variant, numbering): _choice("marks", mark, Mark) for square, mark in chosen
    }


def _arrows(value: Any, variant: Variant, numbering: Numbering) -> tuple[tuple[int, int], ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise _refused("arrows", "pairs of squares", value)
    chosen = list(islice(value, MAX_ARROWS + 1))
    if len(chosen) > MAX_ARROWS:
        raise _refused("arrows", f"at most {MAX_ARROWS} pairs of squares", f"{len(chosen)} or more")
    return tuple(_arrow(pair, variant, numbering) for pair in chosen)


def _arrow(pair: Any, variant: Variant, numbering: Numbering) -> tuple[int, int]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise _refused("arrows", "pairs of squares", pair)
    start, end = (_square("arrows", square, variant, numbering) for square in pair)
    if start == end:
        raise _refused("arrows", "pairs of two different squares", pair)
    return start, end


def _theme(value: Any) -> Theme:
    if isinstance(value, Theme):
        return value
    if isinstance(value, str) and value in THEMES:
        return THEMES[value]
    raise _refused("theme", f"a Theme or one of {', '.join(THEMES)}", value)


def _size(value: Any) -> int | None:
    if value is None or (type(value) is int and 1 <= value <= LARGEST):
        return value
    raise _refused("size", f"a width from 1 to {LARGEST} pixels", value)


def _square(option: str, square: Any, variant: Variant, numbering: Numbering) -> int:
    known = names(variant)
    if type(square) is int and square in known:
        return square
    meant = numbers(variant, numbering).get(square.lower()) if isinstance(square, str) else None
    if meant is None:
        called = names(variant, numbering)
        example = f"from 1 to {len(known)}, or named as {called[1]!r} is"
        raise _refused(option, f"squares {example}", square)
    return meant


def _refused(option: str, expected: str, value: Any) -> CrownheadError:
    return CrownheadError(f"expected {expected} as {option}, got {repr(value)[:80]}")
