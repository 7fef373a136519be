"""How many plies ahead a win is certain, given the draw rules that the search does not take into account."""

from __future__ import annotations

from collections import Counter

from crownhead.rules.draws import counters_of, progress_of
from crownhead.rules.game import Game
from crownhead.rules.position import Position
from crownhead.rules.schema import (
    BalanceDraw,
    DrawRule,
    DrawRules,
    NoProgressDraw,
    PieceKind,
    Progress,
    RepetitionDraw,
)

COUNTED = {Progress.CAPTURE, Progress.MAN_MOVE}  # what resets the one counter that the search has


def certain_plies(subject: Position | Game) -> int | None:
    """The plies within which no draw rule that the search does not count can end the game; None: none can.

    A rule that depends on the pieces left is assumed to apply, as it may after a capture.
    """
    rules = subject.variant.draws if isinstance(subject, Position) else subject.draw_rules
    bounds = [_bound(rule, subject) for rule in rules.rules]
    return min((bound for bound in bounds if bound is not None), default=None)


def certain_wins(rules: DrawRules, pieces: int) -> int | None:
    """The plies within which no draw rule can overtake a win, from a game's beginning with so many pieces.

    None: none can, however long the win takes. A rule that depends on the pieces left is assumed to apply.
    """
    bounds = [_bound_at_first(rule, pieces) for rule in rules.rules]
    return min((bound for bound in bounds if bound is not None), default=None)


def _bound_at_first(rule: DrawRule, pieces: int) -> int | None:
    if isinstance(rule, RepetitionDraw):
        return 0 if rule.times <= 2 else None
    if isinstance(rule, BalanceDraw) and rule.pieces[0] > pieces:
        return None
    return 2 * rule.moves_each


def _bound(rule: DrawRule, subject: Position | Game) -> int | None:
    position = subject if isinstance(subject, Position) else subject.position
    if isinstance(rule, RepetitionDraw):
        return 0 if _occurrences(subject) >= rule.times - 1 else None
    if isinstance(rule, NoProgressDraw) and rule.resets == COUNTED:
        return None
    if isinstance(rule, BalanceDraw) and rule.pieces[0] > len(position.pieces):
        return None
    return max(0, 2 * rule.moves_each - _counted(rule, subject))


def _counted(rule: DrawRule, subject: Position | Game) -> int:
    """The plies that the counter of a rule has reached."""
    if isinstance(subject, Position):
        return 0
    counters = counters_of(DrawRules("one", "one rule", (rule,)), subject.start)
    counters.count(subject.moves, subject.positions)
    return max(0, *counters.counts())


def _occurrences(subject: Position | Game) -> int:
    """The most often that a position has occurred which can still be repeated."""
    if isinstance(subject, Position):
        return 1
    since = plies_since(subject, COUNTED)
    return max(Counter(subject.positions[len(subject.positions) - 1 - since :]).values())


def plies_since(subject: Position | Game, resets: set[Progress]) -> int:
    """The plies since the last move of a game with any of these effects."""
    if isinstance(subject, Position):
        return 0
    since = 0
    for before, move in zip(reversed(subject.positions[:-1]), reversed(subject.moves), strict=True):
        if progress_of(move, by_man=before.pieces[move.origin].kind is not PieceKind.KING) & resets:
            break
        since += 1
    return since
