"""What is told to people can be translated: no refusal of the site is written without gettext."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import files, name

SERVER = "src/crownhead/server"
# What only programs are told: by the API, the event stream, and what reads their requests.
FOR_PROGRAMS = re.compile(rf"{SERVER}/(config/|live/|core/(api|body|pagination)\.py|[a-z]+/api(/|\.py))")


def problem_classes(trees: dict[Path, ast.Module]) -> set[str]:
    """The names of ``core.problems.Problem`` and all that come of it."""
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    known, before = {"Problem"}, 0
    while len(known) > before:
        before = len(known)
        known |= {node.name for node in classes if known & {last_name(base) for base in node.bases}}
    return known


def last_name(node: ast.expr) -> str:
    """How something is called where it is used."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def bare(node: ast.expr) -> bool:
    """Whether words stand there that nobody can translate."""
    match node:
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.JoinedStr(values=parts):
            return any(isinstance(part, ast.Constant) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return bare(left) or bare(right)
        case ast.BinOp(left=left):
            return bare(left)
        case ast.IfExp(body=body, orelse=other):
            return bare(body) or bare(other)
    return False


def problem_texts(tree: ast.Module, classes: set[str]) -> Iterator[ast.expr]:
    """What problems are made with, and the titles of their classes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) in classes and node.args:
            yield node.args[0]
        elif isinstance(node, ast.ClassDef) and node.name in classes:
            yield from _titles(node)


def _titles(made: ast.ClassDef) -> Iterator[ast.expr]:
    for line in made.body:
        if isinstance(line, ast.AnnAssign) and last_name(line.target) == "title" and line.value:
            yield line.value
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Tuple):
            (targets,) = line.targets
            assert isinstance(targets, ast.Tuple)
            pairs = zip(targets.elts, line.value.elts, strict=True)
            yield from (value for target, value in pairs if last_name(target) == "title")


def test_every_refusal_of_the_site_can_be_translated() -> None:
    trees = {path: ast.parse(path.read_text("utf-8")) for path in files(SERVER, suffixes=(".py",))}
    classes = problem_classes(trees)
    found = [
        f"{name(path)}:{words.lineno}: {ast.unparse(words)}"
        for path, tree in trees.items()
        if not FOR_PROGRAMS.match(name(path))
        for words in problem_texts(tree, classes)
        if bare(words)
    ]
    assert found == [], "expected these words in gettext"
    assert {"NotFound", "OwnGameInProgress", "NotAPlayer"} <= classes


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ('NotFound("there is none")', 1),
        ('problems.NotFound(f"there is no {name}")', 1),
        ('NotFound("name: " + "there is none")', 1),
        ('NotFound("there is no %(name)s" % facts)', 1),
        ('NotFound("name: " + _("there is none"))', 1),
        ('NotFound(f"{name}.{number}: " + _("there is no %(name)s") % facts)', 1),
        ('NotFound(f"first_move: {error}")', 1),
        ('NotFound(_("there is none"), field="name")', 0),
        ("NotFound(str(error))", 0),
        ('class Gone(NotFound):\n    slug, title = "gone", "It is gone"', 1),
        ('class Gone(NotFound):\n    slug, title = "gone", gettext_lazy("It is gone")', 0),
    ],
)
def test_words_without_gettext_are_found(code: str, wrong: int) -> None:
    assert sum(bare(words) for words in problem_texts(ast.parse(code), {"NotFound", "Gone"})) == wrong
