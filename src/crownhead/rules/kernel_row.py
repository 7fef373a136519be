"""A row of the variant table as the kernel takes it: plain numbers and words.

The build of the kernel reads this before the package can be imported, and at run time
``crownhead.rules.kernel`` passes the same on. Depends on the standard library and ``schema`` alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from crownhead.rules.schema import Direction, Objective, Promotion, Variant

Value = bool | int | str | tuple[str, ...] | Mapping[str, int | str]

# In the order of the kernel's bits.
_DIRECTIONS = (
    Direction.FORWARD_LEFT,
    Direction.FORWARD,
    Direction.FORWARD_RIGHT,
    Direction.LEFT,
    Direction.RIGHT,
    Direction.BACKWARD_LEFT,
    Direction.BACKWARD,
    Direction.BACKWARD_RIGHT,
)
_SETS_OF_DIRECTIONS = frozenset({"man_steps", "man_captures", "man_goes_on", "king_steps", "king_captures"})
_ENUMERATIONS = {
    "grid": "Grid",
    "promotion": "Promotion",
    "priority": "Priority",
    "removal": "Removal",
    "landing": "Landing",
    "crowning": "Crowning",
    "marked": "Marked",
}
_PROMOTION = {Promotion.STOP: "stop", Promotion.PASS: "pass", Promotion.CONTINUE: "carry_on"}
_OBJECTIVE = {
    Objective.OPPONENT_WINS: "opponent_wins",
    Objective.MOVER_WINS: "mover_wins",
    Objective.FIRST_KING: "opponent_wins",  # and the rules say that the first king wins
}


class KernelRow(NamedTuple):
    """What the kernel knows of a variant.

    ``rules`` has the names and values of its ``Rules``; a set of directions is a number with a bit for each.
    ``objective`` and ``first`` are words of its enumerations. Squares are numbers, ascending.
    ``fingerprint`` tells rule sets with different endgame tables apart, in 64 bits.
    """

    key: str
    rules: Mapping[str, Value]
    objective: str
    first: str
    black: tuple[int, ...]
    white: tuple[int, ...]
    marked: tuple[int, ...]
    fingerprint: int


def kernel_row(row: Variant) -> KernelRow:
    """Return what the kernel takes for a row of the table."""
    rules, objective = _rules(row), _OBJECTIVE[row.rules.objective]
    return KernelRow(
        key=row.key,
        rules=rules,
        objective=objective,
        first=str(row.start.first),
        black=tuple(sorted(row.start.black)),
        white=tuple(sorted(row.start.white)),
        marked=tuple(sorted(row.start.marked)),
        fingerprint=_fingerprint(rules, objective),
    )


def tables_key(row: KernelRow, table: Iterable[KernelRow]) -> str:
    """Return the key whose endgame tables serve the row: the first in the table with the same endgames."""
    alike = (other.key for other in table if other.fingerprint == row.fingerprint)
    return next(alike, f"{row.key}-{row.fingerprint:016x}")


def as_cpp(rules: Mapping[str, Value]) -> str:
    """Return the rules as the initialiser of a C++ constant."""
    return "{\n" + "".join(f"    .{name} = {_value(name, value)},\n" for name, value in rules.items()) + "}"


def _rules(row: Variant) -> Mapping[str, Value]:
    """The kernel's ``Rules``, without what bears on the result of a game alone."""
    rules = row.rules
    return {
        "board": _board(row),
        "flying_king": rules.flying_king,
        "man_steps": _bits(rules.man_steps),
        "man_captures": _bits(rules.man_captures),
        "man_goes_on": _bits(rules.man_captures_again),
        "king_steps": _bits(rules.king_steps),
        "king_captures": _bits(rules.king_captures),
        "man_captures_king": rules.man_captures_king,
        "promotion": _PROMOTION[rules.promotion],
        "priority": tuple(_word(component) for component in rules.priority),
        "removal": _word(rules.removal),
        "landing": _word(rules.landing),
        "may_reverse": rules.may_reverse,
        "crowning": _word(rules.crowning),
        "marked": _word(rules.marked or "none"),
        "one_way": rules.one_way,
        "lines_step": rules.lines_step,
        "rests_on_far_row": rules.rests_on_far_row,
        "jumps_only": rules.jumps_only,
        "king_run": rules.king_run,
        "first_king_wins": rules.objective is Objective.FIRST_KING,
    }


def _board(row: Variant) -> Mapping[str, int | str]:
    """The board as its square numbers see it."""
    board, first_square = row.board, row.notation.first_square
    numbered_from_top = first_square.startswith("top")
    # Square 1 lies in a corner of the side that it is counted from, or one file away from it.
    corner_file = 0 if first_square.endswith("left") else board.width - 1
    corner_is_played = board.is_played(corner_file, board.height - 1 if numbered_from_top else 0)
    return {
        "width": board.width,
        "height": board.height,
        "grid": _word(board.grid),
        "indented": not corner_is_played,
        "white_lowers": numbered_from_top,
    }


def _bits(directions: Iterable[Direction]) -> int:
    """A bit for each direction; up is forward."""
    return sum(1 << _DIRECTIONS.index(direction) for direction in directions)


def _word(value: str) -> str:
    return value.replace("-", "_")


def _value(name: str, value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return f"{value:#010b}" if name in _SETS_OF_DIRECTIONS else str(value)
        case str():
            return f"{_ENUMERATIONS[name]}::{value}"
        case tuple():
            return "{" + ", ".join(_value(name, component) for component in value) + "}"
        case _:
            return "{" + ", ".join(f".{field} = {_value(field, one)}" for field, one in value.items()) + "}"


def _fingerprint(rules: Mapping[str, Value], objective: str) -> int:
    """What the endgame tables of a variant depend on: how pieces move, and who has won."""
    digest = hashlib.sha256(repr((as_cpp(rules), objective)).encode()).hexdigest()
    return int(digest[:16], 16)
