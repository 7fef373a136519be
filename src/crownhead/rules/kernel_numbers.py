"""A variant and its draw rules as one row of numbers: what the kernel's module for browsers takes.

The order is that in which ``native/wasm/variant.cpp`` reads them. Words become their place among those of the
kernel's enumerations.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from crownhead.rules.draws import Counted, counted_rules
from crownhead.rules.kernel_row import Value, kernel_row
from crownhead.rules.schema import DrawRules, Variant

_WORDS: Mapping[str, Sequence[str]] = {
    "grid": ("checkered", "full", "lines"),
    "promotion": ("stop", "pass", "carry_on"),
    "priority": ("none", "most_pieces", "most_value", "with_king", "most_kings", "kings_first"),
    "removal": ("after_move", "at_once"),
    "landing": ("anywhere", "behind", "behind_last_king"),
    "crowning": ("far_row", "far_corner", "never"),
    "marked": ("none", "mule", "parachutist"),
    "objective": ("opponent_wins", "mover_wins"),
    "first": ("black", "white"),
}
_PRIORITIES = 5  # the longest sort key of captures; a shorter one is filled up


def kernel_numbers(row: Variant, draws: DrawRules) -> list[int]:
    """Return a row of the variant table, to be played by these draw rules, as signed 32-bit numbers."""
    known = kernel_row(row)
    numbers = [number for name, value in known.rules.items() for number in _numbers(name, value)]
    numbers += _numbers("objective", known.objective) + _numbers("first", known.first)
    for squares in (known.black, known.white, known.marked):
        numbers += _counted(squares)
    numbers += [_signed(known.fingerprint & 0xFFFFFFFF), _signed(known.fingerprint >> 32)]
    rules = counted_rules(draws, row.board, row.notation)
    return [*numbers, len(rules), *(number for rule in rules for number in _draw(rule))]


def place_of_priority(row: Variant) -> int:
    """Return how many of ``kernel_numbers`` stand before the sort key of captures, each 0 for none."""
    rules = kernel_row(row).rules
    before = itertools.takewhile(lambda name: name != "priority", rules)
    return sum(len(_numbers(name, rules[name])) for name in before)


def _numbers(name: str, value: Value) -> list[int]:
    match value:
        case bool() | int():
            return [int(value)]
        case str():
            return [_WORDS[name].index(value)]
        case tuple():
            places = [_WORDS[name].index(word) for word in value]
            return places + [0] * (_PRIORITIES - len(places))
        case _:
            return [number for field, one in value.items() for number in _numbers(field, one)]


def _draw(rule: Counted) -> list[int]:
    return [
        int(rule.kind),
        int(rule.automatic),
        rule.enough,
        rule.resets,
        *_forces(rule.strong),
        *_forces(rule.weak),
        rule.fewest,
        rule.most,
        int(rule.road is not None),
        *_counted(rule.road or ()),
    ]


def _forces(forces: Sequence[tuple[int, int]]) -> list[int]:
    return [len(forces), *(number for force in forces for number in force)]


def _counted(squares: Iterable[int]) -> list[int]:
    listed = [*squares]
    return [len(listed), *listed]


def _signed(word: int) -> int:
    return word - (1 << 32) if word >= 1 << 31 else word
