"""The articles of Frisian draughts (official rules, 2011) and the start of Frysk!."""

from __future__ import annotations

import pytest

from crownhead import Colour, Game, Outcome, Piece, PieceKind, Position, Setup, Termination
from crownhead.rules.setup import KingRun
from tests.rules.boards import move_named, moves
from tests.rules.test_last_forces import by, plies_until_drawn

WHITE_MAN, WHITE_KING = Piece(Colour.WHITE), Piece(Colour.WHITE, PieceKind.KING)
BLACK_MAN = Piece(Colour.BLACK)


def played(position: Position, *texts: str) -> Position:
    for text in texts:
        position = position.play(move_named(position, text))
    return position


def test_frysk_begins_with_five_men_a_side_on_the_back_rows() -> None:
    start = Position.start("frysk")
    assert (start.white_men, start.black_men) == ((46, 47, 48, 49, 50), (1, 2, 3, 4, 5))
    assert start.turn is Colour.WHITE


# -------------------------------------------------------------------------------- men, articles 7 and 8
def test_a_man_steps_diagonally_forward_only() -> None:
    assert moves(Position.from_fen("W:W28:B1", "frisian")) == {"28-22", "28-23"}


@pytest.mark.parametrize(
    ("taken", "landing"),
    [(22, 17), (23, 19), (32, 37), (33, 39), (18, 8), (38, 48), (27, 26), (29, 30)],
)
def test_a_man_captures_in_all_eight_directions(taken: int, landing: int) -> None:
    # Straight ahead and sideways the next square is two ranks or files away.
    assert moves(Position.from_fen(f"W:W28:B{taken}", "frisian")) == {f"28x{landing}"}


def test_a_straight_capture_needs_the_next_square_of_the_line_to_be_free() -> None:
    blocked = Position.from_fen("W:W28:B18,8,1", "frisian")
    assert moves(blocked) == {"28-22", "28-23"}


def test_a_man_that_passes_the_far_row_while_capturing_stays_a_man() -> None:
    passing = Position.from_fen("W:W13:B8,7", "frisian")
    assert moves(passing) == {"13x2x11"}
    resting = Position.from_fen("W:W13:B8", "frisian")
    assert moves(resting) == {"13x2=K"}


# -------------------------------------------------------------------------------------- kings, article 9
def test_a_king_steps_along_diagonals_only_but_captures_along_straight_lines_too() -> None:
    quiet = moves(Position.from_fen("W:WK28:B1", "frisian"))
    assert {"28-5", "28-46", "28-6", "28-50"} <= quiet
    assert not {"28-18", "28-30", "28-48"} & quiet
    straight = Position.from_fen("W:WK48:B18", "frisian")
    assert moves(straight) == {"48x8"}


def test_a_king_may_land_on_any_free_square_of_the_line_behind() -> None:
    position = Position.from_fen("W:WK50:B40", "frisian")
    assert moves(position) == {"50x30", "50x20", "50x10"}


# --------------------------------------------------------------- what must be taken, articles 11 and 12
def test_a_king_is_worth_more_than_one_man_and_less_than_two() -> None:
    assert _taken("W:W28:B22,K33") == {33}
    assert _taken("W:W28:B22,12,K33") == {22, 12}


def test_two_kings_are_worth_more_than_three_men_and_less_than_four() -> None:
    assert _taken("W:W28:B22,12,9,K33,K38") == {33, 38}
    assert _taken("W:W28:B22,12,9,14,K33,K38") == {22, 12, 9, 14}


def test_where_the_value_is_the_same_a_king_must_capture() -> None:
    assert moves(Position.from_fen("W:W31,19,K5:B27,10", "frisian")) == {"5x14"}
    men = Position.from_fen("W:W31,50:B27,44", "frisian")
    assert {move.origin for move in men.legal_moves()} == {31, 50}


# ------------------------------------------------------------------------- carrying out, articles 13 and 14
def test_pieces_taken_stand_in_the_way_until_the_move_is_over_and_none_is_jumped_twice() -> None:
    # Were they gone at once, all four could be taken, from 16 to 50.
    position = Position.from_fen("W:WK16:B12,21,28,44", "frisian")
    assert {frozenset(move.captures) for move in position.legal_moves()} == {
        frozenset({12, 21, 44}),
        frozenset({12, 21, 28}),
    }


# ------------------------------------------------------------------- three moves with a king, article 17
def test_a_side_with_men_may_not_move_the_same_king_a_fourth_time_in_a_row() -> None:
    position = Position.from_fen("W:WK50,36:B3", "frisian")
    position = played(position, "50-45", "3-8", "45-50", "8-13", "50-45", "13-19")
    assert position.king_runs == {Colour.WHITE: KingRun(45, 3)}
    assert moves(position) == {"36-31"}


def test_a_move_of_another_piece_lifts_the_ban() -> None:
    position = played(_tired(men=(36,), black=(3,)), "36-31", "3-8")
    assert position.king_runs == {}
    assert "45-50" in moves(position)


def test_a_move_of_another_king_begins_a_new_count() -> None:
    pieces = {45: WHITE_KING, 46: WHITE_KING, 36: WHITE_MAN, 3: BLACK_MAN}
    position = Position.from_setup(Setup("frisian", Colour.WHITE, pieces, {Colour.WHITE: KingRun(45, 3)}))
    assert {move.origin for move in position.legal_moves()} == {36, 46}
    position = played(position, "46-41")
    assert position.king_runs == {Colour.WHITE: KingRun(41, 1)}


def test_a_king_that_may_not_move_may_capture_which_lifts_the_ban() -> None:
    position = _tired(men=(36,), black=(29, 16))
    assert moves(position) == {"45x23", "45x18", "45x12", "45x7", "45x1"}
    assert played(position, "45x18").king_runs == {}


def test_a_side_with_kings_only_may_move_one_for_ever() -> None:
    position = Position.from_fen("W:WK50:BK46", "frisian")
    position = played(position, "50-45", "46-41", "45-50", "41-46", "50-45", "46-41", "45-50", "41-46")
    assert position.king_runs == {}
    assert "50-45" in moves(position)


def test_the_ban_ends_with_the_last_man() -> None:
    position = _tired(men=(33,), black=(28,), turn=Colour.BLACK)
    assert position.king_runs == {Colour.WHITE: KingRun(45, 3)}
    assert played(position, "28x39").king_runs == {}


def test_the_ban_ends_with_its_king() -> None:
    pieces = {29: WHITE_KING, 36: WHITE_MAN, 23: BLACK_MAN}
    position = Position.from_setup(Setup("frisian", Colour.BLACK, pieces, {Colour.WHITE: KingRun(29, 3)}))
    assert position.king_runs == {Colour.WHITE: KingRun(29, 3)}
    assert played(position, "23x34").king_runs == {}


def test_a_player_who_has_nothing_but_a_king_that_may_not_move_has_lost() -> None:
    position = _tired(men=(36,), black=(31, 27))
    assert position.legal_moves() == ()
    assert position.outcome() == Outcome(Colour.BLACK, Termination.NO_MOVES)


def test_positions_with_different_runs_are_different() -> None:
    tired = _tired(men=(36,), black=(3,))
    fresh = Position.from_fen("W:WK45,36:B3", "frisian")
    assert tired != fresh
    assert tired.pieces == fresh.pieces


# ------------------------------------------------------------------------------ draws, articles 18 and 21
def test_two_kings_have_seven_moves_to_win_against_one() -> None:
    game = Game("frisian", start="W:WK50,K47:BK5", draw_rules=by("frisian", "FRI 18"))
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 14


def test_one_king_against_one_is_drawn_after_two_moves_each() -> None:
    game = Game("frisian", start="W:WK50:BK5", draw_rules=by("frisian", "FRI 21"))
    assert plies_until_drawn(game, (50, 45), (5, 10)) == 4


def test_repetition_draws_nothing() -> None:
    game = Game("frisian", start="W:WK50,K47,K48:BK5")
    assert plies_until_drawn(game, (50, 45), (5, 10), most=60) == 60


def _taken(fen: str) -> set[int]:
    (taken,) = {frozenset(move.captures) for move in Position.from_fen(fen, "frisian").legal_moves()}
    return set(taken)


def _tired(*, men: tuple[int, ...], black: tuple[int, ...], turn: Colour = Colour.WHITE) -> Position:
    """White's king on 45 has made three moves in a row."""
    pieces = {45: WHITE_KING, **dict.fromkeys(men, WHITE_MAN), **dict.fromkeys(black, BLACK_MAN)}
    return Position.from_setup(Setup("frisian", turn, pieces, {Colour.WHITE: KingRun(45, 3)}))
