"""The directions that `pyproject.toml` writes down cover every package, and what import-linter cannot see."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from grimp import ImportGraph
from importlinter.contracts.protected import ProtectedContract

from tests.house.tree import HOUSE, ROOMS, files, name, project

# The top-level package registers notation with the rules; importing it from below would be circular.
BELOW_THE_FACADE = ("notation", "openings", "rules")
APPS = sorted(path.parent.name for path in (ROOMS / "server").glob("*/__init__.py"))
FOR_ALL = {"core", "web"}  # stand below all other apps, and are there for them
THE_CLOCK = "src/crownhead/server/core/clock.py"
CLOCK_READINGS = {
    "date.today",
    "datetime.now",
    "datetime.today",
    "datetime.utcnow",
    "time.time",
    "time.time_ns",
    "timezone.now",
}


def contract(identity: str) -> dict[str, object]:
    """One import-linter contract by its id."""
    contracts = project()["tool"]["importlinter"]["contracts"]
    (found,) = [entry for entry in contracts if entry["id"] == identity]
    return dict(found)


def rooms_in(folder: Path) -> set[str]:
    """The packages of a folder: those of its folders that hold Python."""
    return {path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("*.py"))}


def placed(identity: str) -> set[str]:
    """The packages that a layers contract places."""
    layers = contract(identity)["layers"]
    assert isinstance(layers, list)
    return {room.strip() for layer in layers for room in str(layer).split("|")}


def dotted(node: ast.AST) -> str:
    """`a.b` of an attribute of a name, else nothing."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return ""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Each module that a file names in an import, with its line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


@pytest.mark.parametrize(("identity", "folder"), [("rooms", ROOMS), ("apps", ROOMS / "server")])
def test_every_package_has_its_place_in_the_order(identity: str, folder: Path) -> None:
    assert rooms_in(folder) == placed(identity)
    assert contract(identity)["exhaustive"] is True


def is_kept(importer: str, imported: str) -> bool:
    """Whether the contract of public faces allows an import between two modules of the server."""
    options = contract("faces") | {"unmatched_ignore_imports_alerting": "none"}
    faces = ProtectedContract(name="", session_options={}, contract_options=options)
    graph = ImportGraph()
    for module in (*APPS, importer, imported):
        graph.add_module(f"crownhead.server.{module}")
    graph.add_import(importer=f"crownhead.server.{importer}", imported=f"crownhead.server.{imported}")
    return faces.check(graph, verbose=False).kept


@pytest.mark.parametrize("app", APPS)
@pytest.mark.parametrize("module", ["models", "handlers", "not_written_yet", "subject.not_written_yet"])
def test_what_has_no_public_name_is_private_to_its_app(app: str, module: str) -> None:
    other = "pages" if app != "pages" else "notices"
    assert is_kept(f"{app}.views", f"{app}.{module}")
    assert is_kept(f"{other}.views", f"{app}.{module}") is (app in FOR_ALL)


@pytest.mark.parametrize(
    "module", ["services", "selectors.words", "subject.presenters", "subject.services.more"]
)
def test_other_apps_may_use_the_public_face_of_an_app(module: str) -> None:
    assert is_kept("pages.views", f"ladders.{module}")


def test_no_door_reaches_into_the_kernel() -> None:
    strangers = [
        f"{name(path)}:{line}"
        for path in files("src/crownhead/cli", "src/crownhead/server", suffixes=(".py",))
        for line, module in imports(path)
        if module == "crownhead._kernel"
    ]
    assert strangers == []


def test_nothing_below_the_facade_imports_it() -> None:
    circular = []
    for room in BELOW_THE_FACADE:
        for path in files(f"src/crownhead/{room}", suffixes=(".py",)):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
                from_facade = isinstance(node, ast.ImportFrom) and node.module == "crownhead"
                if from_facade and not names <= {"_kernel", *BELOW_THE_FACADE}:
                    circular.append(f"{name(path)}: {sorted(names)}")
    assert circular == []


def test_only_one_file_of_the_server_reads_the_clock() -> None:
    readings = [
        f"{name(path)}:{node.lineno}: {dotted(node)}"
        for path in files("src/crownhead/server", suffixes=(".py",))
        if name(path) != THE_CLOCK
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if dotted(node) in CLOCK_READINGS and isinstance(node, ast.Attribute)
    ]
    assert readings == []


def test_the_directions_are_drawn_on_the_page_that_tells_them() -> None:
    page = (HOUSE / "docs" / "architecture.md").read_text("utf-8")
    for app in placed("apps"):
        assert f"| `{app}` |" in page
