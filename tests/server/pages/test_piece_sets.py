"""Piece sets: a file for each, with a drawing of every kind of piece in the colours of the board."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

import crownhead.server
from crownhead import PieceKind

SERVER = Path(crownhead.server.__file__).parent
STATIC = SERVER / "static" / "crownhead"
FILES = {path.stem: path for path in sorted((STATIC / "pieces").glob("*.svg"))}
EACH = pytest.mark.parametrize("name", FILES)
MAX_BYTES = 4_096  # of a file, before it is compressed
_SVG = "{http://www.w3.org/2000/svg}"
_COLOUR = re.compile(r"var\(--(?P<token>disc|rim|groove|emblem),(?P<fallback>#[0-9a-f]{6})\)")
_PLACES = ("d", "cx", "cy", "r", "stroke-width", "stroke-dasharray")


def drawings(name: str) -> dict[str, list[tuple[str, ...]]]:
    """The shapes of each symbol of a set, by its identifier."""
    root = ElementTree.parse(FILES[name]).getroot()
    return {
        symbol.attrib["id"]: [
            (shape.tag, *(shape.get(place, "") for place in _PLACES)) for shape in symbol.iter()
        ]
        for symbol in root.iter(f"{_SVG}symbol")
    }


def signs_on(shapes: list[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """What is drawn on the disc of a piece."""
    drawn = {shape for shape in shapes[1:] if not shape[0].endswith("}g")}
    return {shape for shape in drawn if not (shape[0].endswith("circle") and float(shape[4]) > 37)}


def test_there_are_at_least_four_sets_and_each_can_be_chosen() -> None:
    settings = (STATIC / "js" / "board" / "settings.js").read_text("utf-8")
    choices = re.search(r"pieces: \[(?P<names>[^\]]+)\]", settings)
    page = (SERVER / "play" / "templates" / "board" / "piece_sets.html").read_text("utf-8")
    assert len(FILES) >= 4
    assert choices is not None
    assert sorted(re.findall(r'"(\w+)"', choices["names"])) == sorted([*FILES, "usual"])
    assert set(re.findall(r'value="(\w+)"', page)) == {*FILES, "usual"}


@EACH
def test_a_set_draws_every_kind_of_piece(name: str) -> None:
    found = drawings(name)
    assert set(found) == {f"piece-{kind}" for kind in PieceKind}
    for one, other in combinations(found.values(), 2):
        assert one != other


@pytest.mark.parametrize("kind", ["man", "king"])
def test_no_set_is_another_one_in_other_colours(kind: str) -> None:
    """They may share the disc and its shade; no ring, no sign on it."""
    for one, other in combinations(FILES, 2):
        signs, others = (signs_on(drawings(name)[f"piece-{kind}"]) for name in (one, other))
        assert signs
        assert not signs & others, (one, other)


@EACH
def test_a_set_has_the_colours_of_the_board_alone(name: str) -> None:
    """Where there is none, in the picture of a choice, those of the white pieces."""
    text = FILES[name].read_text("utf-8")
    tokens = (STATIC / "css" / "tokens.css").read_text("utf-8")
    for colour in _COLOUR.finditer(text):
        assert f"--white-{colour['token']}: {colour['fallback']};" in tokens
    plain = set(re.findall(r'(?:fill|stroke)="([^"]+)"', _COLOUR.sub("", text)))
    assert plain <= {"", "none", "#000", "#fff"}, "shades and lights alone are the same on every colour"
    assert len(text) < MAX_BYTES
    assert "<style" not in text
    assert "style=" not in text
    assert "class=" not in text
