"""Counting towards a draw, straight from the articles: repetitions, and moves without progress."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from crownhead.rules.schema import DrawRule, NoProgressDraw, PieceKind, Progress, RepetitionDraw
from tests.reference.board import Arrangement, cell_of
from tests.reference.moves import Identity, play


def draws_reached(
    start: Arrangement, moves: Sequence[Identity], rules: Sequence[DrawRule]
) -> tuple[DrawRule, ...]:
    """The draw rules whose condition holds in the last position of a game."""
    history = [start]
    for move in moves:
        history.append(play(history[-1], move))
    return tuple(rule for rule in rules if _holds(rule, history, moves))


def _holds(rule: DrawRule, history: Sequence[Arrangement], moves: Sequence[Identity]) -> bool:
    if isinstance(rule, RepetitionDraw):
        seen = Counter(arrangement.identity() for arrangement in history)
        return seen[history[-1].identity()] >= rule.times
    idle = _plies_without_progress(rule, history, moves)
    return idle >= 2 * rule.moves_each


def _plies_without_progress(
    rule: NoProgressDraw, history: Sequence[Arrangement], moves: Sequence[Identity]
) -> int:
    for idle, (arrangement, move) in enumerate(zip(reversed(history[:-1]), reversed(moves), strict=True)):
        if rule.resets & _progress(arrangement, move):
            return idle
    return len(moves)


def _progress(arrangement: Arrangement, move: Identity) -> set[Progress]:
    """What the move achieved. A mule moves as a man does and counts as one."""
    piece = arrangement.pieces[cell_of(arrangement.variant, move.origin)]
    achieved = set()
    if move.captures:
        achieved.add(Progress.CAPTURE)
    if piece.kind is not PieceKind.KING:
        achieved.add(Progress.MAN_MOVE)
    if move.crowned:
        achieved.add(Progress.CROWNING)
    return achieved
