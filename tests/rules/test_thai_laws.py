"""The laws of Thai checkers and of Makhos, the same game as PDN records it."""

from __future__ import annotations

import pytest

from crownhead import Colour, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, named_moves, play_named

BOARD = """
    . b . b . b . b
    b . b . b . b .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . w . w . w . w
    w . w . w . w .
    """


def test_eight_men_a_side_stand_on_two_rows_and_white_begins() -> None:
    assert Position.start("thai") == drawn(BOARD, to_move="white", variant="thai")


def test_makhos_is_the_same_board_numbered_from_whites_lower_right_and_black_begins() -> None:
    start = Position.start("makhos")
    assert start == drawn(BOARD, to_move="black", variant="makhos")
    assert start.white_men == (1, 2, 3, 4, 5, 6, 7, 8)
    assert {start.notation(move) for move in start.legal_moves()} == {
        "25-21",
        "25-22",
        "26-22",
        "26-23",
        "27-23",
        "27-24",
        "28-24",
    }


def test_a_man_steps_and_captures_forward_only() -> None:
    assert named_moves(Position.from_fen("W:Wd4:Bb8", "thai")) == {"d4-c5", "d4-e5"}
    assert named_moves(Position.from_fen("W:Wd4:Be5", "thai")) == {"d4xf6"}
    behind = Position.from_fen("W:Wd4:Bc3,e3", "thai")
    assert named_moves(behind) == {"d4-c5", "d4-e5"}


def test_a_king_flies_but_lands_directly_behind_the_piece_it_takes() -> None:
    flying = Position.from_fen("W:WKa1:Bb8", "thai")
    assert named_moves(flying) == {f"a1-{name}" for name in ("b2", "c3", "d4", "e5", "f6", "g7", "h8")}
    taking = Position.from_fen("W:WKa1:Bd4", "thai")
    assert named_moves(taking) == {"a1xe5"}
    no_room = Position.from_fen("W:WKa1:Bd4,e5", "thai")
    assert all("x" not in move for move in named_moves(no_room))


def test_any_capture_may_be_chosen_by_king_or_man_but_must_be_carried_through() -> None:
    position = Position.from_fen("W:WKa1,g1:Bc3,f2,b6", "thai")
    assert named_moves(position) == {"a1xd4xa7", "g1xe3"}


def test_a_king_may_turn_straight_round_for_pieces_leave_the_board_as_they_are_taken() -> None:
    # From a1 the king goes back over b2, which it has just emptied, and over c3, where it began.
    position = Position.from_fen("W:WKc3:Bb2,d4", "thai")
    assert named_moves(position) == {"c3xa1xe5", "c3xe5xa1"}


def test_a_man_that_reaches_the_far_row_while_taking_is_crowned_and_stops() -> None:
    position = Position.from_fen("W:Wd6:Be7,g7", "thai")
    after = play_named(position, "d6xf8=K")
    assert after.pieces[3] == Piece(Colour.WHITE, PieceKind.KING)
    assert 8 in after.pieces


@pytest.mark.parametrize("variant", ["thai", "makhos"])
def test_a_player_who_cannot_move_has_lost(variant: str) -> None:
    bare = (
        Position.from_fen("B:W1:B", variant) if variant == "makhos" else Position.from_fen("B:W32:B", variant)
    )
    assert bare.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)
