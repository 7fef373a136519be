"""The recipe for a tournament format is followed to the letter, and nothing else is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipes.copies import Copy
from tests.recipes.page import RECIPES, changes, commands

PAGE = RECIPES / "adding_a_tournament_format.md"


@pytest.mark.slow
def test_the_recipe_works_to_the_letter(tmp_path: Path) -> None:
    copy = Copy(tmp_path)
    copy.take_the_kernel()
    for change in changes(PAGE):
        change.apply(copy.folder)
    typed = list(commands(PAGE))
    assert typed
    for command in typed:
        copy.run(command)
