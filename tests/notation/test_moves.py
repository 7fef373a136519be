"""Move text: short unless ambiguous in writing, every form in reading, a reason in refusing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import VARIANTS, AmbiguousMove, CrownheadError, IllegalMove, NotationError, Position
from crownhead.notation.moves import Style, write

# Black's men stand so that 1 can jump 6 and 15 at 10, landing on 10 and 19.
DOUBLE_JUMP = Position.from_fen("B:W6,15,32:B1,28", "american")
KING_TOUR = Position.from_fen("W:WK47:B14,19,29,31,42", "international")


@pytest.mark.parametrize(
    "text",
    [
        "1x19",
        "1x10x19",
        "1-19",
        "1-10-19",
        "1:19",
        "1:10:19",
        "01x019",
        " 1x 19 ",
        "1 x 10 x 19",
        "1X19",
        "1×10×19",
        "1–19",
        "1x19!",
        "1x10x19 ?!",
    ],
)
def test_a_jump_is_read_in_every_form(text: str) -> None:
    move = DOUBLE_JUMP.parse(text)
    assert (move.path, move.captures) == ((1, 10, 19), (6, 15))


@pytest.mark.parametrize("text", ["11-15", "11x15", "11:15", "11 - 15", "011-15"])
def test_the_sign_does_not_decide_whether_a_step_is_legal(text: str) -> None:
    move = Position.start("american").parse(text)
    assert (move.origin, move.target, move.captures) == (11, 15, ())


@pytest.mark.parametrize("text", ["c3-d4", "c3d4", "C3-D4", "c3:d4", "c3xd4", "22-18"])
def test_named_squares_are_read_in_every_form(text: str) -> None:
    assert Position.start("russian").parse(text).path == (22, 18)


@pytest.mark.parametrize("text", ["c3:e5:g7", "c3xe5xg7", "c3e5g7", "C3:G7", "c3g7", "22-15-8"])
def test_a_jump_over_named_squares_is_read_in_every_form(text: str) -> None:
    position = Position.from_fen("W:Wc3,a1:Bd4,f6,h8", "russian")
    assert position.parse(text).captures == (18, 11)


def test_a_jump_is_written_short_with_the_sign_of_the_variant() -> None:
    assert DOUBLE_JUMP.notation(DOUBLE_JUMP.legal_moves()[0]) == "1x19"
    russian = Position.from_fen("W:Wc3,a1:Bd4,f6,h8", "russian")
    assert [russian.notation(move) for move in russian.legal_moves()] == ["c3:g7"]


def test_a_jump_is_written_in_full_where_another_shares_its_ends() -> None:
    """The example of PDN 3.0: where a king goes straight on, the square behind the piece is named."""
    ambiguous = {
        KING_TOUR.notation(move) for move in KING_TOUR.legal_moves() if (move.origin, move.target) == (47, 36)
    }
    assert ambiguous == {"47x38x24x13x36", "47x38x20x9x36"}


def test_a_text_that_fits_two_moves_is_ambiguous_and_names_them() -> None:
    position = Position.from_fen("B:W14,15,18,21,22,23,30:B6,7,8,10,12,13", "american")
    with pytest.raises(AmbiguousMove) as caught:
        position.parse("10x26")
    assert caught.value.candidates == ("10x17x26", "10x19x26")
    for text in caught.value.candidates:
        assert position.notation(position.parse(text)) == text


@pytest.mark.parametrize("text", ["47x24x36", "47x38x24x36", "47x24x13x36", "47x33x24x13x36"])
def test_some_of_the_landings_suffice_if_they_fit_one_move(text: str) -> None:
    assert KING_TOUR.parse(text).captures == (42, 29, 19, 31)


@pytest.mark.parametrize("text", ["47x33x24x13x35", "47x1x36"])
def test_landings_that_no_route_has_are_not_read(text: str) -> None:
    with pytest.raises(IllegalMove):
        KING_TOUR.parse(text)


@pytest.mark.parametrize(
    "text", ["", " ", "11", "11-", "-15", "11-16x", "11--15", "foo", "O-O", "11-15 16", "²-³", "x"]
)
def test_what_is_no_move_text_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(NotationError, match="expected a move such as"):
        Position.start("american").parse(text)


@pytest.mark.parametrize("text", ["c3x5", "x3x5", "c3xx5", "c3", "3c4d", "c33d4d"])
def test_what_names_no_squares_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected a move such as"):
        Position.start("russian").parse(text)


def test_a_huge_text_is_refused_and_shown_short() -> None:
    with pytest.raises(NotationError, match="at most 400 characters") as caught:
        Position.start("american").parse("11-15" * 1000)
    assert len(str(caught.value)) < 300


def test_something_else_than_text_is_refused() -> None:
    with pytest.raises(NotationError, match="got 1115"):
        Position.start("american").parse(1115)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fen", "text", "reason"),
    [
        ("B:W21-32:B1-12", "18-22", "there is no piece on 18"),
        ("B:W21-32:B1-12", "24-20", "the piece on 24 is white, it is for black to move"),
        ("B:W21-32:B1-12", "33-29", "a square that is not played on"),
        ("B:W21-32:B1-12", "9999-1", "a square that is not played on"),
        ("B:W21-32:B1-12", "1-5", "the piece on 1 cannot move"),
        ("B:W21-32:B1-12", "11-18", "the piece on 11 can move to 15 or 16"),
        ("W:W22,24:B17,1", "24-20", "a jump is compulsory, with 22"),
        ("W:W22,24:B17,1", "22-18", "the piece on 22 must jump to 13"),
        ("B:W6,15,32:B1,28", "1x10", "the jump must go on to 19"),
        ("B:W6,15,32:B1,28", "1x9x19", "passes the squares between"),
        ("B:WK1:B", "2-6", "the game is over"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(fen: str, text: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason) as caught:
        Position.from_fen(fen, "american").parse(text)
    assert caught.value.move == text


def test_a_square_of_the_other_colour_is_not_played_on() -> None:
    with pytest.raises(IllegalMove, match="a square that is not played on, as b8 and g1 are"):
        Position.start("russian").parse("c3-c4")


def test_a_move_of_another_position_is_not_written() -> None:
    start = Position.start("american")
    later = start.play("11-15")
    with pytest.raises(IllegalMove):
        later.notation(start.legal_moves()[0])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(VARIANTS)), st.lists(st.integers(0, 1000), max_size=60))
def test_every_legal_move_is_read_back_as_it_was_written(variant: str, choices: list[int]) -> None:
    position = Position.start(variant)
    for choice in choices:
        moves = position.legal_moves()
        for move in moves:
            assert position.parse(position.notation(move)) == move
        if not moves:
            break
        position = position.play(moves[choice % len(moves)])


@given(st.text() | st.text("0123456789abchx:-×! "), st.sampled_from(sorted(VARIANTS)))
def test_any_text_is_a_legal_move_or_refused(text: str, variant: str) -> None:
    position = Position.start(variant)
    try:
        move = position.parse(text)
    except CrownheadError:
        return
    assert move in position.legal_moves()


@pytest.mark.parametrize(
    ("played", "text", "meant"),
    [
        ("", "gf4", "g3-f4"),
        ("", "GF4!", "g3-f4"),
        ("gf4 fe5", "cb4", "c3-b4"),
        ("cd4 de5", "bc3", "b2-c3"),
    ],
)
def test_file_and_target_will_do_where_squares_have_names(played: str, text: str, meant: str) -> None:
    position = Position.start("russian")
    for move in played.split():
        position = position.play(move)
    assert position.notation(position.parse(text)) == meant


def test_a_short_text_that_fits_two_moves_is_ambiguous() -> None:
    position = Position.from_fen("W:Wc3,Kc1:Bh8", "russian")
    assert position.parse("cd4").path == position.parse("c3-d4").path
    with pytest.raises(AmbiguousMove, match="c1-d2"):
        Position.from_fen("W:WKc1,Kc3:Bh8", "russian").parse("cd2")


def test_a_short_text_that_fits_no_move_is_illegal() -> None:
    with pytest.raises(IllegalMove, match="no piece of file a can move there"):
        Position.start("russian").parse("ab6")


@pytest.mark.parametrize(
    ("style", "texts"),
    [
        (Style.NATIVE, ("c3-d4", "f6-e5", "d4xf6")),
        (Style.NUMERIC, ("22-18", "11-15", "18x11")),
        (Style.ALGEBRAIC, ("c3-d4", "f6-e5", "d4xf6")),
        (Style.SHORT, ("cd4", "fe5", "df6")),
    ],
)
def test_moves_are_written_in_every_style_and_read_back(style: Style, texts: tuple[str, ...]) -> None:
    position = Position.start("russian")
    for text in texts:
        move = position.parse(text)
        sign = position.variant.notation.capture_sign
        assert write(position, move, style) == text.replace("x", sign)
        position = position.play(move)
