"""Problem positions with a known result: the engine proves it in a bounded number of nodes, every time."""

from __future__ import annotations

from pathlib import Path

import pytest

from crownhead import Position
from crownhead.engine import Engine

SUITE = Path(__file__).parents[2] / "suites" / "engine" / "problems.txt"
NODES = 60_000
SIGNS = {"wins": 1, "draws": 0, "loses": -1}


def problems() -> list[tuple[str, str, str, str, str]]:
    """Variant, claim, first move or ``-``, FEN and name of each."""
    lines = SUITE.read_text("utf-8").splitlines()
    rows = [line.split(maxsplit=4) for line in lines if line and not line.startswith("#")]
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


@pytest.mark.parametrize(
    ("variant", "claim", "move", "fen"),
    [pytest.param(*row[:4], id=row[4]) for row in problems()],
)
def test_the_result_of_a_problem_is_proven(variant: str, claim: str, move: str, fen: str) -> None:
    position = Position.from_fen(fen, variant)
    report = Engine(variant, megabytes=8, weights=b"").analyse(position, nodes=NODES)
    assert report.proven
    assert report.score is not None
    assert (report.score.value > 0) - (report.score.value < 0) == SIGNS[claim]
    if move != "-":
        assert report.move == position.parse(move)


def test_the_same_nodes_give_the_same_lines_twice() -> None:
    variant, _, _, fen, _ = problems()[3]
    lines = [
        Engine(variant, megabytes=8, weights=b"").analyse(Position.from_fen(fen, variant), nodes=NODES).lines
        for _ in range(2)
    ]
    assert lines[0] == lines[1]
