"""The laws of parachute checkers (BrainKing 32), Czech draughts with men dropped behind the lines."""

from __future__ import annotations

import pytest

from crownhead import Colour, IllegalPosition, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, named_moves, play_named


def test_eight_men_and_four_parachutists_a_side() -> None:
    board = """
        . P . P . P . P
        b . b . b . b .
        . b . b . b . b
        . . . . . . . .
        . . . . . . . .
        w . w . w . w .
        . w . w . w . w
        p . p . p . p .
        """
    start = drawn(board, to_move="white", variant="parachute")
    assert Position.start("parachute") == start
    assert (start.white_marked, start.black_marked) == ((1, 2, 3, 4), (29, 30, 31, 32))


def test_a_parachutist_does_not_step() -> None:
    position = Position.from_fen("W:WPb8,a1:Bh6", "parachute")
    assert named_moves(position) == {"a1-b2"}


def test_it_jumps_backward_over_a_piece_of_the_next_row_lands_behind_it_and_is_a_man() -> None:
    position = Position.from_fen("W:WPd8,a1:Be7,h6", "parachute")
    after = play_named(position, "d8xf6")
    assert after.pieces[11] == Piece(Colour.WHITE, PieceKind.MAN)
    assert 7 not in after.pieces
    black = Position.from_fen("B:Wd2,a3:Bh6,Pe1", "parachute")
    assert named_moves(black) == {"e1xc3"}


def test_it_takes_no_piece_farther_away_nor_one_that_is_guarded_from_behind() -> None:
    afar = Position.from_fen("W:WPd8,a1:Bf6,h6", "parachute")
    assert named_moves(afar) == {"a1-b2"}
    guarded = Position.from_fen("W:WPd8,a1:Be7,f6", "parachute")
    assert named_moves(guarded) == {"a1-b2"}


def test_its_jump_does_not_continue() -> None:
    position = Position.from_fen("W:WPd8,a1:Be7,g7,g5", "parachute")
    assert named_moves(position) == {"d8xf6"}


def test_its_jump_is_compulsory_and_as_good_as_a_mans() -> None:
    position = Position.from_fen("W:WPd8,a3:Be7,b4", "parachute")
    assert named_moves(position) == {"d8xf6", "a3xc5"}


def test_a_king_that_can_take_goes_before_a_parachutist() -> None:
    position = Position.from_fen("W:WPd8,Ka1:Be7,g7", "parachute")
    assert {move.origin for move in position.legal_moves()} == {29}
    man = Position.from_fen("W:WPd8,a1:Be7,b2", "parachute")
    assert {move.origin for move in man.legal_moves()} == {2, 29}


def test_a_parachutist_stands_nowhere_but_on_its_far_row() -> None:
    with pytest.raises(IllegalPosition, match="parachutist"):
        Position.from_fen("W:WPd4:Bh6", "parachute")


def test_a_player_who_has_nothing_but_waiting_parachutists_has_lost() -> None:
    position = Position.from_fen("W:WPd8:Bh6", "parachute")
    assert position.outcome() == Outcome(Colour.BLACK, Termination.NO_MOVES)
