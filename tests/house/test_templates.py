"""Templates are made of parts of their own app and of those below it; links may lead anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.template.base import Lexer, TokenType

from tests.house.test_directions import contract
from tests.house.tree import ROOMS, files, name

SERVER = ROOMS / "server"
_RENEWED = re.compile(r"<[^>]*\bdata-refresh\b(?!=)[^>]*\bhx-target=\"main\"")
_FIELD = re.compile(r"<(?:input|select|textarea)\b(?:\{\{.*?\}\}|\{%.*?%\}|[^>])*>", re.DOTALL)
# Hidden, only to be read, or kept otherwise: the move by the script of the board, the settings on the device.
_KEPT = re.compile(r'\bdata-keep=|type="hidden"|\breadonly\b|\bdata-move\b')
_SETTINGS = {"board/settings.html", "board/piece_sets.html"}
LIBRARIES = {path.stem: path.relative_to(SERVER).parts[0] for path in SERVER.glob("*/templatetags/*.py")}


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
def paths() -> dict[str, Path]:
    """Every template by the name under which it is asked for."""
    return {path.as_posix().rpartition("/templates/")[2]: path for path in templates()}


@cache
def holders() -> dict[str, str]:
    """The app that holds each template, by the name under which it is asked for."""
    return {asked_for: app_of(path) for asked_for, path in paths().items()}


def tags(text: str) -> Iterator[tuple[int, list[str]]]:
    """The tags of a template, word by word, with their lines."""
    for token in Lexer(text).tokenize():
        if token.token_type is TokenType.BLOCK:
            yield token.lineno or 0, token.split_contents()


def owners(words: list[str]) -> Iterator[str]:
    """The apps whose templates or tag libraries a tag uses."""
    match words:
        case ["include", path, *_]:
            yield holders().get(path.strip("'\""), "")
        case ["extends", path]:
            yield holders().get(path.strip("'\""), "")
        case ["load", *libraries]:
            yield from (LIBRARIES.get(library, "") for library in libraries)


def names_above(app: str, text: str) -> Iterator[str]:
    """The tags of a template that use a part of an app above its own, or beside it."""
    heights = ranks()
    for line, words in tags(text):
        for owner in owners(words):
            if owner != app and heights.get(owner, -1) >= heights[app]:
                yield f"{line}: {' '.join(words)}"


def test_no_template_uses_a_part_of_an_app_above_its_own() -> None:
    found = [
        f"{name(path)}:{wrong}"
        for path in templates()
        for wrong in names_above(app_of(path), path.read_text("utf-8"))
    ]
    assert found == [], "expected templates and tags of the same app, or of one below it"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ('{% include "people/parts/person.html" with person=one %}', 1),
        ("{% load i18n ladder_places %}", 1),
        ("{% include 'navigation.html' %}{% extends 'pages/home.html' %}", 1),
        ("{% url 'pages:game' id %}{% url 'account_login' %}{% include 'board/board.html' %}", 0),
        ("{% url 'pages:home' %}{% extends base %}{% extends '404.html' %}{# url 'pages:home' #}", 0),
    ],
)
def test_a_name_from_above_is_found(text: str, wrong: int) -> None:
    assert len(list(names_above("play", text))) == wrong


def test_one_template_draws_the_discs_of_people() -> None:
    drawn = [path.name for path in templates() if 'class="avatar"' in path.read_text(encoding="utf-8")]
    assert drawn == ["avatar.html"]


def with_parts(path: Path) -> Iterator[Path]:
    """A template and all that it includes, at any depth."""
    yield path
    for _line, words in tags(path.read_text("utf-8")):
        part = words[0] == "include" and paths().get(words[1].strip("'\""))
        if part:
            yield from with_parts(part)


def lost_fields(text: str) -> list[str]:
    """The fields of a template that would be empty again when the content is replaced."""
    return [field for field in _FIELD.findall(text) if not _KEPT.search(field)]


def test_every_field_of_a_page_that_renews_itself_keeps_what_is_written_in_it() -> None:
    renewed = [path for path in templates() if _RENEWED.search(path.read_text("utf-8"))]
    assert {"game.html", "conversation.html", "tournament.html"} <= {path.name for path in renewed}
    parts = {part for path in renewed for part in with_parts(path)} - {paths()[one] for one in _SETTINGS}
    found = {name(part): fields for part in parts if (fields := lost_fields(part.read_text("utf-8")))}
    assert found == {}, "expected data-keep with a name that the page has once, see drafts.js"


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ('<select name="then">', 1),
        ('<input type="radio" name="claim"\n value="{% if a > b %}win{% endif %}" checked>', 1),
        ('<textarea name="text"></textarea><input type="search" name="q">', 2),
        ('<select name="then" data-keep="then"><input type="hidden" name="do">', 0),
        ('<input value="{{ status }}" readonly><input name="move" data-move>', 0),
    ],
)
def test_a_field_that_is_not_kept_is_found(text: str, lost: int) -> None:
    assert len(lost_fields(text)) == lost
