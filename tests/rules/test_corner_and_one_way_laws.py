"""The laws of Corner (BrainKing 30) and One way checkers (31), Czech draughts on a board that is turned."""

from __future__ import annotations

import pytest

from crownhead import Colour, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, named_moves, play_named

BOTH = ("corner", "one-way")


# -------------------------------------------------------------------------------------- Corner
def test_in_corner_checkers_the_long_diagonal_is_empty_and_white_begins() -> None:
    board = """
        . b . b . b . .
        b . b . b . . .
        . b . b . . . w
        b . b . . . w .
        . b . . . w . w
        b . . . w . w .
        . . . w . w . w
        . . w . w . w .
        """
    assert Position.start("corner") == drawn(board, to_move="white", variant="corner")


@pytest.mark.parametrize(
    ("fen", "crowning"),
    [
        ("W:Wb6:Ba5", "b6-a7=K"),
        ("W:Wc7:Bh8", "c7-b8=K"),
        ("B:Wa1:Bg3", "g3-h2=K"),
        ("B:Wa1:Bf2", "f2-g1=K"),
    ],
)
def test_men_are_crowned_on_the_two_squares_beside_the_far_corner(fen: str, crowning: str) -> None:
    assert crowning in named_moves(Position.from_fen(fen, "corner"))


def test_a_man_on_another_square_of_the_far_row_stays_a_man() -> None:
    position = Position.from_fen("W:Wc7,a1:Bh6", "corner")
    assert {"c7-b8=K", "c7-d8"} <= named_moves(position)
    after = play_named(position, "c7-d8")
    assert after.pieces[2] == Piece(Colour.WHITE, PieceKind.MAN)


def test_a_man_that_is_crowned_while_taking_stops_there() -> None:
    position = Position.from_fen("W:Wc5:Bb6,d8", "corner")
    assert named_moves(position) == {"c5xa7=K"}


# ------------------------------------------------------------------------------------- One way
def test_in_one_way_checkers_white_stands_on_the_left_and_black_on_the_right() -> None:
    board = """
        . . . . . . . .
        . . . . . . . .
        . w . w . b . b
        w . w . b . b .
        . w . w . b . b
        w . w . b . b .
        . w . w . b . b
        w . w . b . b .
        """
    assert Position.start("one-way") == drawn(board, to_move="white", variant="one-way")


def test_the_men_of_both_sides_step_and_take_upward() -> None:
    white = Position.from_fen("W:Wd4:Bh2", "one-way")
    assert named_moves(white) == {"d4-c5", "d4-e5"}
    black = Position.from_fen("B:Wa1:Bd4", "one-way")
    assert named_moves(black) == {"d4-c5", "d4-e5"}
    taking = Position.from_fen("B:We5,c3:Bd4", "one-way")
    assert named_moves(taking) == {"d4xf6"}


@pytest.mark.parametrize("side", ["W:Wc7:Bh2", "B:Wh2:Bc7"])
def test_the_men_of_both_sides_are_crowned_on_the_top_row(side: str) -> None:
    assert named_moves(Position.from_fen(side, "one-way")) == {"c7-b8=K", "c7-d8=K"}


def test_a_black_man_on_the_bottom_row_is_a_man() -> None:
    start = Position.start("one-way")
    assert start.pieces[31] == Piece(Colour.BLACK, PieceKind.MAN)


# ---------------------------------------------------------------------------- as in Czech draughts
@pytest.mark.parametrize("variant", BOTH)
def test_kings_fly_and_go_before_men_that_could_take(variant: str) -> None:
    position = Position.from_fen("W:WKa1,h4:Bd4,g5", variant)
    assert named_moves(position) == {"a1xe5", "a1xf6", "a1xg7", "a1xh8"}


@pytest.mark.parametrize("variant", BOTH)
def test_a_player_who_has_no_piece_left_has_lost(variant: str) -> None:
    after = play_named(Position.from_fen("W:Wd4:Be5", variant), "d4xf6")
    assert after.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)
