"""The five endings of Mule checkers, in the order in which they are asked for."""

from __future__ import annotations

import pytest

from crownhead import Colour, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, move_named, moves

BLACK, WHITE = Colour.BLACK, Colour.WHITE


def after(fen: str, move: str) -> Position:
    position = Position.from_fen(fen, "mule")
    assert position.outcome() is None
    return position.play(move_named(position, move))


def test_the_mules_stand_on_the_home_rows() -> None:
    start = Position.start("mule")
    assert start.black_marked == (1, 2, 3, 4)
    assert start.white_marked == (29, 30, 31, 32)
    assert start.black_men == (5, 6, 7, 8, 9, 10, 11, 12)
    assert start.white_men == (21, 22, 23, 24, 25, 26, 27, 28)
    assert start.outcome() is None


def test_a_mule_moves_and_jumps_as_a_man_does() -> None:
    position = drawn(
        """
        . . . . . . . .
        . . m . . . . .
        . . . . . b . .
        . . . . . . . .
        . . . b . m . .
        . . M . . . . .
        . b . . . . . .
        . . . . . . w .
        """,
        to_move="white",
        variant="mule",
    )
    assert moves(position) == {"22x15x8"}
    assert moves(Position.from_fen("W:W32,M18:B1,M4", "mule")) == {"18-14", "18-15", "32-27", "32-28"}


def test_taking_everything_in_one_move_wins() -> None:
    end = after("W:W22,M29:B18,M11", "22x15x8")
    assert end.outcome() == Outcome(WHITE, Termination.NO_PIECES)


def test_taking_everything_wins_though_ones_mule_ends_on_the_far_row() -> None:
    end = after("W:W32,M17:B14,M7", "17x10x3")
    assert end.outcome() == Outcome(WHITE, Termination.NO_PIECES)


def test_losing_all_mules_wins_for_their_owner() -> None:
    end = after("W:W22,M29:BM18,1", "22x15")
    assert end.outcome() == Outcome(BLACK, Termination.MULES_LOST)
    assert end.legal_moves() == ()


def test_losing_all_regular_pieces_loses_though_mules_are_left() -> None:
    end = after("W:W22,M29:B18,M1", "22x15")
    assert end.outcome() == Outcome(WHITE, Termination.MEN_LOST)
    assert end.legal_moves() == ()


def test_a_king_is_a_regular_piece() -> None:
    assert after("W:W22,M29:B18,K4,M1", "22x15").outcome() is None
    assert after("W:W22,M29:BK18,M1", "22x15").outcome() == Outcome(WHITE, Termination.MEN_LOST)


def test_a_mule_that_steps_onto_its_far_row_loses() -> None:
    end = after("W:W32,M5:B12,M11", "5-1")
    assert end.outcome() == Outcome(BLACK, Termination.MULE_CROWNED)
    assert end.pieces[1] == Piece(WHITE, PieceKind.MULE)


def test_a_mule_that_is_made_to_capture_onto_its_far_row_loses() -> None:
    position = Position.from_fen("W:W32,M10:B7,2,M12", "mule")
    assert moves(position) == {"10x3"}
    assert position.play("10x3").outcome() == Outcome(BLACK, Termination.MULE_CROWNED)


def test_a_side_that_cannot_move_loses() -> None:
    position = drawn(
        """
        . b . m . . . .
        M . b . . . . .
        . b . . . . . .
        w . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
        variant="mule",
    )
    assert position.outcome() == Outcome(BLACK, Termination.NO_MOVES)


def test_the_last_regular_piece_taken_by_a_mule_that_ends_on_the_far_row_wins() -> None:
    # Losing one's regular pieces is asked for before the mule on the far row.
    end = after("W:W32,M10:B7,M12", "10x3")
    assert end.outcome() == Outcome(WHITE, Termination.MEN_LOST)


def test_the_last_mule_taken_by_a_mule_that_ends_on_the_far_row_loses() -> None:
    end = after("W:W32,M10:BM7,12", "10x3")
    assert end.outcome() == Outcome(BLACK, Termination.MULES_LOST)


def test_a_man_of_mule_checkers_is_crowned_as_ever() -> None:
    end = after("W:W5,M32:B12,M11", "5-1=K")
    assert end.outcome() is None
    assert end.pieces[1] == Piece(WHITE, PieceKind.KING)


def test_a_mule_and_a_man_on_the_same_square_are_different_positions() -> None:
    mule_ahead = Position.from_fen("B:WM22,26:B5,M6", "mule")
    man_ahead = Position.from_fen("B:W22,M26:B5,M6", "mule")
    assert mule_ahead != man_ahead


def test_there_are_no_mules_where_the_rules_know_none() -> None:
    with pytest.raises(ValueError, match="mule"):
        Position.from_fen("W:WM22:B1", "american")
