"""The laws of Dameo (BrainKing 123, mindsports.net)."""

from __future__ import annotations

from crownhead import Colour, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, named_moves, play_named


def test_eighteen_men_a_side_stand_in_pyramids_and_white_begins() -> None:
    start = Position.start("dameo")
    board = """
        b b b b b b b b
        . b b b b b b .
        . . b b b b . .
        . . . . . . . .
        . . . . . . . .
        . . w w w w . .
        . w w w w w w .
        w w w w w w w w
        """
    assert start == drawn(board, to_move="white", variant="dameo")


def test_a_man_steps_straight_and_diagonally_forward() -> None:
    position = Position.from_fen("W:Wd4:Ba8", "dameo")
    assert named_moves(position) == {"d4-c5", "d4-d5", "d4-e5"}
    black = Position.from_fen("B:Wh1:Bd4", "dameo")
    assert named_moves(black) == {"d4-c3", "d4-d3", "d4-e3"}


def test_a_man_passes_over_an_unbroken_line_of_men_to_the_square_ahead() -> None:
    position = Position.from_fen("W:Wc1,d2,e3:Ba8", "dameo")
    assert {"c1-f4", "d2-f4", "e3-f4"} <= named_moves(position)
    straight = Position.from_fen("W:Wd1,d2,d3:Ba8", "dameo")
    assert {"d1-d4", "d2-d4", "d3-d4"} <= named_moves(straight)


def test_a_line_with_a_gap_an_enemy_or_a_king_in_it_does_not_carry() -> None:
    gap = Position.from_fen("W:Wd1,d3:Bh8", "dameo")
    assert "d1-d2" in named_moves(gap)
    assert "d1-d4" not in named_moves(gap)
    enemy = Position.from_fen("W:Wc1,d2:Be3,h8", "dameo")
    assert not {"c1-e3", "c1-f4"} & named_moves(enemy)
    king = Position.from_fen("W:Wc1,Kd2:Bh8", "dameo")
    assert not {"c1-d2", "c1-e3"} & named_moves(king)


def test_no_line_moves_sideways_or_backward() -> None:
    position = Position.from_fen("W:Wd4,e4:Ba8", "dameo")
    assert named_moves(position) == {"d4-c5", "d4-d5", "d4-e5", "e4-d5", "e4-e5", "e4-f5"}


def test_a_man_captures_along_rows_and_files_backward_too_and_never_diagonally() -> None:
    for taken, landing in (("d5", "d6"), ("d3", "d2"), ("c4", "b4"), ("e4", "f4")):
        position = Position.from_fen(f"W:Wd4:B{taken}", "dameo")
        assert named_moves(position) == {f"d4x{landing}"}
    beside = Position.from_fen("W:Wd4:Bc5,e5,c3,e3", "dameo")
    assert named_moves(beside) == {"d4-d5"}


def test_a_king_steps_as_a_queen_of_chess_does() -> None:
    position = Position.from_fen("W:WKd4:Ba8,c8", "dameo")
    moves = named_moves(position)
    assert {"d4-d8", "d4-d1", "d4-a4", "d4-h4", "d4-g7", "d4-a7", "d4-a1", "d4-g1"} <= moves
    assert len(moves) == 27


def test_a_king_captures_at_long_range_along_rows_and_files_only() -> None:
    position = Position.from_fen("W:WKd1:Bd5,a8", "dameo")
    assert named_moves(position) == {"d1xd6", "d1xd7", "d1xd8"}
    diagonal = Position.from_fen("W:WKd1:Bg4", "dameo")
    assert all("x" not in move for move in named_moves(diagonal))


def test_the_capture_of_most_pieces_must_be_chosen_a_king_counting_as_one() -> None:
    position = Position.from_fen("W:Wd4,h1:Bd5,c6,Kh2", "dameo")
    assert named_moves(position) == {"d4xd6xb6"}
    equal = Position.from_fen("W:Wd4,h1:Bd5,Kh2", "dameo")
    assert named_moves(equal) == {"d4xd6", "h1xh3"}


def test_a_man_that_passes_the_far_row_while_capturing_is_not_crowned() -> None:
    passing = Position.from_fen("W:Wd6:Bd7,e8,f7,a5", "dameo")
    after = play_named(passing, "d6xd8xf8xf6")
    assert after.pieces[22] == Piece(Colour.WHITE, PieceKind.MAN)
    resting = Position.from_fen("W:Wd6:Bd7,e8,a5", "dameo")
    assert named_moves(resting) == {"d6xd8xf8=K"}


def test_no_piece_is_jumped_twice_but_an_empty_square_may_be_passed_again() -> None:
    round_trip = Position.from_fen("W:WKa1:Ba3,b5,c3,Kb1", "dameo")
    assert "a1xa5xc5xc1xa1" in named_moves(round_trip)
    assert {len(move.captures) for move in round_trip.legal_moves()} == {4}


def test_pieces_taken_stand_in_the_way_until_the_move_is_over() -> None:
    position = Position.from_fen("W:WKc1:Bc3,e5,f4,b3", "dameo")
    assert {len(move.captures) for move in position.legal_moves()} == {3}


def test_a_king_is_caught_by_what_it_has_taken_as_in_the_published_coup_turc() -> None:
    # mindsports.net: 1. c1e3 a5:c5 2. e1c3 c5:c1:h1:h3:d3 3. d2:d4:d6:b6:b8 and a king. The moves are
    # published; the diagram is lost, and this is the array of fewest pieces in which they are forced.
    position = Position.from_fen("W:Wb5,c1,d1,d2,e1,h2:BKa5,d5,c6,b7", "dameo")
    position = play_named(position, "c1-e3")
    assert named_moves(position) == {"a5xc5"}
    position = play_named(position, "a5xc5", "e1-c3")
    assert named_moves(position) == {"c5xc1xh1xh3xd3"}
    position = play_named(position, "c5xc1xh1xh3xd3")
    assert named_moves(position) == {"d2xd4xd6xb6xb8=K"}
    after = play_named(position, "d2xd4xd6xb6xb8=K")
    assert after.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)


def test_a_player_who_cannot_move_has_lost() -> None:
    position = Position.from_fen("B:Wa5,a6,b6:Ba7", "dameo")
    assert position.legal_moves() == ()
    assert position.outcome() == Outcome(Colour.WHITE, Termination.NO_MOVES)
