"""Every file is short, opens with a sentence and leaves nothing to do."""

from __future__ import annotations

import ast
import re
from itertools import takewhile
from pathlib import Path

from tests.house.tree import HOUSE, files, name

LONGEST = 500
_CODE = ("src", "native", "tests", "benchmarks", "docs")
_UNFINISHED = re.compile(r"\b(TODO|FIXME|HACK)\b")


def opening(path: Path) -> str:
    """The first paragraph of a file: of its docstring, or of the comment that it opens with."""
    text = path.read_text("utf-8").removeprefix("#!/usr/bin/env bash\n")
    if path.suffix == ".py":
        return (ast.get_docstring(ast.parse(text)) or "").split("\n\n", 1)[0]
    if text.startswith("/*"):
        return " ".join(text[2:].split("*/", 1)[0].replace("*", " ").split())
    mark = "//" if text.startswith("//") else "#"
    lines = takewhile(lambda line: line.strip(mark + " "), text.splitlines())
    words = takewhile(lambda line: line.startswith(mark), lines)
    return " ".join(word.strip(mark + " ") for word in words if "@ts-check" not in word)


def test_no_file_is_longer_than_five_hundred_lines() -> None:
    long = {
        name(path): lines
        for path in files(*_CODE, suffixes=(".py", ".cpp", ".hpp", ".js", ".css", ".html", ".md"))
        if (lines := len(path.read_text("utf-8").splitlines())) > LONGEST
    }
    assert long == {}


def test_every_file_opens_with_a_sentence_that_says_what_it_is_for() -> None:
    silent = []
    for path in files(*_CODE, suffixes=(".py", ".cpp", ".hpp", ".js", ".css")):
        empty_package = path.name == "__init__.py" and not path.read_text("utf-8").strip()
        # A heading line may lead on to a list or a drawing by a colon.
        if not empty_package and not opening(path).rstrip().endswith((".", ":", "!", "?")):
            silent.append(name(path))
    assert silent == []


def test_every_door_opens_with_a_sentence_that_says_what_it_is_for() -> None:
    doors = ("Makefile", "manage.py", "CMakeLists.txt", ".ci/run", ".ci/ground")
    assert [door for door in doors if not opening(HOUSE / door).endswith((".", ":"))] == []


def test_nothing_is_left_to_do() -> None:
    unfinished = [
        f"{name(path)}:{number}"
        for path in files(*_CODE, suffixes=(".py", ".cpp", ".hpp", ".js", ".css", ".html", ".md"))
        if path != Path(__file__).resolve()
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if _UNFINISHED.search(line)
    ]
    assert unfinished == []
