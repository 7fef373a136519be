"""Runs the code of a page of the manual, block by block, as somebody would who types it in."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FENCE = re.compile(r"^```(?P<language>python|console)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (?P<command>(?:.*\\\n)*.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: the line that it begins on, its language and its text."""

    line: int
    language: str
    body: str


def blocks(page: Path) -> Iterator[Block]:
    """What a page sets as Python or as a dialogue with a terminal; other blocks only show."""
    text = page.read_text("utf-8")
    for fence in _FENCE.finditer(text):
        yield Block(text.count("\n", 0, fence.start("body")) + 1, fence["language"], fence["body"])


def complaints(page: Path) -> list[str]:
    """What did not go as the page says, in the current folder; names are kept from block to block."""
    names: dict[str, Any] = {"__name__": page.stem}
    wrong: list[str] = []
    for block in blocks(page):
        if block.language == "console":
            wrong += _typed(block, page.name)
        elif block.body.startswith(">>>"):
            wrong += _asked(block, names, page.name)
        else:
            exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), names)
    return wrong


def _asked(block: Block, names: dict[str, Any], page: str) -> list[str]:
    """A dialogue with Python."""
    test = doctest.DocTestParser().get_doctest(block.body, {}, page, page, block.line - 1)
    test.globs = names
    runner = doctest.DocTestRunner(optionflags=_FLAGS, verbose=False)
    said: list[str] = []
    runner.run(test, out=said.append, clear_globs=False)
    return said


def _typed(block: Block, page: str) -> list[str]:
    """A dialogue with a terminal: lines behind `$` and what they print, on both streams."""
    wrong = []
    for dialogue in _COMMAND.finditer(block.body):
        command = re.sub(r"\bcrownhead ", f"{sys.executable} -m crownhead.cli ", dialogue["command"])
        done = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1"},
        )
        if not doctest.OutputChecker().check_output(dialogue["output"], done.stdout, _FLAGS):
            wrong.append(f"{page}:{block.line}: {dialogue['command']}\n{done.stdout}")
    return wrong
