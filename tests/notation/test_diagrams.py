"""The board drawn with characters and as SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from crownhead import VARIANTS, NotationError, Position
from crownhead.notation import diagram

SVG = "{http://www.w3.org/2000/svg}"
MULES = Position.from_fen("B:WM29,30,K18:BM1,K5,10", "mule")


def pieces(picture: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    return [group for group in root.findall(f"{SVG}g") if group.get("transform")]


def test_the_text_diagram_shows_white_at_the_bottom_and_the_numbers_of_each_rank() -> None:
    assert str(MULES).splitlines() == [
        " 1-4      bM    .     .     .",
        " 5-8   bK    .     .     .",
        " 9-12     .     b     .     .",
        "13-16  .     .     .     .",
        "17-20     .     wK    .     .",
        "21-24  .     .     .     .",
        "25-28     .     .     .     .",
        "29-32  wM    w     .     .",
        "Black to move",
    ]


def test_the_text_diagram_names_ranks_and_files_where_squares_have_names() -> None:
    lines = str(Position.start("russian")).splitlines()
    assert lines[0] == " 8     b     b     b     b"
    assert lines[7] == " 1  w     w     w     w"
    assert lines[8] == "    a  b  c  d  e  f  g  h"
    assert lines[9] == "White to move"


@pytest.mark.parametrize("variant", sorted(VARIANTS))
@pytest.mark.parametrize("flip", [False, True])
def test_the_picture_of_every_variant_is_sound_and_always_the_same(variant: str, flip: bool) -> None:
    position = Position.start(variant)
    picture = position.svg(flip=flip)
    assert picture == position.svg(flip=flip)
    assert len(pieces(picture)) == len(position.pieces)
    board = position.variant.board
    assert ElementTree.fromstring(picture).get("viewBox") == f"0 0 {board.width * 100} {board.height * 100}"


def test_the_picture_has_a_title_and_a_description() -> None:
    root = ElementTree.fromstring(MULES.svg())
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Mule checkers, black to move"
    assert root.findtext(f"{SVG}desc") == (
        "Black kings: 5. Black men: 10. Black mules: 1. White kings: 18. White men: 30. White mules: 29. "
        "FEN B:WM29,30,K18:BM1,K5,10"
    ).replace("FEN B:WM29,30,K18:BM1,K5,10", f"FEN {MULES.fen()}")


def test_a_flipped_board_has_black_at_the_bottom() -> None:
    position = Position.from_fen("B:W29:B4", "american")
    upright = [piece.get("transform") for piece in pieces(position.svg())]
    flipped = [piece.get("transform") for piece in pieces(position.svg(flip=True))]
    assert upright == ["translate(750 50)", "translate(50 750)"]
    assert flipped == upright[::-1]


def test_kings_and_mules_bear_a_mark_of_their_own() -> None:
    shapes = {piece.get("transform"): len(list(piece.iter(f"{SVG}path"))) for piece in pieces(MULES.svg())}
    assert shapes == {
        "translate(150 50)": 1,
        "translate(50 150)": 1,
        "translate(350 250)": 0,
        "translate(350 450)": 1,
        "translate(50 750)": 1,
        "translate(250 750)": 0,
    }
    assert MULES.svg().count("M-20 13") == MULES.svg().count("M-12 14") == 2


def test_numbers_can_be_left_out() -> None:
    assert MULES.svg().count("<text") == 32
    assert MULES.svg(numbers=False).count("<text") == 0


def test_names_stand_on_squares_that_have_names() -> None:
    assert ">b8</text>" in Position.start("russian").svg()


def test_the_last_move_is_traced_along_its_path() -> None:
    before = Position.from_fen("B:W6,15,32:B1,28", "american")
    move = before.parse("1x19")
    picture = before.play(move).svg(last_move=move)
    assert 'points="150,50 350,250 550,450"' in picture
    assert "Last move: 1 to 10 to 19." in picture


def test_marks_are_rings() -> None:
    assert MULES.svg(marks=[14, 14, 15]).count("stroke-dasharray") == 2


def test_the_picture_has_the_size_that_is_asked_for() -> None:
    root = ElementTree.fromstring(MULES.svg(size=320))
    assert (root.get("width"), root.get("height")) == ("320", "320")


@pytest.mark.parametrize("mark", [0, 33, -1])
def test_a_mark_beyond_the_board_is_refused(mark: int) -> None:
    with pytest.raises(ValueError, match="expected squares from 1 to 32"):
        MULES.svg(marks=[mark])


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_text_diagram_is_read_back(variant: str) -> None:
    position = Position.start(variant)
    for _ in range(12):
        assert diagram.read(str(position), variant) == position.setup()
        position = position.play(position.legal_moves()[0])


def test_a_text_diagram_with_kings_is_read_back() -> None:
    setup = Position.from_fen("B:WK1,32:BK30,2", "american").setup()
    assert diagram.read(diagram.text_diagram(Position.from_setup(setup))) == setup


@pytest.mark.parametrize("text", ["", "8 b b b b", "x" * 5000, "\n".join(["1-4 b b b"] * 8)])
def test_what_is_no_text_diagram_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="a diagram"):
        diagram.read(text)
