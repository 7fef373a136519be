"""Move text: the short form is written, every form is read, and illegal moves are explained."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import AmbiguousMove, CrownheadError, Game, IllegalMove, NotationError, Position
from crownhead.notation.moves import Style, parse, play_through, read_squares, write, write_full
from crownhead.notation.numberings import Numbering
from crownhead.rules.schema import Priority
from tests.notation.play import KEYS, reached, walks

SUITES = Path(__file__).parents[2] / "suites"

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
        "1 10 19",
        "1  19",
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


@pytest.mark.parametrize("text", ["11-15", "11x15", "11:15", "11 - 15", "011-15", "11 15"])
def test_the_sign_does_not_decide_whether_a_step_is_legal(text: str) -> None:
    move = Position.start("american").parse(text)
    assert (move.origin, move.target, move.captures) == (11, 15, ())


@pytest.mark.parametrize("text", ["c3-d4", "c3d4", "C3-D4", "c3:d4", "c3xd4", "22-18", "c3 d4"])
def test_named_squares_are_read_in_every_form(text: str) -> None:
    assert Position.start("russian").parse(text).path == (22, 18)


@pytest.mark.parametrize("text", ["c3:e5:g7", "c3xe5xg7", "c3e5g7", "c3 e5 g7", "C3:G7", "c3g7", "22-15-8"])
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


@pytest.mark.parametrize("text", ["2x9x18x11x2", "2x11x18x9x2"])
def test_a_whole_path_means_the_move_with_as_many_captures_by_whatever_route(text: str) -> None:
    """A longer capture goes over the same squares, and over others between them."""
    position = Position.from_fen("B:W6,7,14,15,16,23,24:BK2", "american")
    assert sorted(position.parse(text).captures) == [6, 7, 14, 15]


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
        ("B:W21-32:B1-12", "24-20", "the piece on 24 is white, but it is black's turn"),
        ("B:W21-32:B1-12", "33-29", "there is no such square"),
        ("B:W21-32:B1-12", "9999-1", "there is no such square"),
        ("B:W21-32:B1-12", "1-5", "the piece on 1 cannot move"),
        ("B:W21-32:B1-12", "11-18", "the piece on 11 can move to 15 or 16"),
        ("W:W22,24:B17,1", "24-20", "a jump is compulsory, from 22"),
        ("W:W22,24:B17,1", "22-18", "the piece on 22 must jump to 13"),
        ("B:W6,15,32:B1,28", "1x10", "the jump must continue to 19"),
        ("B:W6,15,32:B1,28", "1x9x19", "no move from 1 to 19 passes these squares"),
        ("B:WK1:B", "2-6", "the game is over"),
    ],
)
def test_an_illegal_move_is_refused_with_the_reason(fen: str, text: str, reason: str) -> None:
    with pytest.raises(IllegalMove, match=reason) as caught:
        Position.from_fen(fen, "american").parse(text)
    assert caught.value.move == text


@pytest.mark.parametrize(
    ("key", "fen", "text", "reason", "priority"),
    [
        (
            "international",
            "W:WK9,K37:B14,22,28",
            "9x20",
            "from 37; the capture that takes the most pieces is compulsory",
            Priority.MAX_PIECES,
        ),
        (
            "frisian",
            "W:W10,K35:B13,18,20",
            "10x30",
            "from 35; the most valuable capture is compulsory",
            Priority.MAX_VALUE,
        ),
        (
            "czech",
            "W:WKg5,b4:Be7,c5,d4",
            "b4xf8",
            "from g5; the capture made by a king is compulsory",
            Priority.WITH_KING,
        ),
        (
            "spanish",
            "W:W12,K25,26:B7,K15",
            "25x4",
            "from 12; the capture that takes the most kings is compulsory",
            Priority.MAX_KINGS,
        ),
        (
            "italian",
            "W:WK11,K28:B1,K15,23",
            "28x12",
            "from 11; the capture that takes a king earliest is compulsory",
            Priority.KINGS_FIRST,
        ),
        ("international", "W:WK9,K37:B14,22,28", "37-15", "37 must jump to 5 or 10$", None),
    ],
)
def test_a_capture_that_a_law_forbids_is_refused_by_that_law(
    key: str, fen: str, text: str, reason: str, priority: Priority | None
) -> None:
    position = Position.from_fen(fen, key)
    with pytest.raises(IllegalMove, match=reason) as caught:
        position.parse(text)
    assert caught.value.priority is priority


def test_a_square_of_the_other_colour_is_not_played_on() -> None:
    with pytest.raises(IllegalMove, match="there is no such square; squares go from b8 to g1"):
        Position.start("russian").parse("c3-c4")


def test_a_move_of_another_position_is_not_written() -> None:
    start = Position.start("american")
    later = start.play("11-15")
    with pytest.raises(IllegalMove):
        later.notation(start.legal_moves()[0])


@settings(max_examples=150, deadline=None)
@given(walks(40), st.sampled_from(Style))
def test_every_legal_move_is_read_back_as_it_was_written(walk: tuple[str, list[int]], style: Style) -> None:
    for position in reached(walk):
        written = [position.notation(move) for move in position.legal_moves()]
        assert len(set(written)) == len(written)
        assert list(position.notations().items()) == list(zip(position.legal_moves(), written, strict=True))
        for move, text in zip(position.legal_moves(), written, strict=True):
            assert position.parse(text) == move
            assert position.parse(write_full(position, move)) == move
            assert parse(position, write(position, move, style), style.numbering) == move


@given(
    st.text() | st.text("0123456789abchx:-×! ") | st.from_regex(r"[a-h][1-8][-x:]?[a-h][1-8]"),
    st.sampled_from(KEYS),
    st.sampled_from(Numbering),
)
def test_any_text_is_a_legal_move_or_refused(text: str, variant: str, numbering: Numbering) -> None:
    position = Position.start(variant)
    try:
        move = parse(position, text, numbering)
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
    with pytest.raises(IllegalMove, match="no piece on file a can move there"):
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


# ------------------------------------------------------------------------------- all sorts of boards
@pytest.mark.parametrize("text", ["d5", "D5", "d5xd5", "d5 x d5", "28", "28x28", "d5!"])
def test_a_piece_that_its_own_side_takes_off_is_named_once_or_twice(text: str) -> None:
    position = Position.start("hawaiian")
    move = position.parse(text)
    assert (move.path, move.captures) == ((28, 28), (28,))
    assert position.notation(move) == "d5xd5"


def test_what_may_be_taken_off_is_reported() -> None:
    with pytest.raises(IllegalMove, match="one of your own pieces must be removed: a8, d5, e4 or h1"):
        Position.start("hawaiian").parse("b7")
    second = Position.start("hawaiian").play("d5")
    with pytest.raises(IllegalMove, match="one of your own pieces must be removed: d6, c5, e5 or d4"):
        second.parse("a5-c5")


def test_one_square_is_no_move_where_nothing_is_taken_off() -> None:
    with pytest.raises(NotationError, match="expected a move such as 'h5-h6' or 'h5xh7'"):
        Position.start("turkish").parse("a3")


@pytest.mark.parametrize("text", ["a3a4", "a3-a4", "A3A4", "a3 - a4", "41-33", "a3xa4", "aa4"])
def test_moves_on_a_board_of_all_squares_are_read_in_every_form(text: str) -> None:
    assert Position.start("turkish").parse(text).path == (41, 33)


def test_captures_along_files_and_rows_are_written_and_read() -> None:
    position = Position.from_fen("W:Wd3,h1:Bd4,c5,a8", "turkish")
    (move,) = position.legal_moves()
    assert position.notation(move) == "d3xb5"
    for text in ("d3xb5", "d3xd5xb5", "d3d5b5", "d3:d5:b5"):
        assert position.parse(text) == move


def test_a_capture_that_comes_back_to_a_square_is_recognised_by_its_path() -> None:
    """Captured pieces are removed at once, so two routes of a king can have the same result."""
    position = Position.from_fen("W:WKd1,a1:Bd3,d6,b5,f5,h8", "brainking-turkish")
    written = [position.notation(move) for move in position.legal_moves()]
    assert len(set(written)) == len(written)
    assert [position.parse(text) for text in written] == list(position.legal_moves())
    assert list(position.notations().values()) == written


def test_a_capture_that_ends_where_it_began_names_the_square_twice() -> None:
    (move,) = Position.from_fen("W:WK22:B18,10,9,17,1", "american").legal_moves()
    assert set(move.captures) == {18, 10, 9, 17}
    position = Position.from_fen("W:WK22:B18,10,9,17,1", "american")
    assert position.notation(move) == "22x22"
    for text in ("22x22", "22x15x6x13x22", "22x13x6x15x22"):
        assert position.parse(text) == move


def test_the_sign_of_a_capture_is_that_of_the_variant() -> None:
    position = Position.from_fen("B:B27,28:W23", "makhos")
    (move,) = position.legal_moves()
    assert (position.notation(move), move.captures) == ("27-18", (23,))
    assert position.parse("27x18") == move


def test_files_beyond_h_and_ranks_beyond_nine_are_read() -> None:
    canadian = Position.from_fen("W:WK1,67:B6", "canadian")
    move = canadian.parse("b12k3")
    assert write(canadian, move, Style.ALGEBRAIC) == "b12-k3"
    assert canadian.notation(move) == "1-60"
    assert Position.start("spantsiretti").parse("i3j4").captures == ()


# ------------------------------------------------------------------------------- numberings
def test_the_captions_of_mirrored_games_are_read() -> None:
    """YourTurnMyTurn counts from the first mover's upper left: its 22-18 is the 11-15 of the federations."""
    position = Position.start("american")
    for caption, meant in (("22-18", "11-15"), ("11-15", "22-18"), ("18x11", "15x22"), ("8x15", "25x18")):
        move = parse(position, caption, Numbering.MIRRORED)
        assert position.notation(move) == meant
        assert write(position, move, Numbering.MIRRORED) == caption
        position = position.play(move)


@pytest.mark.parametrize(
    ("numbering", "text"),
    [
        (Numbering.NUMERIC, "22-18"),
        (Numbering.FROM_A1, "10-14"),
        (Numbering.ALGEBRAIC, "c3-d4"),
        (Numbering.MIRRORED, "11-15"),
    ],
)
def test_a_russian_move_is_read_in_every_numbering(numbering: Numbering, text: str) -> None:
    position = Position.start("russian")
    assert position.notation(parse(position, text, numbering)) == "c3-d4"
    assert parse(position, "c3d4", numbering) == parse(position, text, numbering)


def test_refusals_speak_the_numbering_of_the_text() -> None:
    position = Position.start("american")
    with pytest.raises(IllegalMove, match="the piece on 22 can move to 18 or 17"):
        parse(position, "22-15", Numbering.MIRRORED)
    with pytest.raises(NotationError, match="expected a move such as 'b4-c3' or 'b4xd2'"):
        parse(position, "22", Numbering.ALGEBRAIC)


def test_squares_beyond_the_board_are_numbered_beyond_it() -> None:
    variant = Position.start("american").variant
    assert read_squares("99-1", variant) == (33, 1)
    assert read_squares("1-33", variant, Numbering.MIRRORED) == (32, 33)


def test_a_short_text_names_no_path() -> None:
    with pytest.raises(NotationError, match="a move such as"):
        read_squares("gf4", Position.start("russian").variant)


def test_many_moves_are_written_without_a_call_for_each() -> None:
    # Where calls begin a chunk of the interpreter's stack, each gets its own: 50 ms for these moves, not 5.
    lines = (SUITES / "crafted" / "positions.txt").read_text("utf-8").splitlines()
    variant, fen = next(line for line in lines if line.startswith("gothic")).split(maxsplit=1)
    position, calls = Position.from_fen(fen, variant), []
    position.notations()

    sys.setprofile(lambda frame, event, _what: calls.append(frame) if event == "call" else None)
    try:
        written = position.notations()
    finally:
        sys.setprofile(None)

    assert len(written) > 2_500
    assert len(calls) < 50


@given(walks(40))
def test_moves_are_played_one_after_the_other_as_each_alone(walk: tuple[str, list[int]]) -> None:
    variant, choices = walk
    game = Game(variant, draw_rules="none")
    for choice in choices:
        moves = game.position.legal_moves()
        if not moves:
            break
        game.push(moves[choice % len(moves)])
    alone = [write_full(*pair) for pair in zip(game.positions, game.moves, strict=False)]
    assert play_through(game.start, " ".join(alone)) == (game.moves, game.positions[1:])
    short = tuple(write(*pair) for pair in zip(game.positions, game.moves, strict=False))
    assert game.notations() == short


@pytest.mark.parametrize(
    ("text", "error"),
    [("11-15 1x2", IllegalMove), ("11-15 {a comment}", NotationError), ("11-15 1-0", IllegalMove)],
)
def test_of_moves_one_after_the_other_each_has_to_be_one(text: str, error: type[CrownheadError]) -> None:
    with pytest.raises(error):
        play_through(Position.start("american"), text)
