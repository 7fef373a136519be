"""What the documents promise holds: their links lead somewhere, their commands exist, their examples run."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import HOUSE, name, project

DOCUMENTS = sorted(
    [*HOUSE.glob("*.md"), *(HOUSE / "docs").rglob("*.md"), *(HOUSE / "benchmarks").glob("*.md")]
)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_MAKE = re.compile(r"\bmake ([a-z]+)\b")
_PROGRAM = re.compile(r"(?:^|[`/])crownhead ([a-z]+)\b", re.MULTILINE)
_EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def anchors(document: Path) -> set[str]:
    """The names by which the headings of a document are linked."""
    headings = _HEADING.findall(document.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def code_of(document: Path) -> str:
    """Everything that a document sets as code."""
    return "\n".join(_CODE.findall(document.read_text("utf-8")))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_link_leads_somewhere(document: Path) -> None:
    lost = []
    for link in _LINK.findall(document.read_text("utf-8")):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        path = (document.parent / target).resolve() if target else document
        if not path.exists() or (anchor and anchor not in anchors(path)):
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_make_target_that_is_named_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (HOUSE / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(_MAKE.findall(code_of(document))) <= targets


def test_every_command_that_the_readme_names_exists() -> None:
    named = set(_PROGRAM.findall(code_of(HOUSE / "README.md")))
    program = subprocess.run(
        [sys.executable, "-m", "crownhead.cli", "--help"], capture_output=True, text=True, check=True
    )
    assert named
    assert {command for command in named if not re.search(rf"\b{command}\b", program.stdout)} == set()


def test_the_examples_of_the_readme_run() -> None:
    text = (HOUSE / "README.md").read_text("utf-8")
    examples = "\n".join(_EXAMPLE.findall(text))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", "README.md", 0)
    assert test.examples
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


def test_every_dependency_has_its_reason() -> None:
    reasons = (HOUSE / "docs" / "decisions" / "0002-dependencies.md").read_text("utf-8")
    wanted = [
        *project()["build-system"]["requires"],
        *project()["project"]["optional-dependencies"]["server"],
        *project()["dependency-groups"]["test"],
        *project()["dependency-groups"]["dev"],
    ]
    names = {re.split(r"[^A-Za-z0-9_-]", requirement, maxsplit=1)[0] for requirement in wanted}
    assert {package for package in names if f"| {package} |" not in reasons} == set()


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in sorted((HOUSE / "docs" / "decisions").glob("[0-9]*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))
