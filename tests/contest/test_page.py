"""The page for hosts documents every option."""

from __future__ import annotations

import pytest

from crownhead.contest.formats import FORMATS
from crownhead.contest.tie_breaks import TIE_BREAKS
from tests.house.tree import HOUSE

PAGE = (HOUSE / "docs" / "contests.md").read_text("utf-8")


@pytest.mark.parametrize("key", list(FORMATS))
def test_the_page_names_every_format_and_each_of_its_own_options(key: str) -> None:
    assert f"| `{key}` |" in PAGE
    left_out = {
        "games",
        "seeding",
        "tie_breaks",
        "first_side",
        "streaks",
        "at_least",
        "third_place",
        "rounds",
    }
    options = {option.key for option in FORMATS[key].options} - left_out
    assert [option for option in options if f"`{option}`" not in PAGE] == []


def test_the_page_names_every_tie_break() -> None:
    assert [one.key for one in TIE_BREAKS.values() if f"| `{one.key}` | {one.name} |" not in PAGE] == []
