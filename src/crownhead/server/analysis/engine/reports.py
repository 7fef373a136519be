"""What the engine reports, as it is kept: plain values that pages and programs read."""

from __future__ import annotations

from typing import Any

from crownhead import Position
from crownhead.engine import Line, Report
from crownhead.server.analysis.choices import LONGEST_LINE


def as_dict(report: Report) -> dict[str, Any]:
    """A report as it is stored and published."""
    return {
        "depth": report.depth,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 2),
        "proven": report.proven,
        "tables": report.verdict is not None,
        "lines": [
            _line(report.position, line, proven=report.proven if rank == 0 else _is_certain(report, line))
            for rank, line in enumerate(report.lines)
        ],
    }


def _is_certain(report: Report, line: Line) -> bool:
    """A forced end that comes before any draw rule which the search leaves out of account."""
    score = line.score
    plies = score.win_in if score.win_in is not None else score.loss_in
    return plies is not None and (report.certain is None or plies <= report.certain)


def _line(position: Position, line: Line, *, proven: bool) -> dict[str, Any]:
    """Scores are of the side to move; ``path`` is that of the first move, for an arrow."""
    moves = []
    for move in line.moves[:LONGEST_LINE]:
        moves.append(position.notation(move))
        position = position.play(move)
    return {
        "score": line.score.value,
        "wins_in": line.score.win_in,
        "loses_in": line.score.loss_in,
        "proven": proven,
        "moves": moves,
        "path": list(line.moves[0].path) if line.moves else [],
    }
