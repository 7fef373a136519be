"""FEN: many forms are read, one is written, and errors give the column."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import (
    VARIANTS,
    Colour,
    CrownheadError,
    IllegalPosition,
    NotationError,
    Piece,
    PieceKind,
    Position,
    Setup,
)
from crownhead.notation import fen
from crownhead.notation.numberings import Numbering
from crownhead.rules.setup import KingRun
from tests.notation.files import data
from tests.notation.play import KEYS, reached, walks

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
def test_what_is_wrong_is_reported_with_its_column(text: str, expected: str, column: int) -> None:
    with pytest.raises(NotationError, match=re.escape(expected)) as caught:
        fen.read(text, "american")
    assert caught.value.column == column


@pytest.mark.parametrize("text", ["W:W31-50:B1-20", "W:W31,K50:B1"])
def test_a_square_that_is_too_large_hints_at_the_variant(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Position.from_fen(text)
    assert caught.value.expected == (
        "a square of the board of American checkers such as '1' or 'K32' "
        "(50 is too large; name the variant if the board is larger)"
    )
    assert Position.from_fen(text, "international").fen()


def test_a_huge_text_is_refused_and_shown_short() -> None:
    with pytest.raises(NotationError, match="at most 1000 characters") as caught:
        fen.read("W:W" + "1," * 100_000, "american")
    assert len(str(caught.value)) < 300


def test_something_else_than_text_is_refused() -> None:
    with pytest.raises(NotationError, match="got None"):
        fen.read(None, "american")  # type: ignore[arg-type]


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    variant = VARIANTS[draw(st.sampled_from(KEYS))]
    marked = variant.rules.marked
    kinds = [PieceKind.MAN, PieceKind.KING, *([marked] if marked else [])]
    pieces = st.builds(Piece, st.sampled_from(Colour), st.sampled_from(kinds))
    placed = draw(st.dictionaries(st.integers(1, variant.board.squares), pieces))
    kings = {square: piece.colour for square, piece in placed.items() if piece.kind is PieceKind.KING}
    run = st.tuples(st.sampled_from(sorted(kings) or [0]), st.integers(1, variant.rules.king_run or 1))
    ran = draw(st.lists(run, max_size=2)) if kings and variant.rules.king_run else []
    runs = {kings[square]: KingRun(square, steps) for square, steps in ran}
    return Setup(variant, draw(st.sampled_from(Colour)), placed, runs)


@given(setups(), st.sampled_from(Numbering))
def test_any_arrangement_is_read_back_as_it_was_written(setup: Setup, numbering: Numbering) -> None:
    assert fen.read(fen.write(setup, numbering), setup.variant_key, numbering) == setup


@settings(max_examples=150, deadline=None)
@given(walks())
def test_every_position_of_a_game_is_what_its_fen_says(walk: tuple[str, list[int]]) -> None:
    for position in reached(walk):
        text = position.fen()
        assert Position.from_fen(text, walk[0]) == position
        assert fen.read(text, walk[0]) == position.setup()
        assert fen.write(position.setup()) == text


@given(
    st.text()
    | st.text("WBKMGP?:,-. 0123456789abchHF+@")
    | st.from_regex(r"[WB]:W(K?[a-h1-9],?)+:B(K?[1-9],?)+"),
    st.sampled_from(KEYS),
    st.sampled_from(Numbering),
)
def test_any_text_is_read_or_refused(text: str, variant: str, numbering: Numbering) -> None:
    try:
        setup = fen.read(text, variant, numbering)
    except NotationError:
        return
    assert fen.read(fen.write(setup, numbering), variant, numbering) == setup


@given(setups(), st.data())
def test_a_fen_is_read_alike_the_quick_and_the_careful_way(setup: Setup, drawn: st.DataObject) -> None:
    """Only the full parser reports errors; the fast path must never read anything differently."""
    text = list(fen.write(setup))
    for _ in range(drawn.draw(st.integers(0, 2))):
        text[drawn.draw(st.integers(0, len(text) - 1))] = drawn.draw(st.sampled_from("WBKMP:-,019aH "))
    quick: Position | CrownheadError
    careful: Position | CrownheadError
    try:
        quick = Position.from_fen("".join(text), setup.variant_key)
    except CrownheadError as error:
        quick = error
    try:
        careful = Position.from_setup(fen.read("".join(text), setup.variant_key))
    except CrownheadError as error:
        careful = error
    assert quick == careful or (type(quick) is type(careful) and str(quick) == str(careful))


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


# ------------------------------------------------------------------------------------- marked men
def test_parachutists_are_marked_where_there_are_parachutists() -> None:
    setup = fen.read("W:WPb8,c3,Ka5:BPa1,d6", "parachute")
    assert setup.pieces[1] == Piece(Colour.WHITE, PieceKind.PARACHUTIST)
    assert fen.write(setup) == "W:WPb8,Ka5,c3:Bd6,Pa1"
    assert Position.from_setup(setup).fen() == "W:WPb8,Ka5,c3:Bd6,Pa1"


def test_the_letter_of_a_parachutist_is_that_of_a_taken_king_elsewhere() -> None:
    assert Colour.WHITE not in {
        piece.colour for piece in fen.read("W:WP31:B9", "international").pieces.values()
    }


def test_a_mark_of_another_variant_is_refused() -> None:
    with pytest.raises(NotationError, match="no mules in this variant"):
        fen.read("W:WMb8:Ba1", "parachute")


# ------------------------------------------------------------------------------------- king runs
@pytest.mark.parametrize(
    ("text", "black", "white"),
    [
        ("W:WK46,30:BK5,15:H0:F1:+0+2", None, (46, 2)),
        ("W:WK46,30:BK5,15:+1+3", (5, 1), (46, 3)),
        ("W:WK46,K36,30:BK5,15:+1+3@36", (5, 1), (36, 3)),
        ("W:WK46,K36,30:BK5,15: + 0 + 1 @ 036 ", None, (36, 1)),
        ("W:WK46,30:BK5,15:+0+0", None, None),
        ("W:WK46,30:BK5,15", None, None),
    ],
)
def test_the_steps_of_kings_are_read(
    text: str, black: tuple[int, int] | None, white: tuple[int, int] | None
) -> None:
    runs = {Colour.BLACK: black, Colour.WHITE: white}
    assert fen.read(text, "frisian").king_runs == {side: run for side, run in runs.items() if run}


def test_the_square_of_a_run_is_written_only_where_a_side_has_several_kings() -> None:
    pieces = fen.read("W:WK46,K36,30:BK5,15", "frisian").pieces
    runs = {Colour.BLACK: KingRun(5, 1), Colour.WHITE: KingRun(46, 2)}
    text = fen.write(Setup("frisian", Colour.WHITE, pieces, runs))
    assert text == "W:W30,K36,K46:BK5,15:+1+2@46"
    assert Position.from_fen(text, "frisian").king_runs == runs


def test_nothing_is_written_where_no_king_has_run() -> None:
    assert Position.from_fen("W:WK46,30:BK5,15:+0+0", "frisian").fen() == "W:W30,K46:BK5,15"


def test_three_steps_in_a_row_forbid_the_fourth() -> None:
    tired = Position.from_fen("W:WK46,36:BK5,15:+0+3", "frisian")
    assert {move.origin for move in tired.legal_moves()} == {36}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "W:WK46,K36:BK5,15:+0+2",
            "'@' and the king's square after the count of white, which has 2 kings",
        ),
        ("W:WK46,36:B15:+1+0", "'@' and the king's square after the count of black, which has 0 kings"),
        ("W:WK46,36:BK5:+0+2@36", "the square of a white king after '@'"),
        ("W:WK46,36:BK5:+0+2@51", "the square of a white king after '@'"),
        ("W:WK46,36:BK5:+0", "a side, 'W' or 'B'"),
    ],
)
def test_what_is_missing_of_a_run_is_reported(text: str, expected: str) -> None:
    with pytest.raises(NotationError, match=re.escape(expected)) as caught:
        Position.from_fen(text, "frisian")
    assert caught.value.column == text.index("+") + 1


def test_more_steps_than_the_law_allows_are_no_position() -> None:
    with pytest.raises(IllegalPosition):
        Position.from_fen("W:WK46,36:BK5,15:+0+4", "frisian")


def test_steps_are_read_over_where_the_law_does_not_count_them() -> None:
    assert Position.from_fen("W:WK46,36:BK5,15:+0+2", "international").fen() == "W:W36,K46:BK5,15"


# ------------------------------------------------------------------------------------- numberings
@pytest.mark.parametrize(
    ("variant", "numbering", "text"),
    [
        ("american", Numbering.NATIVE, "W:W21,K32:B1,12"),
        ("american", Numbering.MIRRORED, "W:W12,K1:B32,21"),
        ("american", Numbering.ALGEBRAIC, "W:Wh6,Kb8:Bg1,a3"),
        ("american", Numbering.NATIVE, "W:Wh6,Kb8:Bg1,a3"),
        ("russian", Numbering.NATIVE, "W:Wa3,Kg1:Bb8,h6"),
        ("russian", Numbering.NUMERIC, "W:W21,K32:B1,12"),
        ("russian", Numbering.FROM_A1, "W:W9,K4:B29,24"),
        ("jamaican", Numbering.FROM_A1, "W:W21,K32:B1,12"),
    ],
)
def test_a_fen_is_read_in_every_numbering(variant: str, numbering: Numbering, text: str) -> None:
    pieces = {1: BLACK_MAN, 12: BLACK_MAN, 21: WHITE_MAN, 32: WHITE_KING}
    assert fen.read(text, variant, numbering).pieces == pieces


def test_a_range_counts_in_the_numbering_that_is_read() -> None:
    assert fen.read("B:B21-32:W1-12", "american", Numbering.MIRRORED) == Position.start("american").setup()
