"""Every file of the repository that a comment or docstring names is there."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import HOUSE, files, name

_COMMENTED = (".py", ".js", ".css", ".cpp", ".hpp")
_FOLDERS = ("src", "native", "tests", "benchmarks", "docs", "suites", "deploy", ".ci", ".github")
_TYPES = "py|js|css|cpp|hpp|html|md"
_NAMED = re.compile(rf"(?<![\w./~<-])(?P<path>(?:[\w.-]+/)*[\w.-]*\w\.(?:{_TYPES}))\b(?!/)")
_NOTE = re.compile(r"/\*.*?\*/|(?:^|\s)//[^\n]*", re.DOTALL)
_NOT_OURS = {"rows.cpp", "specialisations.cpp", "fiveinline.com/sbps.html"}
"""What ``native/generate_variants.py`` writes, and a page of a site."""


def notes(path: Path) -> Iterator[str]:
    """The comments of a file, and the docstrings of one in Python."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        yield from _NOTE.findall(text)
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


def ends() -> set[str]:
    """The path of every file from each of its folders on: what a reader who knows the folder would write."""
    parts = [
        path.relative_to(HOUSE).parts
        for pattern in ("*", *(f"{folder}/**/*" for folder in _FOLDERS))
        for path in HOUSE.glob(pattern)
        if path.is_file()
    ]
    return {"/".join(path[at:]) for path in parts for at in range(len(path))}


def test_every_file_that_a_comment_or_docstring_names_exists() -> None:
    """By its path, the end of it, or its path from the file itself, as an import gives it."""
    known = ends() | _NOT_OURS

    def unknown(text: str, beside: Path) -> set[str]:
        named = set(_NAMED.findall(text)) - known
        return {path for path in named if not (beside / path).exists()}

    lost = {
        f"{name(path)}: {named}"
        for path in files("src", "native", "tests", "benchmarks", "docs", suffixes=_COMMENTED)
        if unknown(path.read_text("utf-8"), path.parent)  # few files are taken apart: that takes long
        for note in notes(path)
        for named in unknown(note, path.parent)
    }
    assert lost == set()
