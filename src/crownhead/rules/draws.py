"""Which draw rules a course of play satisfies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crownhead._kernel import Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.federations import HOUSE_DRAW_RULES, NO_DRAW_RULES
from crownhead.rules.outcome import Termination
from crownhead.rules.schema import DrawRule, DrawRules, NoProgressDraw, Progress, RepetitionDraw, Variant

OFFICIAL = "official"
_BY_KEY = {**HOUSE_DRAW_RULES, NO_DRAW_RULES.key: NO_DRAW_RULES}


@dataclass(frozen=True, slots=True)
class Course:
    """What draw rules look at: how often the position has stood, and what each ply so far did."""

    repetitions: int
    progress: Sequence[frozenset[Progress]]


def draw_rules_of(variant: Variant, draw_rules: DrawRules | str) -> DrawRules:
    """The set of a key, ``official`` being the variant's federation's, or the set itself."""
    if isinstance(draw_rules, DrawRules):
        return draw_rules
    if draw_rules == OFFICIAL:
        return variant.draws
    if draw_rules not in _BY_KEY:
        known = ", ".join((OFFICIAL, *_BY_KEY))
        raise CrownheadError(f"expected one of the draw rules {known}, got {draw_rules!r}")
    return _BY_KEY[draw_rules]


def progress_of(move: Move, *, by_man: bool) -> frozenset[Progress]:
    """What a move did that a counter may look at; ``by_man``: it was made by an uncrowned piece."""
    done = set()
    if move.captures:
        done.add(Progress.CAPTURE)
    if by_man:
        done.add(Progress.MAN_MOVE)
    if move.crowns:
        done.add(Progress.CROWNING)
    return frozenset(done)


def satisfied(rules: DrawRules, course: Course, *, automatic: bool) -> tuple[Termination, ...]:
    """The draws that stand now, among those that come of themselves or those to be claimed."""
    return tuple(
        _termination(rule)
        for rule in rules.rules
        if rule.automatic is automatic and _is_satisfied(rule, course)
    )


def quiet_plies(course: Course, resets: frozenset[Progress]) -> int:
    """Plies since the last that did any of ``resets``."""
    count = 0
    for done in reversed(course.progress):
        if done & resets:
            break
        count += 1
    return count


def _is_satisfied(rule: DrawRule, course: Course) -> bool:
    match rule:
        case RepetitionDraw():
            return course.repetitions >= rule.times
        case NoProgressDraw():
            return quiet_plies(course, rule.resets) >= 2 * rule.moves_each


def _termination(rule: DrawRule) -> Termination:
    match rule:
        case RepetitionDraw():
            return Termination.REPETITION
        case NoProgressDraw():
            return Termination.NO_PROGRESS
