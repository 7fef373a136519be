"""Whether values fit the columns of the table, in words: what a column takes, and what came instead."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

LONGEST_SHOWN = 60  # characters of a value


def misfits(hint: Any, value: Any, path: str) -> Iterator[str]:
    """Yield a sentence for each part of a value that does not have the type of its column.

    ``path`` names the value, such as ``rules.man_steps``.
    """
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    if not any(_is_of(kind, value) for kind in kinds):
        yield f"expected {taken_by(hint)} as {path}, got {shown(value)}"
    elif isinstance(value, (frozenset, tuple)):
        inner = get_args(next(kind for kind in kinds if get_origin(kind) is type(value)))[0]
        for one in value:
            yield from misfits(inner, one, path)
    elif is_dataclass(value):
        yield from misfits_in(value, path)


def misfits_in(row: Any, path: str = "") -> Iterator[str]:
    """Yield the misfits in the columns of a row or of one of its parts."""
    for column, hint in columns_of(type(row)).items():
        yield from misfits(hint, getattr(row, column), f"{path}.{column}" if path else column)


def columns_of(table: Any) -> dict[str, Any]:
    """Return the types of the columns of a part of the table, by name."""
    return _columns_of(table)


@cache
def _columns_of(table: Any) -> dict[str, Any]:
    hints = get_type_hints(table)
    return {field.name: hints[field.name] for field in fields(table)}


def taken_by(hint: Any) -> str:
    """Return in words what a column takes."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    return " or ".join(map(_in_words, kinds))


def shown(value: Any) -> str:
    """Return a value as it stands in a message."""
    text = repr(value.value) if isinstance(value, Enum) else repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _in_words(kind: Any) -> str:
    plain = {bool: "true or false", int: "a whole number", str: "a text", NoneType: "nothing"}
    if kind in plain:
        return plain[kind]
    if get_origin(kind) in (frozenset, tuple):
        return f"a list of {_in_plural(get_args(kind)[0])}"
    if issubclass(kind, Enum):
        return f"one of {_choices(kind)}"
    return f"a {kind.__name__}"


def _in_plural(kind: Any) -> str:
    plain = {int: "whole numbers", str: "texts"}
    if kind in plain:
        return plain[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f"any of {_choices(kind)}"
    return "rules"


def _choices(kind: type[Enum]) -> str:
    return ", ".join(f'"{choice.value}"' for choice in kind)


def _is_of(kind: Any, value: Any) -> bool:
    origin = get_origin(kind) or kind
    if origin is int:
        return type(value) is int  # a bool is no number here
    return isinstance(value, origin)
