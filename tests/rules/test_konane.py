"""The laws of Konane, which BrainKing calls Hawaiian checkers (94)."""

from __future__ import annotations

import pytest

from crownhead import Colour, Move, Outcome, Piece, Position, Termination
from crownhead.rules.errors import IllegalMove
from tests.rules.boards import drawn, moves, named_moves, play_named

FULL = """
    b w b w b w b w
    w b w b w b w b
    b w b w b w b w
    w b w b w b w b
    b w b w b w b w
    w b w b w b w b
    b w b w b w b w
    w b w b w b w b
    """


def removed(position: Position) -> set[str]:
    """The squares of the pieces that may be taken off, from moves ``a8xa8``."""
    named = named_moves(position)
    assert all(move[:2] == move[3:] for move in named)
    return {move[:2] for move in named}


def test_the_board_is_full_and_black_begins() -> None:
    start = Position.start("hawaiian")
    assert start == drawn(FULL, to_move="black", variant="hawaiian")
    assert len(start.pieces) == 64


def test_black_takes_off_a_piece_of_its_own_from_a_corner_or_the_centre() -> None:
    start = Position.start("hawaiian")
    assert removed(start) == {"a8", "h1", "d5", "e4"}
    after = start.play(Move((1, 1), (1,)))
    assert 1 not in after.pieces
    assert len(after.pieces) == 63


@pytest.mark.parametrize(
    ("first", "beside"),
    [
        ("a8", {"b8", "a7"}),
        ("h1", {"g1", "h2"}),
        ("d5", {"c5", "e5", "d4", "d6"}),
        ("e4", {"d4", "f4", "e3", "e5"}),
    ],
)
def test_white_takes_off_a_piece_of_its_own_beside_the_gap(first: str, beside: set[str]) -> None:
    assert removed(play_named(Position.start("hawaiian"), f"{first}x{first}")) == beside


def test_from_then_on_every_move_is_a_jump_along_a_row_or_file() -> None:
    position = play_named(Position.start("hawaiian"), "d5xd5", "e5xe5")
    assert named_moves(position) == {"b5xd5", "d3xd5", "d7xd5"}
    assert named_moves(play_named(position, "b5xd5")) == {
        "c3xc5",
        "c7xc5",
        "e3xe5",
        "e7xe5",
        "g5xe5",
        "g5xe5xc5",
    }


def test_a_jump_takes_one_neighbour_and_lands_directly_behind_it() -> None:
    assert named_moves(Position.from_fen("W:Wd4:Bd5,a1", "hawaiian")) == {"d4xd6"}
    afar = Position.from_fen("W:Wd4:Bd6,a1", "hawaiian")
    assert afar.legal_moves() == ()
    diagonal = Position.from_fen("W:Wd4:Be5,a1", "hawaiian")
    assert diagonal.legal_moves() == ()


def test_a_jump_may_go_backward_and_sideways() -> None:
    for taken, landing in (("d3", "d2"), ("c4", "b4"), ("e4", "f4")):
        assert named_moves(Position.from_fen(f"W:Wd4:B{taken}", "hawaiian")) == {f"d4x{landing}"}


def test_a_jump_may_continue_in_the_same_line_and_may_end_anywhere() -> None:
    position = Position.from_fen("W:Wa4:Bb4,d4,f4", "hawaiian")
    assert named_moves(position) == {"a4xc4", "a4xc4xe4", "a4xc4xe4xg4"}


def test_a_jump_never_turns() -> None:
    position = Position.from_fen("W:Wa4:Bb4,c5,c3", "hawaiian")
    assert named_moves(position) == {"a4xc4"}


def test_taking_most_is_not_asked_for() -> None:
    position = Position.from_fen("W:Wa4,h1:Bb4,d4,h2", "hawaiian")
    assert named_moves(position) == {"a4xc4", "a4xc4xe4", "h1xh3"}


def test_nobody_steps() -> None:
    with pytest.raises(IllegalMove):
        Position.from_fen("W:Wd4,a1:Ba2,h8", "hawaiian").play("d4-d5")


def test_nobody_is_crowned() -> None:
    after = play_named(Position.from_fen("W:Wd6:Bd7,a1", "hawaiian"), "d6xd8")
    assert after.pieces[4] == Piece(Colour.WHITE)


def test_a_player_who_cannot_jump_has_lost() -> None:
    after = play_named(Position.from_fen("W:Wd4,h8:Bd5,a1", "hawaiian"), "d4xd6")
    assert after.outcome() == Outcome(Colour.WHITE, Termination.NO_MOVES)
    assert moves(after) == set()
