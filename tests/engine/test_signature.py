"""The search is the one that is written down: a change that nobody meant is noticed."""

from __future__ import annotations

from pathlib import Path

from crownhead.engine.signature import signature

WRITTEN = Path(__file__).parents[2] / "suites" / "engine" / "signature.txt"


def test_the_search_visits_as_many_nodes_as_is_written_down() -> None:
    lines = WRITTEN.read_text("utf-8").splitlines()
    (number,) = [int(line) for line in lines if line and not line.startswith("#")]
    assert signature() == number
