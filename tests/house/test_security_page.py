"""The page of security names tests that exist, and every chapter of the standard."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.house.tree import HOUSE

PAGE = (HOUSE / "docs" / "security.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)))
_VERDICTS = {"holds", "in part", "no", "does not apply"}
_ROW = re.compile(r"^\| (?P<numbers>\d[\d., –]*) \| (?P<verdict>[a-z ]+) \| (?P<words>.+) \|$", re.MULTILINE)


@cache
def functions(path: str) -> frozenset[str]:
    """The names of the functions of a file."""
    tree = ast.parse((HOUSE / path).read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_test_that_the_page_names_exists(path: str, name: str) -> None:
    assert (HOUSE / path).is_file(), f"docs/security.md names {path}, which does not exist"
    assert not name or name in functions(path), f"docs/security.md names {name}, which is not in {path}"


def test_every_path_of_a_test_is_named_so_that_it_is_checked() -> None:
    assert len(NAMED) > 40
    assert set(re.findall(r"tests/[\w/]+\.py", PAGE)) == {path for path, _name in NAMED}


def test_every_chapter_is_there_with_its_verdicts() -> None:
    chapters = re.findall(r"^### V(\d+) ", PAGE, re.MULTILINE)
    assert [int(number) for number in chapters] == list(range(1, 18))
    rows = [row.groupdict() for row in _ROW.finditer(PAGE)]
    assert len(rows) > 100
    assert {row["verdict"] for row in rows} == _VERDICTS


def test_a_row_that_holds_names_what_shows_it() -> None:
    rows = [row.groupdict() for row in _ROW.finditer(PAGE)]
    unshown = [row["numbers"] for row in rows if row["verdict"] == "holds" and "`tests/" not in row["words"]]
    assert unshown == []


def test_a_row_that_does_not_apply_says_why() -> None:
    rows = [row.groupdict() for row in _ROW.finditer(PAGE) if row["verdict"] != "holds"]
    assert [row["numbers"] for row in rows if len(row["words"].split()) < 2] == []
