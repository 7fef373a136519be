"""Runs commands in this process and shows what they print."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from crownhead.cli.main import main


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

    def ran(*arguments: str) -> Ran:
        status = main(arguments)
        printed = capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    return ran
