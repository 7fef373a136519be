"""Simple moves that a side makes with one king in a row, as article 17 of the Frisian rules counts them."""

from __future__ import annotations

from collections.abc import Mapping

from crownhead.rules.schema import Colour, PieceKind
from tests.reference.board import Arrangement, Cell, Run


def runs_after(
    before: Arrangement, after: Arrangement, step: tuple[Cell, Cell] | None
) -> Mapping[Colour, Run]:
    """The runs once the side to move in ``before`` has made a step, or a capture (None)."""
    if not before.variant.rules.king_run:
        return {}
    runs = dict(before.runs)
    runs.pop(before.turn, None)
    if step is not None and before.pieces[step[0]].kind is PieceKind.KING:
        runs[before.turn] = Run(step[1], _steps_so_far(before, step[0]) + 1)
    return {side: run for side, run in runs.items() if _counts(after, side, run)}


def _steps_so_far(before: Arrangement, king: Cell) -> int:
    run = before.runs.get(before.turn)
    return run.steps if run is not None and run.cell == king else 0


def _counts(after: Arrangement, side: Colour, run: Run) -> bool:
    """Nothing is counted for a king that was taken, nor for a side that has kings only."""
    king = after.pieces.get(run.cell)
    alive = king is not None and king.colour is side
    return alive and any(piece.kind is not PieceKind.KING for _, piece in after.of(side))
