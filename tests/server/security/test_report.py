"""The table of ``make security`` tells what could not be looked up from what is fine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.security.report import NO_SOURCE, named_tests, read_advisories

DJANGO = {"name": "django", "version": "5.2.8", "vulns": []}
WEAK = {"name": "h11", "version": "0.1", "vulns": [{"id": "PYSEC-1"}]}
UNKNOWN = {"name": "nh3", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "good", "found"),
    [
        ([DJANGO], True, "0 of 1 packages weak"),
        ([DJANGO, WEAK], False, "1 of 2 packages weak"),
        ([DJANGO, UNKNOWN], True, "0 of 1 packages weak, 1 unknown"),
        ([UNKNOWN], None, NO_SOURCE),
        ([], None, NO_SOURCE),
    ],
)
def test_known_weaknesses_are_counted(packages: list[Any], good: bool | None, found: str) -> None:
    result = read_advisories(json.dumps({"dependencies": packages}))
    assert (result.good, result.found) == (good, found)


def test_without_an_answer_nothing_is_called_good() -> None:
    assert read_advisories("").good is None


def test_the_tests_that_the_page_names_are_run_once_each() -> None:
    page = "`tests/a/test_b.py::test_c`, `tests/a/test_b.py`, `tests/browser/test_x.py`, tests/no/test_d.py"
    assert named_tests(page) == ["tests/a/test_b.py"]
