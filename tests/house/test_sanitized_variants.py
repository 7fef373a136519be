"""The variants that CI compiles under the sanitizers have, together, every value of every rule."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from enum import StrEnum
from typing import Any

import pytest

from crownhead import VARIANTS
from crownhead.rules.schema import (
    Crowning,
    Grid,
    Landing,
    Objective,
    PieceKind,
    Priority,
    Promotion,
    Removal,
    Rules,
)
from tests.rules.suites import ROOT

COLUMNS = [field.name for field in fields(Rules)]
ENUMS = (Crowning, Grid, Landing, Objective, Priority, Promotion, Removal)


def sanitized() -> list[str]:
    """The variants of the preset of ``make sanitize``."""
    presets = json.loads((ROOT / "CMakePresets.json").read_text("utf-8"))["configurePresets"]
    (preset,) = (preset for preset in presets if preset["name"] == "sanitize")
    keys: str = preset["cacheVariables"]["CROWNHEAD_SPECIALISED"]
    return keys.split(";")


def values(keys: Iterable[str], column: str) -> set[Any]:
    """What stands in a column of the rules of some variants; priorities one by one."""
    found = [getattr(VARIANTS[key].rules, column) for key in keys]
    return {one for value in found for one in value or [None]} if column == "priority" else set(found)


@pytest.mark.parametrize("column", COLUMNS)
def test_every_value_that_a_rule_has_in_some_variant_is_there(column: str) -> None:
    assert values(VARIANTS, column) - values(sanitized(), column) == set()


@pytest.mark.parametrize("kinds", ENUMS)
def test_every_kind_that_rules_and_boards_know_is_there(kinds: type[StrEnum]) -> None:
    rows = [VARIANTS[key] for key in sanitized()]
    there = {value for column in COLUMNS for value in values(sanitized(), column)}
    there |= {row.board.grid for row in rows}
    assert {kind for kind in kinds if kind not in there} == set()


def test_every_kind_of_piece_is_there() -> None:
    marked = values(sanitized(), "marked")
    assert marked == {None, *PieceKind} - {PieceKind.MAN, PieceKind.KING}


def test_boards_of_more_than_64_squares_are_there() -> None:
    assert any(VARIANTS[key].board.squares > 64 for key in sanitized())


def test_every_variant_named_has_rules_of_its_own() -> None:
    rules = [(VARIANTS[key].rules, VARIANTS[key].board) for key in sanitized()]
    assert len(set(rules)) == len(rules)
