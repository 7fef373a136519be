"""One grammar of files in every app: knowing one app is knowing them all."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.tree import ROOMS, name

SERVER = ROOMS / "server"
GRAMMAR = {
    *"models services selectors access events handlers forms views presenters api".split(),
    *"schemas jobs admin urls".split(),
}
DJANGO = {
    *"apps management migrations templates templatetags static".split(),
    *"middleware context_processors validators tasks".split(),
}
PROJECT = {"settings", "asgi", "wsgi"}  # what Django looks for beside the apps
SHARED = {"choices", "exports", "problems"}  # column choices, data export, problem documents
AUTH = {"adapter", "backends", "hashers"}  # what Django and allauth look for in the app of the users
# What an app has besides: packages by subject where it has several, inside which the grammar holds again, and
# the nouns of what is no part of the club's life but carries it (`core`, `live`, `web`, `ops`, `config`).
SUBJECTS = {
    "accounts": {"addresses", "contacts", "guests", "preferences", "security", "tokens"} | AUTH,
    "analysis": {"computer", "engine", "reviews", "studies"},
    "config": PROJECT
    | {
        *"body_memory bridge databases limits openapi postgresql prepared replica resolvers".split(),
        *"sqlite3 staff stream_access unknown".split(),
    },
    "core": {
        *"assets background clock hosting http ids languages limits mail markup monitoring".split(),
        *"pagination processes queries rates texts".split(),
    },
    "live": {"audience", "bus", "hub", "messages", "readers", "stream"},
    "notices": {"channels", "kinds", "worker"},
    "ops": {"backup", "checking", "commands", "demo", "monitoring", "processes", "starting"},
    "play": {
        *"archive chat clocks draws games invitations matches moves outages".split(),
        *"plans presence staff take_backs vacation variants".split(),
    },
    "web": {"badges", "first_steps", "kept_pages", "page", "slices"},
}
LARGEST_FOLDER = 25
APPS = sorted(path for path in SERVER.iterdir() if (path / "__init__.py").exists())


def contents(app: Path) -> set[str]:
    """What stands in an app: modules and packages, without what Python makes."""
    return {path.stem for path in app.iterdir() if not path.name.startswith("__")}


def imports_only(path: Path) -> list[str]:
    """The modules that a file imports from, if it holds nothing but imports; else nothing."""
    body = ast.parse(path.read_text("utf-8")).body[1:]
    if not all(isinstance(node, ast.Import | ast.ImportFrom | ast.Assign) for node in body):
        return []
    return [node.module or "" for node in body if isinstance(node, ast.ImportFrom)]


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_files_of_an_app_have_the_names_of_the_grammar(app: Path) -> None:
    known = GRAMMAR | DJANGO | SHARED | SUBJECTS.get(app.name, set())
    assert contents(app) - known == set()


def test_no_subject_is_listed_that_is_not_there() -> None:
    missing = {app: subjects - contents(SERVER / app) for app, subjects in SUBJECTS.items()}
    assert not any(missing.values()), missing


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_services_and_selectors_hold_the_code(app: Path) -> None:
    """Such a module is no list of names from elsewhere; a package may offer those of its own modules."""
    scattered = []
    for word in ("services", "selectors"):
        for path in (*app.rglob(f"{word}.py"), *app.rglob(f"{word}/__init__.py")):
            own = ".".join(path.relative_to(SERVER.parents[1]).with_suffix("").parts).removesuffix(
                ".__init__"
            )
            foreign = [module for module in imports_only(path) if not f"{module}.".startswith(f"{own}.")]
            scattered += [f"{name(path)}: {module}" for module in foreign if module != "__future__"]
    assert scattered == []


def test_no_folder_holds_too_many_modules() -> None:
    folders = [path for path in ROOMS.rglob("*") if path.is_dir() and path.name != "migrations"]
    crowded = [name(path) for path in folders if len(list(path.glob("*.py"))) > LARGEST_FOLDER]
    assert crowded == []
