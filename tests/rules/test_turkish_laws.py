"""The laws of Turkish draughts, of BrainKing's reading of them, and of Armenian draughts."""

from __future__ import annotations

import pytest

from crownhead import VARIANTS, Colour, Game, Outcome, Piece, PieceKind, Position, Termination
from tests.rules.boards import drawn, named_moves, play_named

ALIKE = ("turkish", "brainking-turkish")
ALL = (*ALIKE, "armenian")
START = """
    . . . . . . . .
    b b b b b b b b
    b b b b b b b b
    . . . . . . . .
    . . . . . . . .
    w w w w w w w w
    w w w w w w w w
    . . . . . . . .
    """


@pytest.mark.parametrize("variant", ALL)
def test_sixteen_men_a_side_stand_on_the_second_and_third_rows_and_white_begins(variant: str) -> None:
    assert Position.start(variant) == drawn(START, to_move="white", variant=variant)


@pytest.mark.parametrize("variant", ALIKE)
def test_a_man_steps_forward_and_sideways(variant: str) -> None:
    assert named_moves(Position.from_fen("W:Wd4:Ba8", variant)) == {"d4-d5", "d4-c4", "d4-e4"}
    assert named_moves(Position.from_fen("B:Wh1:Bd4", variant)) == {"d4-d3", "d4-c4", "d4-e4"}


@pytest.mark.parametrize("variant", ALL)
def test_a_man_captures_forward_and_sideways(variant: str) -> None:
    for taken, landing in (("d5", "d6"), ("c4", "b4"), ("e4", "f4")):
        assert named_moves(Position.from_fen(f"W:Wd4:B{taken}", variant)) == {f"d4x{landing}"}
    for safe in ("d3", "c3", "e3", "c5", "e5"):
        position = Position.from_fen(f"W:Wd4:B{safe}", variant)
        assert all("x" not in move for move in named_moves(position))


@pytest.mark.parametrize("variant", ALIKE)
def test_a_king_goes_along_rows_and_files_as_far_as_it_likes(variant: str) -> None:
    position = Position.from_fen("W:WKd4:Ba8,h8", variant)
    files = {f"d4-d{rank}" for rank in (1, 2, 3, 5, 6, 7, 8)}
    assert named_moves(position) == files | {f"d4-{file}4" for file in "abcefgh"}


@pytest.mark.parametrize("variant", ALL)
def test_a_king_takes_from_afar_and_lands_on_any_free_square_behind(variant: str) -> None:
    position = Position.from_fen("W:WKd1:Bd4,a8", variant)
    assert named_moves(position) == {"d1xd5", "d1xd6", "d1xd7", "d1xd8"}
    guarded = Position.from_fen("W:WKd1:Bd4,d5,a8", variant)
    assert all("x" not in move for move in named_moves(guarded))


@pytest.mark.parametrize("variant", ALL)
def test_the_capture_of_most_pieces_must_be_chosen_a_king_counting_as_one(variant: str) -> None:
    position = Position.from_fen("W:Wd4,h3:Bd5,c6,Kh4", variant)
    assert named_moves(position) == {"d4xd6xb6"}
    equal = Position.from_fen("W:WKa1,h3:Ba5,Kh4", variant)
    assert {move.origin for move in equal.legal_moves()} == {57, 48}


@pytest.mark.parametrize("variant", ALL)
def test_pieces_leave_the_board_as_they_are_taken_and_open_the_way(variant: str) -> None:
    # The king comes back along the third row, over c3, where the first piece that it took has stood.
    position = Position.from_fen("W:WKc1:Bc3,e5,f4,b3", variant)
    assert named_moves(position) == {"c1xc5xf5xf3xa3"}


@pytest.mark.parametrize("variant", ALL)
def test_a_king_may_rest_where_a_piece_that_it_took_has_stood(variant: str) -> None:
    position = Position.from_fen("W:WKc1:Bc3,e5,f4,d3", variant)
    assert named_moves(position) == {"c1xc5xf5xf3xc3", "c1xc5xf5xf3xb3", "c1xc5xf5xf3xa3"}
    after = play_named(position, "c1xc5xf5xf3xc3")
    assert after.pieces == {43: Piece(Colour.WHITE, PieceKind.KING)}


def test_a_king_may_not_turn_by_180_degrees_between_two_captures() -> None:
    for variant, captures in (("turkish", 1), ("armenian", 1), ("brainking-turkish", 2)):
        position = Position.from_fen("W:WKd4:Bd2,d6,h8", variant)
        assert {len(move.captures) for move in position.legal_moves()} == {captures}


def test_a_king_that_turns_aside_in_between_may_go_the_way_it_came() -> None:
    position = Position.from_fen("W:WKd4:Bd6,f7,g5", "turkish")
    assert named_moves(position) == {"d4xd7xg7xg4", "d4xd7xg7xg3", "d4xd7xg7xg2", "d4xd7xg7xg1"}


@pytest.mark.parametrize("variant", ALL)
def test_a_man_that_reaches_the_far_row_while_taking_is_crowned_and_stops(variant: str) -> None:
    position = Position.from_fen("W:Wd6:Bd7,e8,h5", variant)
    assert named_moves(position) == {"d6xd8=K"}


@pytest.mark.parametrize("variant", ALL)
def test_a_player_who_has_no_piece_or_no_move_has_lost(variant: str) -> None:
    bare = Position.from_fen("W:W:Ba8", variant)
    assert bare.outcome() == Outcome(Colour.BLACK, Termination.NO_PIECES)
    after = play_named(Position.from_fen("W:Wd4:Bd5", variant), "d4xd6")
    assert after.outcome() == Outcome(Colour.WHITE, Termination.NO_PIECES)


def test_turkish_draughts_is_drawn_when_a_position_stands_for_the_third_time() -> None:
    game = Game("turkish", start="W:WKa1,h4:BKg8,c6")
    for _ in range(2):
        for move in ("a1-b1", "g8-f8", "b1-a1", "f8-g8"):
            assert game.outcome() is None
            game.push(move)
    assert game.outcome() == Outcome(None, Termination.REPETITION)


def test_turkish_draughts_is_drawn_soon_when_each_has_one_king() -> None:
    game = Game("turkish", start="W:WKa1:BKh8")
    for move in ("a1-b1", "h8-g8", "b1-c1", "g8-f8"):
        assert game.outcome() is None
        game.push(move)
    assert game.outcome() == Outcome(None, Termination.NO_PROGRESS)


def test_the_site_knows_no_draw_but_repetition_on_a_claim() -> None:
    assert VARIANTS["brainking-turkish"].draws.key == "threefold-on-claim"
    assert VARIANTS["armenian"].draws.key == "threefold-on-claim"


# ------------------------------------------------------------------------------------ Armenian
def test_an_armenian_man_steps_diagonally_forward_too() -> None:
    assert named_moves(Position.from_fen("W:Wd4:Ba8", "armenian")) == {
        "d4-d5",
        "d4-c4",
        "d4-e4",
        "d4-c5",
        "d4-e5",
    }


def test_an_armenian_king_moves_as_a_queen_of_chess_but_captures_along_rows_and_files() -> None:
    position = Position.from_fen("W:WKd4:Ba8,c8", "armenian")
    assert {"d4-g7", "d4-a7", "d4-a1", "d4-g1", "d4-d8", "d4-h4"} <= named_moves(position)
    assert len(position.legal_moves()) == 27
    diagonal = Position.from_fen("W:WKd4:Bf6,a8", "armenian")
    assert all("x" not in move for move in named_moves(diagonal))
    straight = Position.from_fen("W:WKd4:Bd6,a8", "armenian")
    assert named_moves(straight) == {"d4xd7", "d4xd8"}
