"""What is written once: no function stands in two files, and no private one is left over."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import files, name

SOURCES = tuple(files("src", suffixes=(".py",)))
ADDRESS = re.compile(r"""f["']/(games|ladders|matches|players|team-matches|teams|tournaments)/\{""")
LEAST = 500  # characters of the syntax tree of a body: shorter ones may be alike by chance
EVERYWHERE = {"__init__", "__str__", "ready"}  # Django asks classes and apps for these


def functions(path: Path) -> Iterator[tuple[str, str]]:
    """The name of each function in a file, with its body apart from the docstring."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in EVERYWHERE:
            body = node.body[ast.get_docstring(node) is not None :]
            yield node.name, "\n".join(map(ast.dump, body))


def test_no_function_stands_in_two_files() -> None:
    places: dict[str, set[str]] = defaultdict(set)
    for path in SOURCES:
        for called, body in functions(path):
            if len(body) >= LEAST:
                places[body].add(f"{name(path)}: {called}")
    assert [sorted(twice) for twice in places.values() if len(twice) > 1] == []


def test_the_address_of_a_page_stands_in_the_urls_alone() -> None:
    """Elsewhere `reverse` makes it."""
    sources = files("src/crownhead/server", suffixes=(".py",))
    assert [name(path) for path in sources if ADDRESS.search(path.read_text("utf-8"))] == []


def test_no_private_function_or_class_is_left_over() -> None:
    left = []
    for path in SOURCES:
        text = path.read_text("utf-8")
        for node in ast.parse(text).body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.decorator_list:
                continue
            if node.name.startswith("_") and len(re.findall(rf"\b{node.name}\b", text)) == 1:
                left.append(f"{name(path)}: {node.name}")
    assert left == []


def test_no_public_function_or_class_is_left_over() -> None:
    """What a decorator registers is called by it; ``…Config`` Django finds by itself."""
    callers = files("src", "tests", "docs", "benchmarks", suffixes=(".py", ".html", ".md", ".txt"))
    named = Counter(word for path in callers for word in re.findall(r"\w+", path.read_text("utf-8")))
    left = [
        f"{name(path)}: {node.name}"
        for path in SOURCES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not (node.decorator_list or node.name.endswith("Config"))
        and named[node.name] == 1
    ]
    assert left == []
