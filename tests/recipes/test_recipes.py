"""Every recipe lists exactly the files it touches, fits the tree as it stands, and is walked by a test."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.house.tree import HOUSE, name
from tests.recipes.page import RECIPES, Change, changes, listed

TOLD = RECIPES / "adding_a_rule.md"  # it says what to change where; following it would take a new kernel
PAGES = sorted(page for page in RECIPES.glob("*.md") if page != TOLD and page.stem != "index")
WALKED = {
    f"tests/recipes/test_{page.stem.removeprefix('adding_a_').removeprefix('adding_an_')}.py"
    for page in PAGES
}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_recipe_lists_the_files_that_it_touches(page: Path) -> None:
    assert listed(page) == {change.path for change in changes(page)}


def test_the_recipe_that_is_only_told_names_files_that_are_there() -> None:
    assert [path for path in listed(TOLD) if "<" not in path and not (HOUSE / path).exists()] == []
    assert len(listed(TOLD)) > 5
    assert changes(TOLD) == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_recipe_fits_the_tree(page: Path, tmp_path: Path) -> None:
    for change in changes(page):
        here, there = HOUSE / change.path, tmp_path / change.path
        if here.exists() and not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(here, there)
        change.apply(tmp_path)
        assert there.read_text("utf-8") != (here.read_text("utf-8") if here.exists() else "")


def test_every_recipe_is_walked_by_a_test() -> None:
    walks = {name(path) for path in (HOUSE / "tests" / "recipes").glob("test_*.py")}
    assert sorted(WALKED - walks) == []


def test_every_recipe_is_in_the_list() -> None:
    index = (RECIPES / "index.md").read_text("utf-8")
    assert [
        page.stem
        for page in (*PAGES, TOLD)
        if f"]({page.name})" not in index or f"\n{page.stem}\n" not in index
    ] == []


@pytest.mark.parametrize("body", [" lost\n+new\n", " twice\n+new\n"])
def test_lines_that_are_not_there_exactly_once_are_refused(tmp_path: Path, body: str) -> None:
    (tmp_path / "file.txt").write_text("twice\ntwice\n", "utf-8")
    with pytest.raises(AssertionError, match="expected once in file"):
        Change("file.txt", body, diff=True).apply(tmp_path)
