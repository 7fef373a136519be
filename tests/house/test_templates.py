"""Pages look down as the code does: templates name nothing of the apps above theirs but ways and slots."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

from crownhead.server.core import slots
from tests.house.test_directions import contract
from tests.house.tree import ROOMS, files, name

SERVER = ROOMS / "server"
LIBRARIES = {path.stem: path.relative_to(SERVER).parts[0] for path in SERVER.glob("*/templatetags/*.py")}
FRAME = "config"  # the frame of every page; templates that extend it name no app
A_ROUTE = re.compile(r"([a-z]+):[a-z_]+")


@cache
def ranks() -> dict[str, int]:
    """How high each app stands; those side by side stand equally high."""
    layers = contract("apps")["layers"]
    assert isinstance(layers, list)
    return {
        app.strip(): height for height, layer in enumerate(reversed(layers)) for app in str(layer).split("|")
    }


def app_of(path: Path) -> str:
    """Whose file it is."""
    return path.relative_to(SERVER).parts[0]


def templates() -> Iterator[Path]:
    """Every template, of pages, letters and help."""
    for path in files("src/crownhead/server", suffixes=(".html", ".md", ".txt", ".xml")):
        if "templates" in path.parts:
            yield path


@cache
def holders() -> dict[str, str]:
    """The app that holds each template, by the name under which it is asked for."""
    return {path.as_posix().rpartition("/templates/")[2]: app_of(path) for path in templates()}


def tags(text: str) -> Iterator[tuple[int, list[str]]]:
    """The tags of a template, word by word, with their lines."""
    for token in Lexer(text).tokenize():
        if token.token_type is TokenType.BLOCK:
            yield token.lineno or 0, token.split_contents()


def owners(words: list[str]) -> Iterator[str]:
    """The apps that a tag names: by an address, by a template, by a library of tags."""
    match words:
        case ["url", route, *_]:
            yield route.strip("'\"").partition(":")[0]
        case ["include", path, *_]:
            yield holders().get(path.strip("'\""), "")
        case ["extends", path]:
            yield holders().get(path.strip("'\""), "").replace(FRAME, "")
        case ["load", *libraries]:
            yield from (LIBRARIES.get(library, "") for library in libraries)


def names_above(app: str, text: str) -> Iterator[str]:
    """What a template of an app names of those above it or beside it."""
    heights = ranks()
    for line, words in tags(text):
        for owner in owners(words):
            if owner != app and heights.get(owner, -1) >= heights[app]:
                yield f"{line}: {' '.join(words)}"


def asked_for() -> Iterator[str]:
    """The ways and slots of all templates, and the ways of Python."""
    for path in templates():
        for _line, words in tags(path.read_text("utf-8")):
            if words[0] in {"way", "slot"}:
                yield words[1].strip("'\"")
    for path in files("src/crownhead/server", suffixes=(".py",)):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="way"), args=[ast.Constant(value=str(asked)), *_]):
                    yield asked


def test_no_template_names_an_app_above_its_own() -> None:
    found = [
        f"{name(path)}:{wrong}"
        for path in templates()
        for wrong in names_above(app_of(path), path.read_text("utf-8"))
    ]
    assert found == [], "expected a way or a slot of core.slots"


def test_no_view_names_an_address_of_an_app_above_its_own() -> None:
    heights = ranks()
    found = [
        f"{name(path)}:{node.lineno}: {node.value}"
        for path in files("src/crownhead/server", suffixes=(".py",))
        if app_of(path) in heights
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if (route := A_ROUTE.fullmatch(node.value)) and route[1] != app_of(path)
        if heights.get(route[1], -1) >= heights[app_of(path)]
    ]
    assert found == [], "expected a way of core.slots"


def test_whatever_pages_ask_of_those_above_is_given_and_nothing_else() -> None:
    assert set(asked_for()) == slots.names()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("{% url 'lobby:home' %}", 1),
        ('{% include "people/parts/face.html" with person=one %}', 1),
        ("{% load i18n ladder_places %}", 1),
        ("{% include 'navigation.html' %}{% extends 'lobby/home.html' %}", 2),
        ("{% url 'play:game' id %}{% url 'account_login' %}{% include 'board/board.html' %}", 0),
        ("{% way 'home' %}{% extends base %}{% extends '404.html' %}{# url 'lobby:home' #}", 0),
    ],
)
def test_a_name_from_above_is_found(text: str, wrong: int) -> None:
    assert len(list(names_above("play", text))) == wrong
