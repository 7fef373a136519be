"""FEN: read in every form that is met, written in one, refused with the place."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead import VARIANTS, Colour, CrownheadError, NotationError, Piece, PieceKind, Position, Setup
from crownhead.notation import fen
from tests.notation.files import data

START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
BLACK_MAN, BLACK_KING = Piece(Colour.BLACK), Piece(Colour.BLACK, PieceKind.KING)
WHITE_MAN, WHITE_KING = Piece(Colour.WHITE), Piece(Colour.WHITE, PieceKind.KING)


def test_the_start_is_written_without_ranges_white_first() -> None:
    assert fen.write(Position.start("american").setup()) == START


def test_kings_stand_among_men_by_number() -> None:
    setup = Setup("american", Colour.WHITE, {30: WHITE_MAN, 5: WHITE_KING, 1: BLACK_KING, 12: BLACK_MAN})
    assert fen.write(setup) == "W:WK5,30:BK1,12"


def test_squares_are_named_where_the_variant_names_them() -> None:
    written = "B:Wa3,Kc1:Bb8,Kg1"
    setup = Setup("russian", Colour.BLACK, {21: WHITE_MAN, 30: WHITE_KING, 1: BLACK_MAN, 32: BLACK_KING})
    assert fen.write(setup) == written
    assert fen.read(written, "russian") == setup


@pytest.mark.parametrize(
    "text",
    [
        "W:WK5,30:BK1,12",
        "W:WK5,30:BK1,12.",
        "W:WK5,30:BK1,12. ",
        " W : W K5 , 30 : B K1 , 12 ",
        "W:BK1,12:WK5,30",
        "W:B12,K1:W30,K5",
        "W:WK05,030:BK01,12",
        "W:WK5,30:BK1,12:H0:F1",
        "W:WK5,30:BK1,12:H12:F40:+0+2",
        "W:WK5:W30:BK1,12",
    ],
)
def test_every_form_of_a_position_is_read_as_the_same(text: str) -> None:
    pieces = {1: BLACK_KING, 5: WHITE_KING, 12: BLACK_MAN, 30: WHITE_MAN}
    assert fen.read(text, "american") == Setup("american", Colour.WHITE, pieces)


def test_a_range_stands_for_its_squares_and_a_king_before_it_for_kings() -> None:
    assert fen.read("B:W21-32:B1-12", "american") == Position.start("american").setup()
    assert fen.read("W:WK46-47:BK3-4", "international").pieces == {
        3: BLACK_KING,
        4: BLACK_KING,
        46: WHITE_KING,
        47: WHITE_KING,
    }


def test_numbers_are_read_where_squares_have_names() -> None:
    assert fen.read("W:W21-32:B1-12", "russian") == Position.start("russian").setup()


@pytest.mark.parametrize("text", ["W:W1:B", "W:W1:", "W:W1", "W:B:W1"])
def test_a_side_may_have_no_pieces(text: str) -> None:
    assert fen.read(text, "american").pieces == {1: WHITE_MAN}


def test_an_empty_side_is_written_and_read_back() -> None:
    setup = Setup("american", Colour.BLACK, {9: WHITE_KING})
    assert fen.write(setup) == "B:WK9:B"
    assert fen.read(fen.write(setup), "american") == setup


def test_a_question_mark_leaves_the_move_to_the_side_that_begins() -> None:
    assert fen.read("?:W29,13,11:B22,4,2", "american").turn is Colour.BLACK
    assert fen.read("?:W29,13,11:B22,4,2", "italian").turn is Colour.WHITE


def test_mules_are_marked_where_there_are_mules() -> None:
    setup = fen.read("B:WM29,30:BM1,K5", "mule")
    assert setup.pieces[29] == Piece(Colour.WHITE, PieceKind.MULE)
    assert setup.pieces[1] == Piece(Colour.BLACK, PieceKind.MULE)
    assert fen.write(setup) == "B:WM29,30:BM1,K5"
    with pytest.raises(NotationError, match="no mules in this variant"):
        fen.read("B:WM29,30:BM1,K5", "american")


@pytest.mark.parametrize(
    ("text", "expected", "column"),
    [
        ("", "the side to move", 1),
        ("X:W1:B2", "the side to move", 1),
        ("W", "':' and the pieces", 2),
        ("W:W21,33:B1", "a square of the board", 7),
        ("W:W21,0:B1", "a square of the board", 7),
        ("W:W21:B1,,2", "a square such as", 10),
        ("W:W21:B1,Q2", "a square such as", 10),
        ("W:W21:G1", "a side, 'W' or 'B'", 7),
        ("W:W21:B12-1", "a range of ascending numbers", 8),
        ("W:W21:B21", "each square once", 8),
        ("W:Wc4:Bd4", "a square of the board", 4),
        ("W:Wc3-12:B", "a range of ascending numbers", 4),
        ("W:W21:B²", "a square such as", 8),
    ],
)
def test_what_is_wrong_is_told_with_its_column(text: str, expected: str, column: int) -> None:
    with pytest.raises(NotationError, match=re.escape(expected)) as caught:
        fen.read(text, "american")
    assert caught.value.column == column


def test_a_huge_text_is_refused_and_shown_short() -> None:
    with pytest.raises(NotationError, match="at most 1000 characters") as caught:
        fen.read("W:W" + "1," * 100_000, "american")
    assert len(str(caught.value)) < 300


def test_something_else_than_text_is_refused() -> None:
    with pytest.raises(NotationError, match="got None"):
        fen.read(None, "american")  # type: ignore[arg-type]


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    variant = VARIANTS[draw(st.sampled_from(sorted(VARIANTS)))]
    kinds = [PieceKind.MAN, PieceKind.KING, *([variant.rules.marked] if variant.rules.marked else [])]
    pieces = st.builds(Piece, st.sampled_from(Colour), st.sampled_from(kinds))
    squares = st.integers(1, variant.board.squares)
    return Setup(variant.key, draw(st.sampled_from(Colour)), draw(st.dictionaries(squares, pieces)))


@given(setups())
def test_any_arrangement_is_read_back_as_it_was_written(setup: Setup) -> None:
    assert fen.read(fen.write(setup), setup.variant_key) == setup


@given(st.text() | st.text("WBKM?:,-. 0123456789abchHF+"), st.sampled_from(sorted(VARIANTS)))
def test_any_text_is_read_or_refused(text: str, variant: str) -> None:
    try:
        setup = fen.read(text, variant)
    except CrownheadError:
        return
    assert fen.read(fen.write(setup), variant) == setup


def test_the_fens_of_real_files_are_read() -> None:
    folder = data("pdn_conformance", "wiegerw")
    found = 0
    for path in sorted(folder.rglob("*.pdn")):
        for text in re.findall(r'\[FEN "([^"]*)"', path.read_bytes().decode("latin-1")):
            fen.read(text, "international")
            found += 1
    assert found > 1000


def test_pieces_that_a_capture_has_taken_already_are_read_over() -> None:
    taken = Position.from_fen("W:WK31:B9,G18,P23:H0:F12", "international")
    assert taken.fen() == "W:WK31:B9"
