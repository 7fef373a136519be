"""What the sources of the server never do, whatever they are asked, such as running a text."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache

from django.apps import apps
from django.db.models import FileField, FilePathField

from tests.house.tree import HOUSE

SOURCES = HOUSE / "src" / "crownhead"
SERVER = SOURCES / "server"
SCRIPTS = [*(SERVER / "static" / "crownhead" / "js").rglob("*.js"), SERVER / "notices" / "worker.js"]
TEMPLATES = [path for path in SERVER.rglob("*.html") if "admin" not in path.parts]

# Where a statement is joined from parts: names of tables and columns of our own; values are parameters.
STATEMENTS_OF_PARTS = {
    *("server/core/queries/migrating.py", "server/core/queries/rows.py"),
    "server/live/bus.py",
    "server/live/services.py",
    "server/ops/backup/sqlite.py",
}
# Where a pattern is: of reserved names, each escaped; or one after the other is taken from a constant list.
PATTERNS_OF_PARTS = {"server/accounts/security/sessions.py", "server/accounts/validators.py"}
# Modules that speak to other machines, or listen: to push services, the mail server, each other.
ON_THE_NETWORK = {
    "server/config/settings.py",
    "server/core/processes/neighbours.py",
    "server/notices/channels/mail.py",
    "server/notices/channels/outgoing.py",
    "server/notices/channels/push.py",
    *("server/ops/processes/connections.py", "server/ops/processes/serve.py"),
}
NETWORK = {"socket", "http.client", "urllib.request", "smtplib", "requests", "httpx", "urllib3", "ftplib"}
STORING = re.compile(r"\b(?:localStorage|sessionStorage|indexedDB|caches)\b")
# What browsers keep: settings of the board, positions tried out, what is not sent yet, pages of games.
STORED_BY = {
    *("analysis/page.js", "board/storage.js", "browser_storage.js", "page_for_later.js"),
    *("review.js", "sending.js", "stored_settings.js", "worker.js"),
    *("for_offline.js", "pwa.js"),  # when pages were fetched ahead, and that they are forgotten
}


@cache
def trees() -> dict[str, ast.Module]:
    """What every file of the package says, by its path."""
    return {
        path.relative_to(SOURCES).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in SOURCES.rglob("*.py")
    }


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Every call by the last part of its name, and by the whole."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func), node


def imported(tree: ast.AST) -> set[str]:
    """The modules that a tree imports anywhere."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def constant(node: ast.expr) -> bool:
    """Whether a text is written in the source: a literal, or a name of the module's own constants."""
    return (
        isinstance(node, ast.Constant)
        or (isinstance(node, ast.Name) and node.id.isupper())
        or (isinstance(node, ast.BinOp) and constant(node.left) and constant(node.right))
    )


def test_no_statement_is_joined_from_values() -> None:
    joined = {
        path
        for path, tree in trees().items()
        for name, call in calls(tree)
        if name.endswith((".execute", ".raw", ".extra", "RawSQL")) and call.args
        if isinstance(call.args[0], ast.JoinedStr | ast.BinOp) or ".format" in ast.unparse(call.args[0])
    }
    assert joined == STATEMENTS_OF_PARTS
    used = {name for tree in trees().values() for name, _ in calls(tree)}
    assert not any(name.endswith((".raw", ".extra", "RawSQL")) for name in used)


def test_programs_are_started_from_lists_without_a_shell() -> None:
    started = [
        (path, call)
        for path, tree in trees().items()
        for name, call in calls(tree)
        if name.startswith("subprocess.")
    ]
    assert len(started) > 3
    for path, call in started:
        assert not any(keyword.arg == "shell" for keyword in call.keywords), path
        assert not isinstance(call.args[0], ast.JoinedStr | ast.Constant), path
    used = {name for tree in trees().values() for name, _ in calls(tree)}
    assert not used & {"os.system", "os.popen", "os.execv", "os.spawnv", "pty.spawn"}


def test_no_text_of_a_visitor_becomes_a_pattern() -> None:
    functions = {"compile", "match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
    for path, tree in trees().items():
        if not path.startswith("server/") or path in PATTERNS_OF_PARTS:
            continue
        top = {id(node) for outer in tree.body for node in ast.walk(outer) if not _in_function(outer)}
        for name, call in calls(tree):
            module, _, function = name.rpartition(".")
            if module == "re" and function in functions:
                assert id(call) in top or constant(call.args[0]), f"{path}:{call.lineno}"


def test_no_text_is_run_and_none_is_a_template() -> None:
    for path, tree in trees().items():
        for name, call in calls(tree):
            place = f"{path}:{call.lineno}"
            assert name not in {"eval", "exec", "compile", "__import__", "pickle.loads", "marshal.loads"}, (
                place
            )
            assert not name.endswith(("from_string", "yaml.load")), place
            assert name not in {"Template", "template.Template"} or not path.startswith("server/"), place


def test_scripts_write_text_and_never_html_of_their_own() -> None:
    assert len(SCRIPTS) > 50
    writing = re.compile(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b\s*[(+]?=?(?!=)")
    running = re.compile(r"\beval\(|new Function\(|setTimeout\(\s*[\"'`]")
    for script in SCRIPTS:
        text = script.read_text("utf-8")
        assert not re.search(writing, text), script.name
        assert not re.search(running, text), script.name


def test_no_script_listens_to_other_windows() -> None:
    listens = re.compile(
        r"\b(?:window|globalThis|self)\.(?:addEventListener\(\s*[\"']message[\"']|onmessage\b)"
    )
    assert not [script.name for script in SCRIPTS if listens.search(script.read_text("utf-8"))]


def test_pages_have_no_plug_in() -> None:
    assert len(TEMPLATES) > 100
    for template in TEMPLATES:
        assert not re.search(r"<(?:object|embed|applet|iframe|frame)\b", template.read_text("utf-8")), (
            template
        )


def test_what_browsers_store_is_known() -> None:
    folder = SERVER / "static" / "crownhead" / "js"
    storing = {
        script.relative_to(folder).as_posix() if script.is_relative_to(folder) else script.name
        for script in SCRIPTS
        if STORING.search(script.read_text("utf-8"))
    }
    assert storing == STORED_BY
    for script in SCRIPTS:
        assert "document.cookie" not in script.read_text("utf-8"), script.name


def test_no_row_names_a_file() -> None:
    fields = [field for model in apps.get_models() for field in model._meta.get_fields()]
    assert len(fields) > 300
    assert not [field for field in fields if isinstance(field, FileField | FilePathField)]


def test_the_modules_that_speak_to_other_machines_are_known() -> None:
    speaking = {
        path for path, tree in trees().items() if path.startswith("server/") and imported(tree) & NETWORK
    }
    assert speaking == ON_THE_NETWORK


def test_what_is_hashed_and_encrypted_is_left_to_libraries() -> None:
    hashes, ciphers = set(), set()
    for path, tree in trees().items():
        if not path.startswith("server/"):
            continue
        hashes |= set(re.findall(r"hashlib\.\w+", ast.unparse(tree)))
        ciphers |= {name for name in imported(tree) if name.startswith(("cryptography.", "Crypto", "nacl"))}
    assert hashes == {"hashlib.sha256"}
    assert {name.split(".")[1] for name in ciphers} <= {"fernet", "hazmat", "exceptions"}
    primitives = {name for name in ciphers if "hazmat.primitives" in name}
    assert not [name for name in primitives if re.search(r"(?i)MD5|SHA1\b|ECB|DES|ARC4|Blowfish", name)]


def texts(tree: ast.Module) -> dict[str, str]:
    """The constant texts of a module by name."""
    found = {}
    for node in (node for node in tree.body if isinstance(node, ast.Assign)):
        target, value = node.targets[0], node.value
        pairs = (
            zip(target.elts, value.elts, strict=True)
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            else [(target, value)]
        )
        for name, text in pairs:
            if isinstance(name, ast.Name) and isinstance(text, ast.Constant):
                found[name.id] = str(text.value)
    return found


def test_what_is_signed_for_one_use_is_good_for_no_other() -> None:
    used: dict[str, set[str]] = {}
    for path, tree in trees().items():
        known = texts(tree)
        for name, call in calls(tree):
            if name in {"signing.dumps", "signing.loads"}:
                salt = next(word.value for word in call.keywords if word.arg == "salt")
            elif name == "salted_hmac":
                salt = call.args[0]
            else:
                continue
            text = known[salt.id] if isinstance(salt, ast.Name) else ast.literal_eval(salt)
            used.setdefault(text, set()).add(f"{path} {ast.unparse(salt)}")
    assert len(used) >= 8
    assert [places for places in used.values() if len(places) > 1] == []


def test_types_are_strict() -> None:
    settings = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]
    assert settings["strict"] is True
    assert not [row for row in settings.get("overrides", []) if row.get("ignore_errors")]


def test_the_page_says_how_soon_weaknesses_are_mended() -> None:
    page = (HOUSE / "docs" / "security.md").read_text("utf-8")
    assert re.search(r"within (\w+) days, every other within (\w+)", page)
    assert "security" in (HOUSE / "SECURITY.md").read_text("utf-8").lower()


def _in_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
