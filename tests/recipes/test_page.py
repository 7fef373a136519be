"""The recipe for a page is followed to the letter, and nothing else is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipes.copies import Copy
from tests.recipes.page import RECIPES

PAGE = RECIPES / "adding_a_page.md"


@pytest.mark.nightly
def test_the_recipe_works_to_the_letter(tmp_path: Path) -> None:
    Copy(tmp_path).follow(PAGE)
