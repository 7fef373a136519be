"""The laws of pool, Czech, Spanish, Portuguese and Canadian draughts, and of games derived from others."""

from __future__ import annotations

import pytest

from crownhead import VARIANTS, Colour, Outcome, Piece, PieceKind, Position, Termination
from crownhead.rules.geometry import squares
from tests.rules.boards import drawn, move_named, moves

IBERIAN = ("spanish", "portuguese")


# -------------------------------------------------------------------------------------- pool
def test_red_begins_pool_checkers() -> None:
    assert Position.start("pool").turn is Colour.BLACK


def test_in_pool_checkers_any_capture_may_be_chosen() -> None:
    position = Position.from_fen("W:W22,K32:B18,10,27", "pool")
    assert moves(position) == {"22x15x6", "32x23x14x7", "32x23x14x3"}


def test_in_pool_checkers_a_man_that_passes_the_far_row_while_taking_stays_a_man() -> None:
    passing = Position.from_fen("W:W11:B7,6", "pool")
    after = passing.play(move_named(passing, "11x2x9"))
    assert after.pieces == {9: Piece(Colour.WHITE, PieceKind.MAN)}


# ---------------------------------------------------------------------------------- Jamaican
def test_jamaican_draughts_is_pool_on_a_turned_board_with_the_right_corner_played() -> None:
    start = Position.start("jamaican")
    assert start == drawn(
        """
        b . b . b . b .
        . b . b . b . b
        b . b . b . b .
        . . . . . . . .
        . . . . . . . .
        . w . w . w . w
        w . w . w . w .
        . w . w . w . w
        """,
        to_move="black",
        variant="jamaican",
    )
    assert start.variant.rules == VARIANTS["pool"].rules


def test_jamaican_squares_are_named_from_blacks_side() -> None:
    places = squares(VARIANTS["jamaican"].board, VARIANTS["jamaican"].notation)
    where = {name: (square.file, square.rank) for square in places.values() if (name := square.name)}
    assert (where["a1"], where["h8"], where["b2"]) == ((0, 7), (7, 0), (1, 6))


# ------------------------------------------------------------------------------------- Czech
def test_in_czech_draughts_a_king_that_can_take_goes_before_a_man() -> None:
    position = Position.from_fen("W:WK29,27:B25,23", "czech")
    assert moves(position) == {"29x22", "29x18", "29x15", "29x11", "29x8", "29x4"}
    without_king = Position.from_fen("W:W29,27:B25,23", "czech")
    assert moves(without_king) == {"29x22", "27x18"}


def test_in_czech_draughts_a_king_goes_first_though_a_man_would_take_more() -> None:
    assert moves(Position.from_fen("W:WK21,17:B25,14,7", "czech")) == {"21x30"}


def test_in_czech_draughts_one_may_choose_between_kings_that_can_take() -> None:
    position = Position.from_fen("W:WK21,K32:B25,27", "czech")
    assert {move.origin for move in position.legal_moves()} == {21, 32}


def test_in_czech_draughts_a_man_takes_forward_only_and_stops_where_it_is_crowned() -> None:
    assert moves(Position.from_fen("W:W15:B19", "czech")) == {"15-10", "15-11"}
    assert moves(Position.from_fen("W:W11:B7,6", "czech")) == {"11x2=K"}


# --------------------------------------------------------------------- Spanish and Portuguese
@pytest.mark.parametrize("variant", IBERIAN)
def test_square_one_is_at_whites_lower_right_and_numbers_run_leftward_and_up(variant: str) -> None:
    places = squares(VARIANTS[variant].board, VARIANTS[variant].notation)
    where = {number: (places[number].file, places[number].rank) for number in (1, 4, 5, 32)}
    assert where == {1: (7, 0), 4: (1, 0), 5: (6, 1), 32: (0, 7)}
    start = Position.start(variant)
    assert start.turn is Colour.WHITE
    assert moves(start) == {"9-13", "10-13", "10-14", "11-14", "11-15", "12-15", "12-16"}


@pytest.mark.parametrize("variant", IBERIAN)
def test_among_captures_of_as_many_pieces_the_one_of_most_kings_must_be_chosen(variant: str) -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . B . b . .
        . . . . w . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
        variant=variant,
    )
    (only,) = position.legal_moves()
    assert position.pieces[only.captures[0]].kind is PieceKind.KING


@pytest.mark.parametrize("variant", IBERIAN)
def test_the_law_of_quantity_goes_before_that_of_quality(variant: str) -> None:
    position = drawn(
        """
        . . . . . . . .
        . . . b . . . .
        . . . . . . . .
        . . . b . B . .
        . . . . w . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """,
        to_move="white",
        variant=variant,
    )
    (only,) = position.legal_moves()
    assert len(only.captures) == 2
    assert only.crowns


@pytest.mark.parametrize("variant", IBERIAN)
def test_a_man_takes_no_piece_behind_it(variant: str) -> None:
    position = Position.from_fen("W:W18:B15", variant)
    assert all(not move.captures for move in position.legal_moves())


# ---------------------------------------------------------------------------------- Canadian
def test_canadian_draughts_has_thirty_men_a_side_on_seventy_two_squares() -> None:
    start = Position.start("canadian")
    assert (len(start.white_men), len(start.black_men)) == (30, 30)
    assert start.turn is Colour.WHITE
    assert Position.from_fen("W:WK72:BK1", "canadian").pieces.keys() == {1, 72}


def test_a_king_flies_the_whole_diagonal_of_twelve_squares() -> None:
    assert {"67-61", "67-6"} <= moves(Position.from_fen("W:WK67:B1", "canadian"))
    taking = Position.from_fen("W:WK67:B12", "canadian")
    assert moves(taking) == {"67x6"}


def test_in_canadian_draughts_most_pieces_must_be_taken_a_king_counting_as_one() -> None:
    position = Position.from_fen("W:W45,71:B39,27,K40,65", "canadian")
    assert moves(position) == {"45x34x21", "45x34x47"}


# ------------------------------------------------------------------------- reversed objectives
@pytest.mark.parametrize(
    ("variant", "blocked"), [("antidraughts", "W:W46:B41,37"), ("poddavki", "W:W29:B25,22")]
)
def test_a_player_who_has_no_piece_or_no_move_wins_where_the_aim_is_reversed(
    variant: str, blocked: str
) -> None:
    bare = Position.from_fen("W:W:B1", variant)
    assert bare.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)
    stuck = Position.from_fen(blocked, variant)
    assert stuck.outcome() == Outcome(Colour.WHITE, Termination.NO_MOVES)


# ---------------------------------------------------------------------- a race to the far row
def test_the_first_king_wins_breakthrough() -> None:
    position = Position.from_fen("W:W6,33:B45", "breakthrough")
    crowned = position.play("6-1")
    assert crowned.outcome() == Outcome(Colour.WHITE, Termination.FIRST_KING)
    assert crowned.legal_moves() == ()


def test_a_man_that_only_passes_the_far_row_has_not_won_breakthrough() -> None:
    position = Position.from_fen("W:W15:B9,10,40", "breakthrough")
    assert moves(position) == {"15x4x13"}
    assert position.play(move_named(position, "15x4x13")).outcome() is None


def test_a_side_that_is_stuck_before_any_king_has_lost_breakthrough() -> None:
    assert Position.from_fen("W:W46:B41,37", "breakthrough").outcome() == Outcome(
        Colour.BLACK, Termination.NO_MOVES
    )


# ------------------------------------------------------------------------------- spantsiretti
def test_spantsiretti_is_played_on_ten_files_and_eight_ranks() -> None:
    start = Position.start("spantsiretti")
    assert (len(start.white_men), len(start.black_men)) == (15, 15)
    assert {start.notation(move) for move in start.legal_moves()} >= {"a3-b4", "i3-j4", "i3-h4"}


def test_in_spantsiretti_a_man_crowned_while_taking_continues_as_a_king() -> None:
    position = Position.from_fen("W:Wd6:Be7,h6", "spantsiretti")
    (crowned,) = {(move.crowns, len(move.captures)) for move in position.legal_moves()}
    assert crowned == (True, 2)
