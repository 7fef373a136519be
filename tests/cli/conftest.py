"""Fixtures that run commands, in this process or in another, and capture their output."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crownhead.cli.main import main

PROGRAM = [sys.executable, "-m", "crownhead.cli"]

# A draw of 1912, a game that Black wins in 1931, one that White wins without a date, a Russian draw.
GAMES = """\
[Event "Glasgow Open"]
[Date "1912.05.03"]
[Black "Stewart, R."]
[White "Jordan, A."]
[Result "1/2-1/2"]
1. 11-15 23-19 2. 8-11 22-17 3. 4-8 1/2-1/2

[Event "London"]
[Date "1931-08-??"]
[Black "Jordan, A."]
[White "Long, S."]
[Result "1-0"]
1. 9-14 22-18 2. 5-9 24-19 1-0

[Event "London"]
[Black "Long, S."]
[White "Cohen, S."]
[Result "0-1"]
{ a short one } 1. 11-15 22-18 (1... 23-19 2. 8-11) 2. 15x22 25x18 0-1

[Event "Moskva"]
[GameType "25"]
[Date "1964.01.20"]
[White "Isaev"]
[Black "Kuperman"]
[Result "1-1"]
1. c3-d4 b6-a5 2. d4-c5 d6:b4 3. a3:c5 1-1
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as data."""
        return json.loads(self.out)


Command = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    """A command with its arguments."""

    def ran(*arguments: str | Path) -> Ran:
        status = main(list(map(str, arguments)))
        printed = capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    return ran


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with the four games."""
    path = tmp_path / "games.pdn"
    path.write_text(GAMES, encoding="utf-8")
    return path


def program(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own, with its standard input."""
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)], input=given, capture_output=True, check=False, timeout=60
    )
