"""What killer draughts adds to the international laws (mindsports.nl)."""

from __future__ import annotations

from crownhead import Position
from tests.rules.boards import moves


def test_a_king_that_takes_a_king_last_stops_directly_behind_it() -> None:
    assert moves(Position.from_fen("W:WK50:BK28", "killer")) == {"50x22"}


def test_behind_a_man_it_may_stop_anywhere() -> None:
    assert moves(Position.from_fen("W:WK50:B28", "killer")) == {"50x22", "50x17", "50x11", "50x6"}


def test_what_was_taken_before_does_not_matter() -> None:
    king_first = Position.from_fen("W:WK50:BK39,12", "killer")
    assert {move.target for move in king_first.legal_moves()} == {8, 3}
    king_last = Position.from_fen("W:WK50:B39,K12", "killer")
    assert {move.target for move in king_last.legal_moves()} == {8}


def test_a_king_in_between_may_be_passed_at_any_distance() -> None:
    position = Position.from_fen("W:WK50:BK39,12", "killer")
    assert {move.path for move in position.legal_moves()} >= {(50, 17, 8)}
