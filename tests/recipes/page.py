"""Reads a recipe of the manual: the files it changes, and what it says to run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.house.tree import HOUSE

RECIPES = HOUSE / "docs" / "recipes"
_BLOCK = re.compile(
    r"^```\{code-block\} (?P<language>\w+)\n(?::caption: (?P<caption>\S+)\n)?\n?(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_LISTED = re.compile(r"^\| `(?P<path>[^`]*/[^`]+)` \|", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Change:
    """A file that a recipe writes; or, of a ``diff``, lines that it adds to one and takes away."""

    path: str
    body: str
    diff: bool

    def apply(self, house: Path) -> None:
        """Do it in a copy of the tree; raises ``AssertionError`` where the lines around it are not there."""
        file = house / self.path
        if not self.diff:
            assert not file.exists(), f"expected a new file, got {self.path}"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.body, "utf-8")
            return
        lines = self.body.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if not line.startswith("+"))
        after = "".join(line[1:] for line in lines if not line.startswith("-"))
        text = file.read_text("utf-8")
        assert text.count(before) == 1, f"expected once in {self.path}:\n{before}"
        file.write_text(text.replace(before, after), "utf-8")


@dataclass(frozen=True, slots=True)
class Command:
    """A line for the terminal, and lines that it prints among others."""

    line: str
    prints: tuple[str, ...]


def changes(page: Path) -> list[Change]:
    """What a recipe does to the tree, in its order."""
    found = _BLOCK.finditer(page.read_text("utf-8"))
    return [
        Change(block["caption"], block["body"], block["language"] == "diff")
        for block in found
        if block["caption"]
    ]


def commands(page: Path) -> Iterator[Command]:
    """What a recipe says to run, in its order."""
    for block in _BLOCK.finditer(page.read_text("utf-8")):
        if block["language"] == "console":
            for typed in block["body"].removeprefix("$ ").split("\n$ "):
                line, *prints = typed.strip().splitlines()
                yield Command(line, tuple(prints))


def listed(page: Path) -> set[str]:
    """The files in the table at the top of a recipe."""
    head = page.read_text("utf-8").partition("\n## ")[0]
    return set(_LISTED.findall(head))
