"""Counting towards a draw, straight from the articles: repetitions, moves without progress, last forces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from crownhead.rules.schema import (
    BalanceDraw,
    Colour,
    DrawRule,
    MaterialDraw,
    NoProgressDraw,
    PieceKind,
    Progress,
    RepetitionDraw,
)
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
    if isinstance(rule, NoProgressDraw):
        return _plies_without_progress(rule.resets, history, moves) >= 2 * rule.moves_each
    return _plies_of_standing(rule, history, moves) >= 2 * rule.moves_each


def _plies_of_standing(
    rule: MaterialDraw | BalanceDraw, history: Sequence[Arrangement], moves: Sequence[Identity]
) -> int:
    """Counted forward through the game, from what the rule asks for coming about or the last reset."""
    count, stood = 0, False
    for ply, arrangement in enumerate(history):
        stands = _stands(rule, arrangement)
        progress = _progress(history[ply - 1], moves[ply - 1]) if ply else set()
        begins = not stands or not stood or bool(progress & _resets(rule))
        count, stood = 0 if begins else count + 1, stands
    return count


def _resets(rule: MaterialDraw | BalanceDraw) -> frozenset[Progress]:
    if isinstance(rule, MaterialDraw):
        return frozenset()
    return frozenset({Progress.CAPTURE, Progress.CROWNING})


def _stands(rule: MaterialDraw | BalanceDraw, arrangement: Arrangement) -> bool:
    if isinstance(rule, BalanceDraw):
        both = all("K" in _force(arrangement, side) for side in Colour)
        return both and rule.pieces[0] <= len(arrangement.pieces) <= rule.pieces[1]
    return any(
        _force(arrangement, side.opponent) in rule.strong
        and _force(arrangement, side) in rule.weak
        and (not rule.on_main_road or _is_on_main_road(arrangement, side))
        for side in Colour
    )


def _force(arrangement: Arrangement, side: Colour) -> str:
    """The pieces of a side as the articles write them: ``KKM``."""
    letters = ("K" if piece.kind is PieceKind.KING else "M" for _, piece in arrangement.of(side))
    return "".join(sorted(letters))


def _is_on_main_road(arrangement: Arrangement, side: Colour) -> bool:
    """The king of the side stands on the diagonal through two corners of the board."""
    board = arrangement.variant.board
    if board.width != board.height:
        return False
    ((file, rank), _), *_others = arrangement.of(side)
    return file == rank if board.left_corner else file + rank == board.width - 1


def _plies_without_progress(
    resets: frozenset[Progress], history: Sequence[Arrangement], moves: Sequence[Identity]
) -> int:
    for idle, (arrangement, move) in enumerate(zip(reversed(history[:-1]), reversed(moves), strict=True)):
        if resets & _progress(arrangement, move):
            return idle
    return len(moves)


def _progress(arrangement: Arrangement, move: Identity) -> set[Progress]:
    """What the move achieved. Men that are marked count as men."""
    piece = arrangement.pieces[cell_of(arrangement.variant, move.origin)]
    achieved = set()
    if move.captures:
        achieved.add(Progress.CAPTURE)
    if piece.kind is not PieceKind.KING:
        achieved.add(Progress.MAN_MOVE)
    if move.crowned:
        achieved.add(Progress.CROWNING)
    return achieved
