"""The articles of Italian draughts (FID): what may be taken, and what must be."""

from __future__ import annotations

from crownhead import Colour, Outcome, Position, Termination
from tests.rules.boards import drawn, moves


def italian(fen: str) -> set[str]:
    return moves(Position.from_fen(fen, "italian"))


def test_the_corner_at_the_right_is_played_and_number_one_is_at_whites_upper_left() -> None:
    position = drawn(
        """
        b . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . w
        """,
        to_move="white",
        variant="italian",
    )
    assert (position.black_men, position.white_men) == ((1,), (32,))
    assert moves(position) == {"32-28"}


def test_a_man_never_takes_a_king() -> None:  # FID 5.3
    assert italian("W:W31:BK27") == {"31-28"}
    assert italian("W:W31:B28,K27") == {"31x24"}


def test_a_man_neither_starts_nor_continues_over_a_king() -> None:  # FID 5.3
    assert italian("W:W31:B28,K20") == {"31x24"}
    assert italian("W:W31:B28,20") == {"31x24x15"}


def test_a_man_hemmed_in_by_kings_is_stuck_and_loses() -> None:
    for fen in ("W:W13:BK10,K9", "W:W8:BK4"):
        assert Position.from_fen(fen, "italian").outcome() == Outcome(Colour.BLACK, Termination.NO_MOVES)


def test_a_king_takes_backward_but_a_man_only_forward() -> None:  # FID 5.3 b, c
    assert italian("W:W24:B20,28") == {"24x15"}
    assert italian("W:WK24:B20,28") == {"24x15", "24x31"}


def test_most_pieces_must_be_taken() -> None:  # FID 6.6
    (move,) = Position.from_fen("W:WK21,31:B10,18,27", "italian").legal_moves()
    assert (move.origin, move.target, len(move.captures)) == (31, 6, 3)


def test_among_equals_a_king_must_take() -> None:  # FID 6.7
    (move,) = Position.from_fen("W:WK23,31:B19,26,27", "italian").legal_moves()
    assert (move.origin, move.target) == (23, 21)


def test_among_equal_kings_most_kings_must_be_taken() -> None:  # FID 6.8
    assert italian("W:WK23:B19,K28") == {"23x32"}


def test_most_kings_go_before_a_king_met_earlier() -> None:  # FID 6.8 before 6.9
    # Round by 23 a king is met second, but only one; round by 21 the third and fourth are kings.
    assert italian("W:WK30:B18,K19,K20,26,27") == {"30x21x14x23x16"}


def test_among_equals_the_line_that_meets_a_king_first_must_be_taken() -> None:  # FID 6.9
    (first,) = Position.from_fen("W:WK30:B10,12,18,K20,K26,27", "italian").legal_moves()
    assert (first.origin, first.target, first.captures) == (30, 5, (26, 18, 10))
    (second,) = Position.from_fen("W:WK30:B10,K12,K18,20,K26,K27", "italian").legal_moves()
    assert (second.origin, second.target, second.captures) == (30, 5, (26, 18, 10))


def test_among_equals_in_everything_the_player_chooses() -> None:  # FID 6.10
    position = Position.from_fen("W:WK31:B18,20,K27,K28", "italian")
    assert {(move.origin, move.target) for move in position.legal_moves()} == {(31, 13), (31, 15)}


def test_a_man_crowned_while_taking_stops_there() -> None:
    position = drawn(
        """
        . . . . . . . .
        . b . b . . . .
        w . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
        variant="italian",
    )
    assert moves(position) == {"9x2=K"}


def test_a_king_steps_one_square() -> None:
    assert italian("W:WK18:B1") == {"18-13", "18-14", "18-21", "18-22"}
