"""What the documents promise holds: their links lead somewhere, their commands exist, their examples run."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from crownhead.server.config.api import api
from crownhead.server.config.settings import LIMITS
from crownhead.server.core.hosting.options import KNOWN
from tests.club import Club
from tests.house.tree import HOUSE, name, project

DOCUMENTS = sorted(
    [*HOUSE.glob("*.md"), *(HOUSE / "docs").rglob("*.md"), *(HOUSE / "benchmarks").rglob("*.md")]
)
SOURCES = [
    path.relative_to(HOUSE).as_posix()
    for pattern in ("*.py", "src/**/*.*", "native/**/*.*", "tests/**/*.*", "docs/**/*.*", "benchmarks/**/*.*")
    for path in HOUSE.glob(pattern)
]
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)
_MAKE = re.compile(r"\bmake ([a-z]+)\b")
_PROGRAM = re.compile(r"(?:^|[`/])crownhead ([a-z]+)\b", re.MULTILINE)
_EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
_SCRIPT = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_SOURCE = re.compile(r"`(?P<path>[\w./-]*\w\.(?:py|js|html|css|hpp|cpp))(?:::[^`]*)?`")
_MET = re.compile(r"^(?P<name>[a-z_]+(?:\.[A-Za-z_]+)+)", re.MULTILINE)
_HEADING = re.compile(r"^(#+) +(.*)$", re.MULTILINE)


def anchors(document: Path, *, rank: int | None = None) -> set[str]:
    """The names by which the headings of a document are linked, all or those of a rank."""
    headings = _HEADING.findall(document.read_text("utf-8"))
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for marks, heading in headings
        if rank in {None, len(marks)}
    }


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
def test_every_source_file_that_is_named_exists(document: Path) -> None:
    """By its path, or by the end of it.

    Decisions describe their time, recipes of files to be made, and the comparison of other projects.
    """
    if document.parent.name in {"decisions", "recipes"} or document.stem in {"comparison", "CHANGELOG"}:
        return
    named = {match["path"] for match in _SOURCE.finditer(document.read_text("utf-8"))}
    assert {path for path in named if not any(f"/{file}".endswith(f"/{path}") for file in SOURCES)} == set()


def test_the_kernels_readme_lists_every_header() -> None:
    listed = {match["path"] for match in _SOURCE.finditer((HOUSE / "native/README.md").read_text("utf-8"))}
    headers = {path.name for path in (HOUSE / "native/include").rglob("*.hpp")}
    assert headers - {Path(path).name for path in listed} == set()


def test_the_architecture_lists_every_module_of_the_library() -> None:
    page = (HOUSE / "docs/architecture.md").read_text("utf-8")
    modules = {
        f"{path.name}/" if path.is_dir() else path.name
        for package in ("contest", "engine", "notation", "problems", "rules")
        for path in (HOUSE / "src/crownhead" / package).iterdir()
        if path.suffix == ".py" or path.is_dir()
    }
    assert {
        module for module in modules if not module.startswith("__") and f"`{module}`" not in page
    } == set()


def test_every_term_of_the_glossary_is_an_entry() -> None:
    """A definition stands on the line below its term: on the same line it would be built as a paragraph."""
    page = (HOUSE / "docs/glossary.md").read_text("utf-8")
    assert re.findall(r"^\w.*? : .*", page, re.MULTILINE) == []


def test_every_name_by_which_two_apps_meet_exists() -> None:
    _, _, names = (HOUSE / "docs" / "architecture.md").read_text("utf-8").partition("### Where two apps meet")
    met = [match["name"].split(".") for match in _MET.finditer(names)]
    assert len(met) > 20
    assert [".".join(path) for path in met if not is_there(path)] == []


def is_there(path: list[str]) -> bool:
    """Whether a module of the server has a name, which may be a class's own."""
    for at in range(len(path), 0, -1):
        try:
            found: Any = import_module(".".join(("crownhead.server", *path[:at])))
        except ModuleNotFoundError:
            continue
        for part in path[at:]:
            found = getattr(found, part, None)
        return found is not None
    return False


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_make_target_that_is_named_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (HOUSE / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(_MAKE.findall(code_of(document))) <= targets


def test_every_measurement_is_on_the_list_of_them() -> None:
    folder = HOUSE / "benchmarks"
    listed = set(_LINK.findall((folder / "results.md").read_text("utf-8")))
    measured = {
        f"results/{page.name}{anchor}"
        for page in (folder / "results").glob("*.md")
        for anchor in ("", *(f"#{title}" for title in anchors(page, rank=2)))
    }
    assert measured
    assert measured == listed


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


def test_the_game_by_curl_in_the_readme_is_played(tmp_path: Path) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    (script,) = _SCRIPT.findall((HOUSE / "README.md").read_text("utf-8"))
    club = Club(tmp_path / "data")
    club.start()
    try:
        commands = script.replace("http://127.0.0.1:8000", club.address).replace("curl -N", "curl -N -m 2")
        played = subprocess.run(["bash", "-c", commands], capture_output=True, text=True, check=False)
    finally:
        club.stop()
    assert "1. 11-15 *" in played.stdout
    assert "retry:" in played.stdout


def test_every_operation_of_the_api_is_on_its_page() -> None:
    page = (HOUSE / "docs" / "api.md").read_text("utf-8")
    missing = [
        f"{method.upper()} {place}"
        for path, operations in api.get_openapi_schema()["paths"].items()
        for place in [path.removeprefix("/api/v1").replace("{game_id}", "{id}")]
        for method in operations
        if f"| `{method.upper()} {place}` |" not in page
    ]
    assert missing == []


def test_every_setting_of_a_host_is_on_its_page() -> None:
    page = (HOUSE / "docs" / "operating.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \| `CROWNHEAD_(\w+)` \|", page, re.MULTILINE)
    assert sorted(listed) == sorted((option, option.upper()) for option in KNOWN)
    assert {limit for limit, rate in LIMITS.items() if f"| `{limit}` | `{rate}` |" not in page} == set()


def test_every_dependency_has_its_reason() -> None:
    reasons = (HOUSE / "docs" / "decisions" / "0002-dependencies.md").read_text("utf-8")
    wanted = [
        *project()["build-system"]["requires"],
        *(package for extra in project()["project"]["optional-dependencies"].values() for package in extra),
        *(requirement for group in project()["dependency-groups"].values() for requirement in group),
    ]
    names = {re.split(r"[^A-Za-z0-9_-]", requirement, maxsplit=1)[0] for requirement in wanted}
    assert {package for package in names if f"| {package} |" not in reasons} == set()


def test_the_changelog_sorts_the_changes_of_each_version_by_their_kind() -> None:
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    versions = (HOUSE / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1:]
    assert versions
    for version in versions:
        found = re.findall(r"^### (.+)$", version, re.MULTILINE)
        assert found == [kind for kind in kinds if kind in found]
        assert len(found) > 1


def test_every_module_that_takes_the_place_of_django_points_to_why() -> None:
    (decision,) = (HOUSE / "docs" / "decisions").glob("0063-*.md")
    text = decision.read_text("utf-8")
    modules = re.findall(r"^\| `([\w/.]+\.py)` \|", text, re.MULTILINE)
    assert len(modules) > 5
    opened = {module: (HOUSE / "src/crownhead/server" / module).read_text("utf-8") for module in modules}
    assert [module for module, code in opened.items() if " 63" not in code.split('"""')[1]] == []
    assert [test for test in re.findall(r"`(tests/[\w/.]+)`", text) if not (HOUSE / test).exists()] == []


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = [int(path.name[:4]) for path in sorted((HOUSE / "docs" / "decisions").glob("[0-9]*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))
