"""The signature of the search is the recorded one: an unintended functional change is noticed."""

from __future__ import annotations

from pathlib import Path

from crownhead.engine.signature import signature

RECORDED = Path(__file__).parents[2] / "suites" / "engine" / "signature.txt"


def test_the_search_has_the_recorded_signature() -> None:
    lines = RECORDED.read_text("utf-8").splitlines()
    (number,) = [int(line) for line in lines if line and not line.startswith("#")]
    assert signature() == number
