"""The articles of American checkers (WCDF), which crowded, sparse, pro, anti and mule share."""

from __future__ import annotations

import pytest

from crownhead import VARIANTS, Colour, IllegalMove, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, move_named, moves

AMERICAN_MOVES = ("american", "pro", "anti")


def test_a_man_steps_diagonally_forward_only() -> None:
    white = drawn(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . w . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
    )
    assert moves(white) == {"18-14", "18-15"}
    assert moves(Position.from_fen("B:B18:W")) == {"18-22", "18-23"}


def test_a_king_steps_one_square_in_all_four_directions() -> None:
    assert moves(Position.from_fen("W:WK15:B1")) == {"15-10", "15-11", "15-18", "15-19"}
    assert moves(Position.from_fen("W:WK29:B1")) == {"29-25"}


def test_a_man_does_not_capture_backward() -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . w . . . . .
        . b . b . . . .
        . . . . . . . .
        """,
        to_move="white",
    )
    assert moves(position) == {"22-17", "22-18"}


def test_a_king_captures_backward_and_forward() -> None:
    assert moves(Position.from_fen("W:WK22:B17,26")) == {"22x13", "22x31"}


def test_a_man_may_take_a_king() -> None:
    assert moves(Position.from_fen("W:W22:BK18")) == {"22x15"}


@pytest.mark.parametrize("variant", AMERICAN_MOVES)
def test_a_capture_is_compulsory(variant: str) -> None:
    assert moves(Position.from_fen("W:W22,32:B18", variant)) == {"22x15"}


@pytest.mark.parametrize("variant", AMERICAN_MOVES)
def test_any_capture_may_be_chosen_but_must_be_carried_through(variant: str) -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . b . .
        . . . . . . . .
        . b . b . . . .
        . . w . . . . .
        . . . . . . . .
        . . . . . . w .
        """,
        to_move="white",
        variant=variant,
    )
    assert moves(position) == {"22x13", "22x15x8"}


@pytest.mark.parametrize("variant", AMERICAN_MOVES)
def test_a_man_crowned_while_taking_stops_there(variant: str) -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . . b . b .
        . . . w . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . w .
        """,
        to_move="white",
        variant=variant,
    )
    assert moves(position) == {"10x3=K"}
    after = position.play(move_named(position, "10x3=K"))
    assert after.pieces[3] == Piece(Colour.WHITE, PieceKind.KING)
    assert after.turn is Colour.BLACK


def test_a_man_is_crowned_by_stepping_onto_the_far_row() -> None:
    for fen, step, square in (("W:W5:B12", "5-1=K", 1), ("B:B28:W12", "28-32=K", 32)):
        position = Position.from_fen(fen)
        assert moves(position) == {step}
        after = position.play(move_named(position, step))
        assert after.pieces[square].kind is PieceKind.KING


def test_a_king_on_its_far_row_is_not_crowned_again() -> None:
    assert moves(Position.from_fen("W:WK5:B12")) == {"5-1", "5-9"}


def test_a_king_may_take_its_way_round_to_where_it_began() -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . . . . . .
        . b . b . . . .
        . . . . . . . .
        . b . b . . . .
        . . W . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
    )
    (round_trip,) = position.legal_moves()
    assert (round_trip.origin, round_trip.target) == (22, 22)
    assert set(round_trip.captures) == {9, 10, 17, 18}
    assert position.play(round_trip).pieces == {22: Piece(Colour.WHITE, PieceKind.KING)}


def test_own_pieces_are_never_jumped() -> None:
    assert moves(Position.from_fen("W:W22,18:B1")) == {"22-17", "18-14", "18-15"}


def test_a_piece_with_no_empty_square_behind_is_not_taken() -> None:
    assert moves(Position.from_fen("W:W22:B18,15")) == {"22-17"}
    assert moves(Position.from_fen("W:W26:B21,23,19")) == {"26-22"}


def test_a_side_without_a_move_loses() -> None:
    position = drawn(
        """
        . . . . . . . .
        . . b . . . . .
        . b . . . . . .
        w . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
    )
    assert position.legal_moves() == ()
    assert position.outcome() == Outcome(Colour.BLACK, Termination.NO_MOVES)


def test_a_side_without_a_piece_loses() -> None:
    after = Position.from_fen("W:W22:B18").play("22x15")
    assert after.legal_moves() == ()
    assert after.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)


def test_a_side_that_can_move_has_not_lost_though_its_opponent_has_nothing() -> None:
    assert Position.from_fen("W:W22:B").outcome() is None


@pytest.mark.parametrize("variant", ["crowded", "sparse"])
def test_the_board_of_ten_follows_the_same_laws(variant: str) -> None:
    position = Position.from_fen("W:W33,K44:B28,18,9,40", variant)
    assert moves(position) == {"33x22x13x4=K", "44x35"}
    assert moves(Position.from_fen("W:WK28:BK50", variant)) == {"28-22", "28-23", "28-32", "28-33"}
    assert moves(Position.from_fen("W:W28:B33", variant)) == {"28-22", "28-23"}


@pytest.mark.parametrize("variant", ["crowded", "sparse"])
def test_squares_beyond_the_eighth_file_and_rank_are_squares_too(variant: str) -> None:
    assert moves(Position.from_fen("B:B45:WK1", variant)) == {"45-50=K"}
    assert moves(Position.from_fen("W:W6:BK50", variant)) == {"6-1=K"}
    assert moves(Position.from_fen("W:WK46:B5", variant)) == {"46-41"}


@pytest.mark.parametrize(("variant", "men"), [("crowded", 20), ("sparse", 15), ("american", 12)])
def test_the_start_array_has_its_men_and_black_begins(variant: str, men: int) -> None:
    start = Position.start(variant)
    assert (len(start.black_men), len(start.white_men)) == (men, men)
    assert start.turn is Colour.BLACK
    assert not start.black_kings + start.white_kings + start.black_marked + start.white_marked


def test_anti_checkers_is_won_by_the_side_that_has_nothing_left_to_move() -> None:
    stuck = Position.from_fen("W:W13:B9,6", "anti")
    assert stuck.outcome() == Outcome(Colour.WHITE, Termination.NO_MOVES)
    bare = Position.from_fen("W:W22:B18", "anti").play("22x15")
    assert bare.outcome() == Outcome(Colour.BLACK, Termination.NO_PIECES)


def test_anti_checkers_still_compels_captures() -> None:
    with pytest.raises(IllegalMove):
        Position.from_fen("W:W22,32:B18", "anti").play("32-28")


def test_pro_checkers_has_the_board_and_the_moves_of_american() -> None:
    pro, american = Position.start("pro"), Position.start("american")
    assert pro.pieces == american.pieces
    assert moves(pro) == moves(american)
    assert VARIANTS["pro"].opening_plies == 3


def test_variants_that_look_alike_are_not_equal() -> None:
    assert Position.start("pro") != Position.start("american")
