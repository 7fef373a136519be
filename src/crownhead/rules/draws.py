"""Checking which draw rules a game satisfies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from crownhead._kernel import Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.federations import HOUSE_DRAW_RULES, NO_DRAW_RULES
from crownhead.rules.geometry import main_road
from crownhead.rules.outcome import Termination
from crownhead.rules.position import Position
from crownhead.rules.schema import (
    BalanceDraw,
    DrawRule,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    Progress,
    RepetitionDraw,
    Variant,
)

OFFICIAL = "official"
_OF_LAST_FORCES = (MaterialDraw, BalanceDraw)  # these require a king on both sides
_BALANCE = frozenset({Progress.CAPTURE, Progress.CROWNING})
_BY_KEY = {**HOUSE_DRAW_RULES, NO_DRAW_RULES.key: NO_DRAW_RULES}


@dataclass(frozen=True, slots=True)
class History:
    """The history of a game as draw rules see it: repetitions of the position, and the plies so far.

    ``positions`` includes the start, so it is one longer than ``progress``.
    """

    repetitions: int
    progress: Sequence[frozenset[Progress]]
    positions: Sequence[Position]


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


def satisfied_draws(rules: DrawRules, history: History, *, automatic: bool) -> tuple[Termination, ...]:
    """Return the draws available now, either the automatic ones or those that must be claimed."""
    here = history.positions[-1]
    both_crowned = bool(here.black_kings and here.white_kings)
    stand = [
        _termination(rule)
        for rule in rules.rules
        if rule.automatic is automatic
        and (both_crowned or not isinstance(rule, _OF_LAST_FORCES))
        and _is_satisfied(rule, history)
    ]
    return tuple(dict.fromkeys(stand))


def quiet_plies(history: History, resets: frozenset[Progress]) -> int:
    """Return the number of plies since the last one that did any of ``resets``."""
    count = 0
    for done in reversed(history.progress):
        if done & resets:
            break
        count += 1
    return count


def _is_satisfied(rule: DrawRule, history: History) -> bool:
    match rule:
        case RepetitionDraw():
            return history.repetitions >= rule.times
        case NoProgressDraw():
            plies = 2 * rule.moves_each
            return len(history.progress) >= plies and quiet_plies(history, rule.resets) >= plies
        case MaterialDraw():
            return _has_lasted(rule, history, 2 * rule.moves_each) and (
                quiet_plies(history, rule.resets) >= 2 * rule.moves_each
            )
        case BalanceDraw():
            return _has_lasted(rule, history, 2 * rule.moves_each) and (
                quiet_plies(history, _BALANCE) >= 2 * rule.moves_each
            )


def _has_lasted(rule: MaterialDraw | BalanceDraw, history: History, plies: int) -> bool:
    """Whether the rule's condition held before and after each of the last ``plies``."""
    if len(history.progress) < plies:
        return False
    return all(_stands(rule, history.positions[-ago]) for ago in range(1, plies + 2))


def _stands(rule: MaterialDraw | BalanceDraw, position: Position) -> bool:
    black_kings, white_kings = position.black_kings, position.white_kings
    if not black_kings or not white_kings:
        return False
    black_men = len(position.black_men) + len(position.black_marked)
    white_men = len(position.white_men) + len(position.white_marked)
    if isinstance(rule, BalanceDraw):
        fewest, most = rule.pieces
        return fewest <= len(black_kings) + black_men + len(white_kings) + white_men <= most
    black = "K" * len(black_kings) + "M" * black_men
    white = "K" * len(white_kings) + "M" * white_men
    return (black in rule.strong and white in rule.weak and _is_placed(rule, position, white_kings)) or (
        white in rule.strong and black in rule.weak and _is_placed(rule, position, black_kings)
    )


def _is_placed(rule: MaterialDraw, position: Position, weak_kings: Sequence[int]) -> bool:
    if not rule.on_main_road:
        return True
    road = main_road(position.variant.board, position.variant.notation)
    return road.issuperset(weak_kings)


def _termination(rule: DrawRule) -> Termination:
    return Termination.REPETITION if isinstance(rule, RepetitionDraw) else Termination.NO_PROGRESS
