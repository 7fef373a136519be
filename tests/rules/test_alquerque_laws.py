"""The laws of Alquerque (BrainKing 53)."""

from __future__ import annotations

from crownhead import Colour, Outcome, Piece, Position, Termination
from tests.rules.boards import drawn, named_moves, play_named


def test_twelve_men_a_side_fill_all_points_but_the_centre_and_white_begins() -> None:
    board = """
        b b b b b
        b b b b b
        b b . w w
        w w w w w
        w w w w w
        """
    start = drawn(board, to_move="white", variant="alquerque")
    assert Position.start("alquerque") == start
    assert named_moves(start) == {"b2-c3", "c2-c3", "d2-c3", "d3-c3"}


def test_a_man_steps_along_the_lines_forward_diagonally_forward_and_sideways() -> None:
    centre = Position.from_fen("W:Wc3:Ba5", "alquerque")
    assert named_moves(centre) == {"c3-b4", "c3-c4", "c3-d4", "c3-b3", "c3-d3"}
    black = Position.from_fen("B:We1:Bc3", "alquerque")
    assert named_moves(black) == {"c3-b2", "c3-c2", "c3-d2", "c3-b3", "c3-d3"}


def test_diagonals_lead_only_through_the_points_of_the_corners_colour() -> None:
    position = Position.from_fen("W:Wb3:Ba5", "alquerque")
    assert named_moves(position) == {"b3-b4", "b3-a3", "b3-c3"}
    beside = Position.from_fen("W:Wb3:Bc4", "alquerque")
    assert all("x" not in move for move in named_moves(beside))
    on_a_line = Position.from_fen("W:Wc3:Bd4", "alquerque")
    assert named_moves(on_a_line) == {"c3xe5"}


def test_a_jump_begins_forward_or_sideways() -> None:
    for taken, landing in (("c4", "c5"), ("b4", "a5"), ("d4", "e5"), ("b3", "a3"), ("d3", "e3")):
        assert named_moves(Position.from_fen(f"W:Wc3:B{taken}", "alquerque")) == {f"c3x{landing}"}
    for safe in ("c2", "b2", "d2"):
        position = Position.from_fen(f"W:Wc3:B{safe}", "alquerque")
        assert all("x" not in move for move in named_moves(position))


def test_a_jump_continues_in_any_direction() -> None:
    backward = Position.from_fen("W:Wc3:Bd3,e2", "alquerque")
    assert named_moves(backward) == {"c3xe3xe1"}
    diagonal = Position.from_fen("W:Wa3:Bb3,d2", "alquerque")
    assert named_moves(diagonal) == {"a3xc3xe1"}


def test_a_jump_is_compulsory_must_continue_and_may_be_chosen_freely() -> None:
    position = Position.from_fen("W:Wc3,a1:Bd3,e2,a2", "alquerque")
    assert named_moves(position) == {"c3xe3xe1", "a1xa3"}


def test_a_man_on_the_far_row_steps_no_more_but_may_jump() -> None:
    resting = Position.from_fen("W:Wa5,c1:Be3", "alquerque")
    assert all(move.startswith("c1") for move in named_moves(resting))
    jumping = Position.from_fen("W:Wa5:Bb5,e3", "alquerque")
    assert named_moves(jumping) == {"a5xc5"}
    going_on = Position.from_fen("W:Wa5:Bb5,c4,e3", "alquerque")
    assert named_moves(going_on) == {"a5xc5xc3"}


def test_nobody_is_crowned() -> None:
    after = play_named(Position.from_fen("W:Wb4:Be3", "alquerque"), "b4-b5")
    assert after.pieces[2] == Piece(Colour.WHITE)


def test_a_player_who_has_no_man_or_no_move_has_lost() -> None:
    bare = play_named(Position.from_fen("W:Wc3:Bd4", "alquerque"), "c3xe5")
    assert bare.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)
    frozen = Position.from_fen("W:Wa5:Be3", "alquerque")
    assert frozen.outcome() == Outcome(Colour.BLACK, Termination.NO_MOVES)
