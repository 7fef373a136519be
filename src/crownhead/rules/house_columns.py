"""The columns of a house variant as words of a TOML table, and the row that they make.

Beside the columns of ``Rules`` a table takes ``base``, ``name``, ``summary``, ``dark_name``, ``draws`` (the
key of a set of draw rules), ``board`` (``width``, ``height``, ``left_corner``, ``grid``), ``notation``
(``first_square``, ``algebraic``, ``capture_sign``, ``a1``) and ``start`` (``black``, ``white``, ``marked``,
``first``, or ``rows`` of men for each side). What is missing is that of the base.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields, replace
from difflib import get_close_matches
from enum import Enum
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin

from crownhead.rules import federations
from crownhead.rules.boards import ALGEBRAIC
from crownhead.rules.columns import columns_of, misfits, shown, taken_by
from crownhead.rules.geometry import numbers_by_name, squares
from crownhead.rules.schema import (
    ANYWHERE,
    DIAGONALLY,
    DIAGONALLY_BACKWARD,
    DIAGONALLY_FORWARD,
    ORTHOGONALLY,
    SIDEWAYS,
    Board,
    Colour,
    Direction,
    DrawRules,
    Notation,
    Rules,
    Start,
    Variant,
)

DRAW_RULES: Mapping[str, DrawRules] = MappingProxyType(
    {found.key: found for found in vars(federations).values() if isinstance(found, DrawRules)}
)
"""The sets of draw rules that a table can name."""

_GROUPS = {
    "diagonally-forward": DIAGONALLY_FORWARD,
    "diagonally-backward": DIAGONALLY_BACKWARD,
    "diagonally": DIAGONALLY,
    "sideways": SIDEWAYS,
    "orthogonally": ORTHOGONALLY,
    "anywhere": ANYWHERE,
}
_NOTATION = ("first_square", "algebraic", "capture_sign", "a1")
_START = ("black", "white", "marked", "first", "rows")
_TEXTS = ("base", "name", "summary", "dark_name", "draws")
_PARTS = ("board", "notation", "start")

_Part = TypeVar("_Part", Board, Notation, Rules)


class Misfit(Exception):
    """What was expected in a column, and what came."""

    def __init__(self, column: str, sentence: str) -> None:
        super().__init__(f"{column}: {sentence}" if column else sentence)


def row_of(key: str, table: Mapping[str, Any], known: Mapping[str, Variant]) -> Variant:
    """Return the row of a table; ``known`` are the rows that it can build on. Raises ``Misfit``."""
    rules = columns_of(Rules)
    _require_known(table, (*_TEXTS, *_PARTS, *rules), "")
    base = _base(table, known)
    board = _part(Board, table, "board", None if base is None else base.board)
    # Numbers of GameType belong to the rules of the base.
    inherited = ALGEBRAIC if base is None else replace(base.notation, game_type=None, private_game_type=None)
    notation = _part(Notation, table, "notation", inherited, only=_NOTATION)
    own_rules = {column: value for column, value in table.items() if column in rules}
    return Variant(
        key=key,
        name=_text(table, "name", None),
        summary=_text(table, "summary", f"A variant of {base.name}." if base else "A house variant."),
        board=board,
        notation=notation,
        start=_start(table, board, notation, base),
        rules=_filled(Rules, own_rules, "", None if base is None else base.rules),
        draws=_draws(table, base),
        dark_name=_text(table, "dark_name", base.dark_name if base else "Black"),
    )


def _base(table: Mapping[str, Any], known: Mapping[str, Variant]) -> Variant | None:
    if "base" not in table:
        return None
    return known[_choice(table["base"], known, "base", "the key of a variant")]


def _draws(table: Mapping[str, Any], base: Variant | None) -> DrawRules:
    if "draws" in table:
        return DRAW_RULES[_choice(table["draws"], DRAW_RULES, "draws", "one of")]
    return federations.THREEFOLD_ON_CLAIM if base is None else base.draws


def _text(table: Mapping[str, Any], column: str, default: str | None) -> str:
    value = table.get(column, default)
    if not isinstance(value, str) or not value.strip():
        raise Misfit(column, f"expected a text, got {shown(value) if column in table else 'nothing'}")
    return " ".join(value.split())


# ----------------------------------------------------------------------- board, notation and rules
def _part(
    kind: type[_Part],
    table: Mapping[str, Any],
    column: str,
    base: _Part | None,
    *,
    only: Collection[str] | None = None,
) -> _Part:
    """Return a part of the row that has a table of its own."""
    given = table.get(column, {})
    if not isinstance(given, dict):
        raise Misfit(column, f"expected a table such as {{ ... }}, got {shown(given)}")
    _require_known(given, only or tuple(columns_of(kind)), f"{column}.")
    return _filled(kind, given, f"{column}.", base)


def _filled(kind: type[_Part], given: Mapping[str, Any], prefix: str, base: _Part | None) -> _Part:
    hints = columns_of(kind)
    values = {column: _value(hints[column], value, prefix + column) for column, value in given.items()}
    if base is not None:
        return replace(base, **values)
    for field in fields(kind):
        if field.default is MISSING and field.name not in values:
            raise Misfit(prefix + field.name, f"expected {taken_by(hints[field.name])}, got nothing")
    return kind(**values)


def _value(hint: Any, value: Any, column: str) -> Any:
    """Return a value as the table of variants has it. Raises ``Misfit``."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    for kind in kinds:
        origin = get_origin(kind)
        if origin in (frozenset, tuple) and isinstance(value, list):
            return origin(_listed(get_args(kind)[0], value, column))
        if isinstance(kind, type) and issubclass(kind, Enum) and isinstance(value, str):
            return kind(_choice(value, [one.value for one in kind], column, "one of"))
    if any(True for _ in misfits(hint, value, column)) or NoneType in kinds:
        raise Misfit(column, f"expected {taken_by(hint)}, got {shown(value)}")
    return value


def _listed(kind: type[Enum], values: list[Any], column: str) -> list[Enum]:
    groups = _GROUPS if kind is Direction else {}
    choices = [*(one.value for one in kind), *groups]
    chosen = [_choice(value, choices, column, "a list of") for value in values]
    return [one for word in chosen for one in (sorted(groups[word]) if word in groups else [kind(word)])]


# ----------------------------------------------------------------------- start
def _start(table: Mapping[str, Any], board: Board, notation: Notation, base: Variant | None) -> Start:
    given = table.get("start", {})
    if not isinstance(given, dict):
        raise Misfit("start", f"expected a table such as {{ rows = 3 }}, got {shown(given)}")
    _require_known(given, _START, "start.")
    alike = base is not None and (base.board, base.notation.first_square) == (board, notation.first_square)
    inherited = base.start if alike and base is not None else None
    first = _first(given, base)
    if "rows" in given:
        return _rows_of_men(given, board, notation, first)
    if inherited is None and not {"black", "white"} <= given.keys():
        raise Misfit(
            "start",
            "expected the men of both sides on a board of its own, such as start = { rows = 3 } or "
            f'start = {{ black = "1-12", white = "21-32" }}, got {shown(given) if given else "nothing"}',
        )
    named = {
        side: _squares(given[side], board, notation, f"start.{side}")
        for side in ("black", "white", "marked")
        if side in given
    }
    if inherited is not None:
        return replace(inherited, first=first, **named)
    return Start(named["black"], named["white"], first, named.get("marked", frozenset()))


def _first(given: Mapping[str, Any], base: Variant | None) -> Colour:
    if "first" in given:
        return Colour(_choice(given["first"], [one.value for one in Colour], "start.first", "one of"))
    return Colour.WHITE if base is None else base.start.first


def _rows_of_men(given: Mapping[str, Any], board: Board, notation: Notation, first: Colour) -> Start:
    """Return the start with men on every square of so many rows nearest to each side."""
    rows, column = given["rows"], "start.rows"
    if other := sorted(given.keys() - {"rows", "first"}):
        raise Misfit(column, f"expected rows without squares, got start.{other[0]} beside them")
    most = (board.height - 1) // 2
    if type(rows) is not int or not 1 <= rows <= most:
        raise Misfit(column, f"expected 1 to {most} rows on a board of {board.height}, got {shown(rows)}")
    places = squares(board, notation).values()
    black = frozenset(place.number for place in places if place.rank >= board.height - rows)
    return Start(black, frozenset(place.number for place in places if place.rank < rows), first)


def _squares(value: Any, board: Board, notation: Notation, column: str) -> frozenset[int]:
    """Return the squares of a text: numbers, ranges and names, such as ``1-12, 15`` or ``a1 c1``."""
    if not isinstance(value, str):
        raise Misfit(column, f'expected squares such as "1-12" or "a1 c1 e1", got {shown(value)}')
    found: set[int] = set()
    for item in value.replace(",", " ").split():
        found.update(_range(item, board, notation, column))
    return frozenset(found)


def _range(item: str, board: Board, notation: Notation, column: str) -> range:
    named = numbers_by_name(board, notation)
    first, dash, last = item.lower().partition("-")
    lowest, highest = named.get(first, 0), named.get(last if dash else first, 0)
    is_range = not dash or (first.isdigit() and last.isdigit())
    if not 1 <= lowest <= highest or not is_range:
        example = squares(board, notation)[1].name
        raise Misfit(
            column, f'expected squares such as "1-{board.squares}" or "{example}", got {shown(item)}'
        )
    return range(lowest, highest + 1)


# ----------------------------------------------------------------------- words
def _require_known(table: Mapping[str, Any], columns: Collection[str], prefix: str) -> None:
    for column in table:
        if column not in columns:
            raise Misfit(
                prefix + column, f"expected one of the columns {_offered(column, columns)}, got {column!r}"
            )


def _choice(value: Any, choices: Collection[str], column: str, what: str) -> str:
    if isinstance(value, str) and value in choices:
        return value
    raise Misfit(column, f"expected {what} {_offered(value, choices)}, got {shown(value)}")


def _offered(value: Any, choices: Collection[str]) -> str:
    """Return the choices, or those alone that the value is close to."""
    near = get_close_matches(value, choices) if isinstance(value, str) else []
    listed = ", ".join(f'"{choice}"' for choice in near or choices)
    return f"{listed}, …" if near else listed
