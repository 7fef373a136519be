"""The page for hosts documents every option."""

from __future__ import annotations

import pytest

from crownhead.contest.formats import FORMATS
from crownhead.contest.tie_breaks import TIE_BREAKS
from manual import generated
from tests.house.tree import HOUSE

PAGE = HOUSE / "docs" / "contests.md"
TEXT = generated.filled(PAGE.read_text("utf-8"), PAGE)


@pytest.mark.parametrize("key", list(FORMATS))
def test_the_page_names_every_format_and_each_of_its_options(key: str) -> None:
    made = FORMATS[key]
    assert f"| `{key}` | {made.name} | {made.summary} |" in TEXT
    options = [f"| `{key}` | `{option.key}` | {option.text} |" for option in made.options]
    assert [option for option in options if option not in TEXT] == []


def test_the_page_names_every_tie_break() -> None:
    assert [one.key for one in TIE_BREAKS.values() if f"| `{one.key}` | {one.name} |" not in TEXT] == []
