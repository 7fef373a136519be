"""Counting towards draws: occurrences of positions, and plies for which the condition of a rule lasts."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import NamedTuple

from crownhead._kernel import DrawCounters, Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.federations import HOUSE_DRAW_RULES, NO_DRAW_RULES
from crownhead.rules.geometry import main_road
from crownhead.rules.outcome import Termination
from crownhead.rules.position import Position
from crownhead.rules.schema import (
    BalanceDraw,
    Board,
    DrawRule,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    Notation,
    Progress,
    RepetitionDraw,
    Variant,
)

OFFICIAL = "official"
_BALANCE = frozenset({Progress.CAPTURE, Progress.CROWNING})
_BITS = {Progress.CAPTURE: 1, Progress.MAN_MOVE: 2, Progress.CROWNING: 4}
_BY_KEY = {**HOUSE_DRAW_RULES, NO_DRAW_RULES.key: NO_DRAW_RULES}


class Kind(IntEnum):
    """The kinds of draw rules, as the kernel numbers them."""

    REPETITION = 0
    NO_PROGRESS = 1
    MATERIAL = 2
    BALANCE = 3


class Counted(NamedTuple):
    """A draw rule as the kernel takes it."""

    kind: Kind
    automatic: bool
    enough: int  # occurrences, or plies
    resets: int = 0  # bits
    strong: tuple[tuple[int, int], ...] = ()  # kings and men
    weak: tuple[tuple[int, int], ...] = ()
    fewest: int = 0
    most: int = 0
    road: tuple[int, ...] | None = None  # where the kings of the weak side must stand; None: anywhere


def draw_rules_of(variant: Variant, draw_rules: DrawRules | str) -> DrawRules:
    """Return draw rules by key (``official``: those of the variant's federation), or the rules themselves."""
    if isinstance(draw_rules, DrawRules):
        return draw_rules
    if draw_rules == OFFICIAL:
        return variant.draws
    if draw_rules not in _BY_KEY:
        known = ", ".join((OFFICIAL, *_BY_KEY))
        raise CrownheadError(f"expected one of the draw rules {known}, got {draw_rules!r}")
    return _BY_KEY[draw_rules]


def progress_of(move: Move, *, by_man: bool) -> frozenset[Progress]:
    """Return what a move means for draw counters; ``by_man``: it was made by an uncrowned piece."""
    return _progress(bool(move.captures), by_man, move.crowns)


@cache
def _progress(captures: bool, by_man: bool, crowns: bool) -> frozenset[Progress]:
    done = {Progress.CAPTURE: captures, Progress.MAN_MOVE: by_man, Progress.CROWNING: crowns}
    return frozenset(progress for progress, was_made in done.items() if was_made)


def counters_of(rules: DrawRules, start: Position) -> DrawCounters:
    """Return counters of draw rules for a game from a position, which the kernel advances ply by ply."""
    row = start.variant
    return DrawCounters(counted_rules(rules, row.board, row.notation), start)


def draws_by(rules: DrawRules, counters: DrawCounters, *, automatic: bool) -> tuple[Termination, ...]:
    """Return the draws available now, either the automatic ones or those that must be claimed."""
    found = counters.satisfied(automatic)
    return tuple(dict.fromkeys(_termination(rules.rules[place]) for place in found)) if found else ()


@cache
def counted_rules(rules: DrawRules, board: Board, notation: Notation) -> tuple[Counted, ...]:
    """Return the rules as the kernel takes them: see ``crownhead._kernel.DrawCounters``."""
    road = tuple(sorted(main_road(board, notation)))
    return tuple(_counted(rule, road) for rule in rules.rules)


def _counted(rule: DrawRule, road: tuple[int, ...]) -> Counted:
    match rule:
        case RepetitionDraw(times=times, automatic=automatic):
            return Counted(Kind.REPETITION, automatic, times)
        case NoProgressDraw(automatic=automatic, moves_each=moves, resets=resets):
            return Counted(Kind.NO_PROGRESS, automatic, 2 * moves, _bits(resets))
        case MaterialDraw(automatic=automatic, moves_each=moves):
            strong, weak = _forces(rule.strong), _forces(rule.weak)
            where = road if rule.on_main_road else None
            return Counted(Kind.MATERIAL, automatic, 2 * moves, strong=strong, weak=weak, road=where)
        case BalanceDraw(pieces=(fewest, most), automatic=automatic, moves_each=moves):
            changes = _bits(_BALANCE)
            return Counted(Kind.BALANCE, automatic, 2 * moves, changes, fewest=fewest, most=most)


def _bits(resets: frozenset[Progress]) -> int:
    return sum(_BITS[progress] for progress in resets)


def _forces(forces: frozenset[str]) -> tuple[tuple[int, int], ...]:
    """Return forces such as ``KKM`` as numbers of kings and men."""
    return tuple(sorted((force.count("K"), force.count("M")) for force in forces))


def _termination(rule: DrawRule) -> Termination:
    return Termination.REPETITION if isinstance(rule, RepetitionDraw) else Termination.NO_PROGRESS
