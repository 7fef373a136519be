"""The articles of international, Brazilian and Russian draughts, and where the three differ."""

from __future__ import annotations

import pytest

from crownhead import Colour, Piece, PieceKind, Position
from tests.rules.boards import drawn, move_named, moves
from tests.rules.suites import legal_move_rows

FLYING = ("international", "brazilian", "russian")
EIGHT_BY_EIGHT = ("brazilian", "russian")


@pytest.mark.parametrize("variant", EIGHT_BY_EIGHT)
def test_a_king_flies_until_something_is_in_the_way(variant: str) -> None:
    position = Position.from_fen("W:WK29,12:B4,3", variant)
    assert {"29-25", "29-22", "29-18", "29-15", "29-11", "29-8"} < moves(position)
    assert "29-4" not in moves(position)


@pytest.mark.parametrize("variant", EIGHT_BY_EIGHT)
def test_a_king_takes_from_afar_and_lands_on_any_square_behind(variant: str) -> None:
    position = Position.from_fen("W:WK29:B18,2", variant)
    assert moves(position) == {"29x15", "29x11", "29x8", "29x4"}


@pytest.mark.parametrize("variant", EIGHT_BY_EIGHT)
def test_a_king_must_land_where_the_capture_continues(variant: str) -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . . . . . .
        . . . b . . . .
        . . . . . . . .
        . . . . . . . .
        . . b . . . . .
        . . . . . . . .
        W . . . . . . .
        """,
        to_move="white",
        variant=variant,
    )
    assert moves(position) == {"29x15x6", "29x15x1"}


@pytest.mark.parametrize("variant", EIGHT_BY_EIGHT)
def test_two_pieces_in_a_row_stop_a_king(variant: str) -> None:
    assert moves(Position.from_fen("W:WK29:B18,15", variant)) == {"29-25", "29-22"}


@pytest.mark.parametrize("variant", EIGHT_BY_EIGHT)
def test_a_man_takes_backward(variant: str) -> None:
    assert moves(Position.from_fen("W:W15:B19", variant)) == {"15x24"}
    assert moves(Position.from_fen("B:B18:W14", variant)) == {"18x9"}


def test_most_pieces_must_be_taken() -> None:
    assert moves(Position.from_fen("W:W22,K32:B18,10,27", "brazilian")) == {"32x23x14x7", "32x23x14x3"}
    assert moves(Position.from_fen("W:W33,K50:B28,18,39", "international")) == {"33x22x13"}


def test_in_russian_draughts_any_capture_may_be_chosen() -> None:
    position = Position.from_fen("W:W22,K32:B18,10,27", "russian")
    assert moves(position) == {"22x15x6", "32x23x14x7", "32x23x14x3"}


def test_a_king_counts_as_one_piece() -> None:
    position = Position.from_fen("W:W22:BK18,17", "brazilian")
    assert moves(position) == {"22x15", "22x13"}


def test_a_man_that_passes_the_far_row_while_taking_stays_a_man() -> None:
    position = Position.from_fen("W:W15:B9,10", "international")
    assert moves(position) == {"15x4x13"}
    after = position.play(move_named(position, "15x4x13"))
    assert after.pieces == {13: Piece(Colour.WHITE, PieceKind.MAN)}


def test_a_man_whose_capture_ends_on_the_far_row_is_crowned() -> None:
    for variant in ("brazilian", "international"):
        fen = "W:W11:B7,9" if variant == "brazilian" else "W:W14:B9,40"
        (move,) = Position.from_fen(fen, variant).legal_moves()
        assert move.crowns


def test_in_russian_draughts_a_man_crowned_while_taking_continues_as_a_king() -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . . b . . .
        . b . . . w . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
        variant="russian",
    )
    assert moves(position) == {"11x2x13=K"}
    after = position.play(move_named(position, "11x2x13=K"))
    assert after.pieces == {13: Piece(Colour.WHITE, PieceKind.KING)}


def test_in_brazilian_draughts_the_same_man_stops_on_the_far_row() -> None:
    assert moves(Position.from_fen("W:W11:B7,9", "brazilian")) == {"11x2=K"}


def test_a_russian_round_trip_through_the_crown_row_is_one_move() -> None:
    position = Position.from_fen("B:B1,2,3,4,5,6,7,8,10,14,15:W17,18,19,24,25,26,27,28,29,31,32", "russian")
    round_trips = [move for move in position.legal_moves() if move.origin == move.target]
    assert [set(move.captures) for move in round_trips] == [{17, 18, 25, 26}]
    assert round_trips[0].crowns
    assert len(position.legal_moves()) == 6


def test_pieces_taken_stay_as_obstacles_until_the_move_is_over() -> None:
    # FMJD 4.8 and 4.11: the piece on 10 would be next, but 19, already taken, stands in the way.
    position = Position.from_fen("W:WK41,49:B9,10,12,19,38", "international")
    assert moves(position) == {"41x14x3x21x43"}
    assert set(position.legal_moves()[0].captures) == {9, 12, 19, 38}


def test_an_empty_square_may_be_passed_twice_while_taking() -> None:
    position = Position.from_fen("W:WK1:B7,9,17,19,20,30,31,33,43,44", "international")
    (move,) = position.legal_moves()
    assert (move.origin, move.target, len(move.captures)) == (1, 15, 10)


def test_the_square_that_a_capturing_king_left_is_free_to_it() -> None:
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
        variant="brazilian",
    )
    targets = {move.target for move in position.legal_moves()}
    assert {22, 25, 29} <= targets
    assert all(set(move.captures) == {9, 10, 17, 18} for move in position.legal_moves())


def test_routes_that_agree_in_what_they_take_are_one_move_whatever_their_order() -> None:
    for variant in FLYING:
        for row in _rows(variant):
            legal = Position.from_fen(row, variant).legal_moves()
            identities = {(m.origin, m.target, frozenset(m.captures), m.crowns) for m in legal}
            assert len(identities) == len(legal)


def _rows(variant: str) -> list[str]:
    return [row["fen"] for row in legal_move_rows(f"{variant}.jsonl.gz")]
