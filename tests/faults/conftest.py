"""The figures of a run, beneath those of pytest."""

from __future__ import annotations

from typing import Any

from tests.faults.figures import REPORTED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell what was come through."""
    if REPORTED:
        terminalreporter.section("faults")
        for sentence in REPORTED:
            terminalreporter.write_line(sentence)
