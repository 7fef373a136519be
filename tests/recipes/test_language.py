"""The recipe for a language is followed to the letter; pages, mails and help then speak it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipes.copies import Copy
from tests.recipes.page import RECIPES, Command

PAGE = RECIPES / "adding_a_language.md"


@pytest.mark.nightly
def test_the_recipe_works_to_the_letter(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.follow(PAGE)
    copy.run(Command(".venv/bin/python -m pytest tests/server/in_dutch.py", ()))
