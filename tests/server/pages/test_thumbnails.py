"""Small boards: the same pieces at the same places as large ones, in a few elements."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from crownhead import VARIANTS, Colour, PieceKind, Position
from crownhead.server.play.presenters.board.diagrams import Diagram, diagram

BOARD = 4  # the frame, the two shades, the lines
_MEN = re.compile(r'<path class="discs" data-colour="(?P<colour>\w+)" d="(?P<dots>[^"]*)"/>')
_DOT = re.compile(r"M(\d+)\.5 (\d+)\.5h\.01")
_PIECE = re.compile(
    r'<use href="#piece-(\w+)" x="(\d+)" y="(\d+)" width="1" height="1" data-colour="(\w+)"/>'
)

Drawn = Counter[tuple[int, int, str, str]]


def start(key: str, *, detailed: bool = False) -> Diagram:
    return diagram(Position.start(VARIANTS[key]), bottom=Colour.WHITE, detailed=detailed)


def drawn(markup: str) -> Drawn:
    """Column, row, colour and kind of every piece that is drawn."""
    men = [
        (int(x), int(y), path["colour"], "man")
        for path in _MEN.finditer(markup)
        for x, y in _DOT.findall(path["dots"])
    ]
    return Counter([*men, *((int(x), int(y), colour, kind) for kind, x, y, colour in _PIECE.findall(markup))])


@pytest.mark.parametrize("key", VARIANTS)
def test_a_small_board_has_a_few_elements(key: str) -> None:
    board = start(key)
    others = sum(piece.kind is not PieceKind.MAN for *_, piece in board.pieces)

    assert len(re.findall(r"<\w", board.markup)) <= BOARD + 2 * len(Colour) + others


@pytest.mark.parametrize("key", VARIANTS)
def test_a_small_board_shows_what_a_detailed_one_does(key: str) -> None:
    shown = drawn(start(key).markup)

    assert shown == drawn(start(key, detailed=True).markup)
    assert shown.total() == len(Position.start(VARIANTS[key]).pieces)


def test_kings_are_drawn_as_on_large_boards() -> None:
    markup = diagram(Position.from_fen("W:W18,K26:BK3"), bottom=Colour.WHITE).markup

    assert sorted(kind for *_, kind in drawn(markup)) == ["king", "king", "man"]
    assert markup.count('class="discs"') == 1
