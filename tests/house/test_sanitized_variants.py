"""The rules that CI compiles under the sanitizers have, together, every shape that compiled rules can have.

What the rules decide is the same code for compiled rules and for rules as values, and every variant is played
as values there; what differs is the size of words, and whether a position has marks and runs of kings.
"""

from __future__ import annotations

import json

import pytest

from crownhead import VARIANTS
from tests.rules.suites import ROOT


def sanitized() -> list[str]:
    """The variants of the preset of ``make sanitize``."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text("utf-8"))["configurePresets"]
    (preset,) = (preset for preset in presets if preset["name"] == "sanitize")
    keys: str = preset["cacheVariables"]["CROWNHEAD_SPECIALISED"]
    return keys.split(";")


def shapes() -> set[tuple[bool, bool, bool]]:
    """Of each sanitized variant: whether it has wide words, marked men and runs of kings."""
    rows = [VARIANTS[key] for key in sanitized()]
    return {(row.board.squares > 64, row.rules.marked is not None, row.rules.king_run > 0) for row in rows}


@pytest.mark.parametrize("part", range(3), ids=("wide words", "marked men", "runs of kings"))
def test_a_shape_is_there_and_one_without_it(part: int) -> None:
    assert {shape[part] for shape in shapes()} == {True, False}


def test_every_variant_named_has_rules_of_its_own() -> None:
    rules = [(VARIANTS[key].rules, VARIANTS[key].board) for key in sanitized()]
    assert len(set(rules)) == len(rules)
