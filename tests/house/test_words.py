"""The words that we have agreed not to use: standard English and the field's terms stand in their place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.tree import HOUSE, files, name

# What is read; a further package needs one line here.
CHECKED = (
    "docs",
    "src",
    "tests",
    "native",
    "benchmarks",
)
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
# A pattern, and what to write instead.
DENIED = {
    r"he|his|him|himself": "they, their or them: we do not know who it is",
    r"whoever|whomever": "anyone who",
    r"nought": "zero, or 0",
    r"anew": "again",
    r"(by|the) lots?": "at random, a random draw",
    r"(tell|tells|told) of": "says, describes, reports",
    r"gone on with": "continued",
    r"(bring|brings|brought) about": "cause, lead to",
    r"pawns?": "man, men",
    r"mgr": "a name that says what it does",
}
_DENIED = {re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE): advice for pattern, advice in DENIED.items()}
_ANY_DENIED = re.compile(rf"\b(?:{'|'.join(DENIED)})\b", re.IGNORECASE)

ITSELF = {
    Path(__file__).resolve(),
    HOUSE / "tests" / "server" / "config" / "test_openapi.py",
}  # they name the words


def complaints(text: str) -> list[str]:
    """Return the denied words of a text as `line: word (write …)`."""
    return [
        f"{number}: {match[0]!r} (write {advice})"
        for number, line in enumerate(text.splitlines(), 1)
        if _ANY_DENIED.search(_spaced(line))
        for pattern, advice in _DENIED.items()
        for match in pattern.finditer(_spaced(line))
    ]


def _spaced(line: str) -> str:
    """Return the line; the name of a test with spaces, for it is a sentence."""
    return line.replace("_", " ") if line.lstrip().startswith("def test_") else line


def checked_files() -> list[Path]:
    """Return the sources, templates and pages to check, without this file."""
    paths = [
        *(HOUSE / page for page in PAGES),
        *files(*CHECKED, suffixes=(".py", ".md", ".html", ".txt", ".js", ".hpp", ".cpp")),
    ]
    return [path for path in paths if path not in ITSELF]


def test_denied_words_are_not_used() -> None:
    used = [f"{name(path)}:{one}" for path in checked_files() for one in complaints(path.read_text("utf-8"))]
    assert used == [], "the words to use are in docs/glossary.md"


@pytest.mark.parametrize(
    "text",
    [
        "Whoever wins takes his place.",
        "set it to nought",
        "made anew",
        "drawn by lot",
        "a pawn moves",
        "    def test_a_count_is_made_anew() -> None:",
    ],
)
def test_the_check_notices_a_denied_word(text: str) -> None:
    assert complaints(text)


@pytest.mark.parametrize("text", ["The heap of this theme.", "a lot of games", "history", "two lots of cake"])
def test_the_check_lets_other_words_pass(text: str) -> None:
    assert complaints(text) == []
