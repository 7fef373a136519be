"""Code asks for a rule, never for a variant by name; the table in `rules` alone knows the names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from crownhead.rules.schema import PieceKind
from crownhead.rules.variants import VARIANTS
from tests.house.tree import files, name

TABLE = ("src/crownhead/rules/variants.py", "src/crownhead/rules/rows/", "src/crownhead/rules/aliases.py")
KEYS = frozenset(VARIANTS)
# A few keys are words of the game or of English as well; only as whole texts do they name a variant.
PLAIN_WORDS = {"anti", "corner", "crowded", "killer", "mule", "pro", "sparse"}
KINDS_OF_PIECE = frozenset(PieceKind)

_QUOTED = re.compile("[\"'`](" + "|".join(sorted(KEYS - KINDS_OF_PIECE)) + ")[\"'`]")
_WORD = re.compile(r"\b(" + "|".join(sorted(KEYS - PLAIN_WORDS)) + r")\b", re.IGNORECASE)
_TEMPLATE_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_C_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def names_asked_for(source: str) -> list[str]:
    """The variants that Python source asks for, as `line: key`."""
    tree = ast.parse(source)
    filled = {id(node.right) for node in ast.walk(tree) if isinstance(node, ast.BinOp)}  # a template's places
    return sorted(
        f"{text.lineno}: {text.value!r}"
        for node in ast.walk(tree)
        if id(node) not in filled
        for text in _asked(node)
        if isinstance(text, ast.Constant) and text.value in KEYS - KINDS_OF_PIECE
    )


def _asked(node: ast.AST) -> Iterator[ast.AST]:
    """Where a text decides something: compared, matched, looked up, or kept in a collection for that."""
    match node:
        case ast.Compare(left, _, comparators):
            yield from (left, *comparators)
        case ast.MatchValue(value):
            yield value
        case ast.Subscript(_, index):
            yield index
        case ast.Dict(keys):
            yield from (key for key in keys if key is not None)
        case ast.List(elements) | ast.Tuple(elements) | ast.Set(elements):
            yield from elements
        case ast.Call(ast.Attribute(attr="get" | "startswith" | "endswith"), arguments):
            yield from arguments


def _places(path: Path, text: str, pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name(path)}:{text.count(chr(10), 0, found.start()) + 1}: {found.group()}"
        for found in pattern.finditer(text)
    ]


def _without_comments(text: str) -> str:
    return _C_COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)


def test_python_asks_for_a_rule_and_never_for_a_variant() -> None:
    asked = [
        f"{name(path)}:{place}"
        for path in files("src", "native", suffixes=(".py",))
        if not name(path).startswith(TABLE)
        for place in names_asked_for(path.read_text("utf-8"))
    ]
    assert asked == []


def test_the_kernel_and_the_pages_scripts_name_no_variant() -> None:
    asked = []
    for path in files("native", "src", suffixes=(".cpp", ".hpp", ".h", ".js", ".css")):
        if "tests" in path.parts:
            continue
        text = _without_comments(path.read_text("utf-8"))
        asked += _places(path, text, _QUOTED) + _places(path, text, _WORD)
    assert asked == []


def test_templates_name_no_variant_in_a_tag() -> None:
    asked = []
    for path in files("src", suffixes=(".html", ".txt")):
        for tag in _TEMPLATE_TAG.findall(path.read_text("utf-8")):
            asked += _places(path, tag, _QUOTED)
    assert asked == []


@pytest.mark.parametrize(
    "source",
    [
        "if variant.key == 'american': ...",
        "if variant.key in ('russian', 'other'): ...",
        "flying = {'international', 'brazilian'}",
        "width = {'crowded': 10}.get(key, 8)",
        "row = VARIANTS['italian']",
        "row = VARIANTS.get('pro')",
        "match key:\n    case 'sparse': ...",
        "key.startswith('anti')",
    ],
)
def test_the_check_notices_a_name_that_is_asked_for(source: str) -> None:
    assert names_asked_for(source)


@pytest.mark.parametrize(
    "source",
    [
        "def start(variant: str = 'american') -> None: ...",
        "Position.start('american')",
        "if kind == 'mule': ...",
        '"""Plays american checkers."""',
    ],
)
def test_the_check_lets_defaults_and_words_of_the_game_pass(source: str) -> None:
    assert names_asked_for(source) == []
