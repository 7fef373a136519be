"""One grammar of files in every app: knowing one app is knowing them all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
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
        *"shared_files sqlite3 staff stream_access unknown".split(),
    },
    "core": {
        *"assets background batches clock hosting http ids languages limits mail markup moments".split(),
        *"monitoring pagination processes queries rates texts".split(),
    },
    "live": {"audience", "bus", "door", "hub", "messages", "readers", "requests", "signs", "stream"},
    "notices": {"channels", "kinds", "worker"},
    "ops": {"backup", "checking", "commands", "demo", "monitoring", "processes", "starting"},
    "play": {
        *"archive chat clocks draws games invitations matches moves outages".split(),
        *"plans presence staff take_backs vacation variants".split(),
    },
    "web": {"badges", "done_once", "first_steps", "page_cache", "page", "slices", "unindented"},
}
LARGEST_FOLDER = 25
JOINS = {"select_related", "with_players"}
# How rows are written, and how others are told that they were.
WRITES = {
    *"save create update_or_create get_or_create bulk_create bulk_update delete select_for_update".split(),
}
EMITS = {"emit", "notify", "publish", "publish_all", "spend", "spend_pages", "spend_text", "sweep"}
ROWS = {"QuerySet", "Games"}
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


def modules_of(*words: str) -> list[Path]:
    """The modules that have one of these names, or stand in a package that has it."""
    found = sorted(
        path for path in SERVER.rglob("*.py") if {*words} & {*path.relative_to(SERVER).with_suffix("").parts}
    )
    assert found
    return found


def services_called(tree: ast.Module) -> list[str]:
    """The functions of services that a module imports, or names by their module."""
    imported = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    services = {name: path for name, path in imported.items() if "services" in path.split(".")}
    named = {
        f"{services[node.value.id]}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in services
    }
    return sorted(path for path in {*services.values(), *named} if is_function(path))


def is_function(path: str) -> bool:
    """Whether something in a module is a function by its name, no module, class or constant."""
    *module, name = path.split(".")
    place = SERVER.parents[1].joinpath(*module, name)
    return name.islower() and not place.with_suffix(".py").exists() and not place.is_dir()


def test_what_only_asks_calls_no_service() -> None:
    asking = modules_of("selectors", "presenters", "exports", "templatetags", "context_processors")
    calls = {name(path): services_called(ast.parse(path.read_text("utf-8"))) for path in asking}
    assert {path: called for path, called in calls.items() if called} == {}


def test_selectors_write_no_rows() -> None:
    """What they fetch has the rules of time applied (``play.selectors``), by a service of the row's own."""
    writing = [
        f"{name(path)}:{node.lineno}: {ast.unparse(node)}"
        for path in modules_of("selectors")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Attribute) and node.func.attr in WRITES)
            or (isinstance(node.func, ast.Name) and node.func.id in EMITS)
        )
    ]
    assert writing == []


def chained(call: ast.expr) -> Iterator[ast.Call]:
    """A call, and those on whose results it is made."""
    while isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
        yield call
        call = call.func.value


def test_who_holds_rows_names_them_where_others_are_loaded_along() -> None:
    """Without ``of``, PostgreSQL holds those as well, out of the order of locks."""
    found = set()
    for path in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            calls = {call.func.attr: call for call in chained(node) if isinstance(call.func, ast.Attribute)}
            holding = calls.get("select_for_update")
            if holding and JOINS & calls.keys() and "of" not in {word.arg for word in holding.keywords}:
                found.add(f"{name(path)}:{node.lineno}")
    assert found == set()


def test_services_answer_no_questions() -> None:
    """Rows to choose from are asked of selectors."""
    asked = [
        f"{name(path)}: {node.name}"
        for path in modules_of("services")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and node.returns is not None
        and ROWS & {part.id for part in ast.walk(node.returns) if isinstance(part, ast.Name)}
    ]
    assert asked == []


def test_no_folder_holds_too_many_modules() -> None:
    folders = [path for path in ROOMS.rglob("*") if path.is_dir() and path.name != "migrations"]
    crowded = [name(path) for path in folders if len(list(path.glob("*.py"))) > LARGEST_FOLDER]
    assert crowded == []


@pytest.mark.parametrize("path", sorted(SERVER.rglob("admin.py")), ids=name)
def test_what_a_service_refuses_leaves_the_form_of_the_back_office(path: Path) -> None:
    """Caught where a row is saved, it would be logged as done: `ByServiceAdmin` catches it around that."""
    caught = [
        method.name
        for method in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(method, ast.FunctionDef) and method.name in {"save_model", "delete_model"}
        for node in ast.walk(method)
        if isinstance(node, ast.ExceptHandler)
    ]
    assert caught == []
