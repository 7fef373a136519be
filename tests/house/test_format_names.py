"""The server asks a tournament format what it can do, and never which one it is."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from crownhead.contest.formats import FORMATS
from tests.house.test_directions import imports
from tests.house.tree import files, name

SERVER = "src/crownhead/server"
_QUOTED = re.compile("[\"'`](" + "|".join(FORMATS) + ")[\"'`]")


def formats_named(source: str) -> list[str]:
    """The texts of Python source that are the key of a format, as `line: key`."""
    texts = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    return [f"{text.lineno}: {text.value!r}" for text in texts if text.value in FORMATS]


def formats_imported(path: Path) -> list[str]:
    """What a file takes from the module of a single format, as `line: module`."""
    modules = {type(made).__module__ for made in FORMATS.values()}
    return [f"{line}: {module}" for line, module in imports(path) if module in modules]


def test_the_server_names_no_format() -> None:
    named = [
        f"{name(path)}:{place}"
        for path in files(SERVER, suffixes=(".py",))
        for place in formats_named(path.read_text("utf-8")) + formats_imported(path)
    ]
    assert named == [], "expected an attribute of `Format` to be asked instead"


def test_pages_styles_and_scripts_name_no_format() -> None:
    named = [
        f"{name(path)}: {found.group()}"
        for path in files(SERVER, suffixes=(".html", ".txt", ".css", ".js"))
        for found in _QUOTED.finditer(path.read_text("utf-8"))
    ]
    assert named == [], "expected an attribute of `Format` to be asked instead"


@pytest.mark.parametrize(
    "source",
    [
        "if made.key == 'swiss': ...",
        "crossed = {'round-robin'}",
        "usual = 'sections'",
        "match made.key:\n    case 'arena': ...",
    ],
)
def test_the_check_notices_a_format_that_is_named(source: str) -> None:
    assert formats_named(source)


def test_the_check_notices_a_format_that_is_imported(tmp_path: Path) -> None:
    file = tmp_path / "view.py"
    file.write_text("from crownhead.contest.formats.swiss import Swiss\n", "utf-8")
    assert formats_imported(file)
