"""The laws of Gothic checkers (BrainKing 35) and of Altdeutsche Dame, from which it comes."""

from __future__ import annotations

import pytest

from crownhead import Colour, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, named_moves, play_named

BOTH = ("gothic", "altdeutsche")
AHEAD = {"d4-c5", "d4-d5", "d4-e5"}


@pytest.mark.parametrize("variant", BOTH)
def test_sixteen_men_a_side_stand_on_the_two_nearest_rows_and_white_begins(variant: str) -> None:
    board = """
        b b b b b b b b
        b b b b b b b b
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        w w w w w w w w
        w w w w w w w w
        """
    assert Position.start(variant) == drawn(board, to_move="white", variant=variant)


def test_a_gothic_man_steps_in_five_directions() -> None:
    position = Position.from_fen("W:Wd4:Ba8", "gothic")
    assert named_moves(position) == AHEAD | {"d4-c4", "d4-e4"}


def test_a_man_of_old_steps_diagonally_forward_only() -> None:
    assert named_moves(Position.from_fen("W:Wd4:Ba8", "altdeutsche")) == {"d4-c5", "d4-e5"}


@pytest.mark.parametrize("variant", BOTH)
def test_a_man_captures_in_five_directions_and_never_backward(variant: str) -> None:
    for taken, landing in (("d5", "d6"), ("c5", "b6"), ("e5", "f6"), ("c4", "b4"), ("e4", "f4")):
        assert named_moves(Position.from_fen(f"W:Wd4:B{taken}", variant)) == {f"d4x{landing}"}
    for safe in ("d3", "c3", "e3"):
        position = Position.from_fen(f"W:Wd4:B{safe}", variant)
        assert all("x" not in move for move in named_moves(position))


@pytest.mark.parametrize("variant", BOTH)
def test_a_king_steps_one_square_and_takes_what_is_beside_it_in_all_eight_directions(variant: str) -> None:
    position = Position.from_fen("W:WKd4:Ba8", variant)
    assert named_moves(position) == {f"d4-{file}{rank}" for file in "cde" for rank in (3, 4, 5)} - {"d4-d4"}
    for taken, landing in (("d3", "d2"), ("c3", "b2"), ("e3", "f2"), ("c5", "b6")):
        assert named_moves(Position.from_fen(f"W:WKd4:B{taken}", variant)) == {f"d4x{landing}"}
    afar = Position.from_fen("W:WKd4:Bd6", variant)
    assert all("x" not in move for move in named_moves(afar))


def test_in_gothic_checkers_any_capture_may_be_chosen_but_must_be_carried_through() -> None:
    position = Position.from_fen("W:Wd4,h4:Bd5,d7,h5", "gothic")
    assert named_moves(position) == {"d4xd6xd8=K", "h4xh6"}


def test_in_altdeutsche_dame_most_pieces_must_be_taken() -> None:
    position = Position.from_fen("W:Wd4,h4:Bd5,d7,h5", "altdeutsche")
    assert named_moves(position) == {"d4xd6xd8=K"}


@pytest.mark.parametrize("variant", BOTH)
def test_a_man_that_reaches_the_far_row_while_taking_is_crowned_and_stops(variant: str) -> None:
    position = Position.from_fen("W:Wd6:Bd7,e8", variant)
    after = play_named(position, "d6xd8=K")
    assert after.pieces[4] == Piece(Colour.WHITE, PieceKind.KING)


@pytest.mark.parametrize("variant", BOTH)
def test_a_player_who_has_no_piece_left_has_lost(variant: str) -> None:
    after = play_named(Position.from_fen("W:Wd4:Bd5", variant), "d4xd6")
    assert after.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)
