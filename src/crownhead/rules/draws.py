"""Counting towards draws: occurrences of positions, and plies for which the condition of a rule lasts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from crownhead._kernel import Move
from crownhead.rules.errors import CrownheadError
from crownhead.rules.federations import HOUSE_DRAW_RULES, NO_DRAW_RULES
from crownhead.rules.geometry import main_road
from crownhead.rules.outcome import Termination
from crownhead.rules.position import Position
from crownhead.rules.schema import (
    BalanceDraw,
    DrawRules,
    MaterialDraw,
    NoProgressDraw,
    Progress,
    RepetitionDraw,
    Variant,
)

OFFICIAL = "official"
_BALANCE = frozenset({Progress.CAPTURE, Progress.CROWNING})
_BITS = {Progress.CAPTURE: 1, Progress.MAN_MOVE: 2, Progress.CROWNING: 4}
_BY_KEY = {**HOUSE_DRAW_RULES, NO_DRAW_RULES.key: NO_DRAW_RULES}
_NOT_STANDING = -1  # in place of a count, where the pieces are not those that a rule is about


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


def plies_stood(rule: MaterialDraw | BalanceDraw, positions: Sequence[Position]) -> int:
    """Return for how many plies up to the last position the pieces have been those that a rule is about."""
    stood = 0
    for position in reversed(positions):
        if not _stands(rule, position):
            break
        stood += 1
    return max(0, stood - 1)


class DrawCounters:
    """The counters of a set of draw rules along a game, advanced and taken back ply by ply.

    Every rule has one count a position: how often it has occurred, or for how many plies the condition of
    the rule has lasted.
    """

    __slots__ = ("_checks", "_forces", "_most", "_quiet", "_seen", "_times")

    def __init__(self, rules: DrawRules, start: Position) -> None:
        self._seen = {start: 1}
        self._times = [1]
        self._quiet: list[tuple[int, list[int]]] = []  # what resets a count, and the counts
        self._forces: list[tuple[MaterialDraw | BalanceDraw, int, list[int]]] = []
        self._checks: tuple[list[_Check], list[_Check]] = ([], [])  # of draws to be claimed; automatic
        for rule in rules.rules:
            if isinstance(rule, RepetitionDraw):
                check = _Check(self._times, rule.times, Termination.REPETITION)
            else:
                check = _Check(self._begin(rule, start), 2 * rule.moves_each, Termination.NO_PROGRESS)
            self._checks[rule.automatic].append(check)
        self._most = max((_most_pieces(rule) for rule, _, _ in self._forces), default=0)

    @property
    def plies(self) -> int:
        """The plies counted so far."""
        return len(self._times) - 1

    def push(self, move: Move, before: Position, after: Position) -> None:
        """Count a move that leads from one position to the next."""
        times = self._seen[after] = self._seen.get(after, 0) + 1
        self._times.append(times)
        kings = before.black_kings if before.black_to_move else before.white_kings
        done = (1 if move.captures else 0) | (0 if move.origin in kings else 2) | (4 if move.crowns else 0)
        for resets, counts in self._quiet:
            counts.append(0 if done & resets else counts[-1] + 1)
        if self._forces:
            self._count_forces(done, after)

    def pop(self, last: Position) -> None:
        """Take back the last move counted, which led to ``last``."""
        self._seen[last] -= 1
        self._times.pop()
        for _, counts in self._quiet:
            counts.pop()
        for _, _, counts in self._forces:
            counts.pop()

    def satisfied(self, *, automatic: bool) -> tuple[Termination, ...]:
        """Return the draws available now, either the automatic ones or those that must be claimed."""
        found = [draw for counts, enough, draw in self._checks[automatic] if counts[-1] >= enough]
        return tuple(dict.fromkeys(found)) if found else ()

    def _begin(self, rule: NoProgressDraw | MaterialDraw | BalanceDraw, start: Position) -> list[int]:
        if isinstance(rule, NoProgressDraw):
            counts = [0]
            self._quiet.append((_bits(rule.resets), counts))
        else:
            counts = [0 if _stands(rule, start) else _NOT_STANDING]
            self._forces.append((rule, _bits(_BALANCE) if isinstance(rule, BalanceDraw) else 0, counts))
        return counts

    def _count_forces(self, done: int, after: Position) -> None:
        if not (after.black_kings and after.white_kings) or _pieces(after) > self._most:
            for _, _, counts in self._forces:
                counts.append(_NOT_STANDING)
            return
        for rule, resets, counts in self._forces:
            if not _stands(rule, after):
                counts.append(_NOT_STANDING)
            else:
                counts.append(0 if done & resets else counts[-1] + 1)


class _Check(NamedTuple):
    """The counts of a rule, one a position, and how many make a draw."""

    counts: list[int]
    enough: int
    draw: Termination


def _bits(resets: frozenset[Progress]) -> int:
    return sum(_BITS[progress] for progress in resets)


def _pieces(position: Position) -> int:
    """Return how many pieces there are on the board."""
    men = len(position.black_men) + len(position.white_men)
    marked = len(position.black_marked) + len(position.white_marked)
    return men + marked + len(position.black_kings) + len(position.white_kings)


def _most_pieces(rule: MaterialDraw | BalanceDraw) -> int:
    if isinstance(rule, BalanceDraw):
        return rule.pieces[1]
    return max(map(len, rule.strong)) + max(map(len, rule.weak))


def _stands(rule: MaterialDraw | BalanceDraw, position: Position) -> bool:
    """Whether the pieces are those that a rule is about; both sides have a king."""
    black_kings, white_kings = position.black_kings, position.white_kings
    if not black_kings or not white_kings:
        return False
    if isinstance(rule, BalanceDraw):
        fewest, most = rule.pieces
        return fewest <= _pieces(position) <= most
    black = "K" * len(black_kings) + "M" * (len(position.black_men) + len(position.black_marked))
    white = "K" * len(white_kings) + "M" * (len(position.white_men) + len(position.white_marked))
    return (black in rule.strong and white in rule.weak and _is_placed(rule, position, white_kings)) or (
        white in rule.strong and black in rule.weak and _is_placed(rule, position, black_kings)
    )


def _is_placed(rule: MaterialDraw, position: Position, weak_kings: Sequence[int]) -> bool:
    if not rule.on_main_road:
        return True
    road = main_road(position.variant.board, position.variant.notation)
    return road.issuperset(weak_kings)
