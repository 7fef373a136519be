"""The table of ``make security`` tells what could not be looked up from what is fine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.server.security.report import (
    NO_SOURCE,
    in_browsers,
    named_tests,
    read_advisories,
    read_bandit,
    read_tests,
)

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
    left = in_browsers(page)
    assert (left.good, left.found) == (None, "not run here: tests/browser/test_x.py")


@pytest.mark.parametrize(
    ("output", "status", "good", "found"),
    [
        ("....\n4 passed in 2.11s\n", 0, True, "4 passed"),
        ("..F\n1 failed, 2 passed in 2.11s\n", 1, False, "1 failed, 2 passed"),
        ("ss\n2 skipped in 0.01s\n", 0, None, "no test was run"),
        ("\nno tests ran in 0.01s\n", 5, False, "no test was run"),
        ("", 3, False, "no test was run"),
    ],
)
def test_where_no_test_was_run_nothing_is_called_good(
    output: str, status: int, good: bool | None, found: str
) -> None:
    result = read_tests(output, "", status=status)
    assert (result.good, result.found) == (good, found)


@pytest.mark.parametrize(
    ("report", "good", "found"),
    [
        ({"results": [], "errors": [], "metrics": {"_totals": {"loc": 9}}}, True, "0 found in 9 lines"),
        ({"results": [{}], "errors": [], "metrics": {"_totals": {"loc": 9}}}, False, "1 found in 9 lines"),
        (
            {"results": [], "errors": [{}], "metrics": {"_totals": {"loc": 9}}},
            False,
            "0 found in 9 lines, 1 files unread",
        ),
        ({"results": [], "errors": [], "metrics": {"_totals": {"loc": 0}}}, False, "0 found in 0 lines"),
    ],
)
def test_what_bandit_read_is_told_with_what_it_found(report: Any, good: bool, found: str) -> None:
    result = read_bandit(json.dumps(report), "")
    assert (result.good, result.found) == (good, found)


def test_a_program_that_fails_spoils_no_table() -> None:
    assert read_bandit("", "no such file").output == "no such file"
