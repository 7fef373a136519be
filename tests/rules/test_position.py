"""Positions, moves and setups as values: they never change, compare by what they are, and travel."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crownhead import (
    VARIANTS,
    AmbiguousMove,
    Colour,
    CrownheadError,
    IllegalMove,
    IllegalPosition,
    Move,
    NotationError,
    Piece,
    PieceKind,
    Position,
    Setup,
    TooManyCaptures,
    UnknownVariant,
)
from crownhead.rules.schema import Priority

BLACK, WHITE = Colour.BLACK, Colour.WHITE
WHITE_MAN = Piece(WHITE)
BLACK_MAN = Piece(BLACK)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_start_position_is_the_tables(variant: str) -> None:
    row, start = VARIANTS[variant], Position.start(variant)
    assert start.variant is row
    assert start.turn is row.start.first
    assert {s for s, piece in start.pieces.items() if piece.colour is BLACK} == row.start.black
    assert {s for s, piece in start.pieces.items() if piece.colour is WHITE} == row.start.white
    assert set(start.black_marked + start.white_marked) == row.start.marked
    assert start.legal_moves()


def test_playing_gives_a_new_position_and_leaves_the_old() -> None:
    start = Position.start("american")
    fen = start.fen()
    after = start.play("11-15")
    assert (start.fen(), start.turn) == (fen, BLACK)
    assert after != start
    assert after.turn is WHITE
    assert type(after) is Position


@pytest.mark.parametrize("name", ["black_to_move", "variant_key", "black_men", "turn", "colour"])
def test_a_position_cannot_be_changed(name: str) -> None:
    position = Position.start("american")
    with pytest.raises(AttributeError):
        setattr(position, name, None)


def test_the_pieces_of_a_position_cannot_be_changed() -> None:
    position = Position.start("american")
    with pytest.raises(TypeError):
        position.pieces[1] = WHITE_MAN  # type: ignore[index]
    assert list(position.pieces) == sorted(position.pieces)


@pytest.mark.parametrize("name", ["origin", "target", "captures", "path", "crowns", "note"])
def test_a_move_cannot_be_changed(name: str) -> None:
    move = Position.start("american").legal_moves()[0]
    with pytest.raises(AttributeError):
        setattr(move, name, None)


def test_a_position_is_the_same_whatever_moves_led_to_it() -> None:
    start = Position.start("american")
    one = start.play("11-15").play("24-20").play("9-13")
    other = start.play("9-13").play("24-20").play("11-15")
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1


def test_the_side_to_move_is_part_of_a_position() -> None:
    assert Position.from_fen("W:W22:B1") != Position.from_fen("B:W22:B1")


def test_positions_differ_from_other_things() -> None:
    start = Position.start("american")
    assert start != start.fen()
    assert start != None  # noqa: E711
    assert start.legal_moves()[0] != "9-13"


def test_a_move_is_its_squares_and_what_it_takes() -> None:
    position = Position.from_fen("W:WK22:B9,10,17,18", "brazilian")
    again = Position.from_fen("W:WK22:B18,17,10,9", "brazilian")
    assert position.legal_moves() == again.legal_moves()
    assert {hash(m) for m in position.legal_moves()} == {hash(m) for m in again.legal_moves()}
    assert len(set(position.legal_moves())) == len(position.legal_moves()) == 5


def test_a_moves_path_runs_from_origin_to_target() -> None:
    (move,) = Position.from_fen("W:W22:B18,11").legal_moves()
    assert (move.origin, move.target) == (22, 8)
    assert (move.path, move.captures, move.crowns) == ((22, 15, 8), (18, 11), False)


def test_a_path_names_the_square_behind_a_piece_taken_where_the_line_continues() -> None:
    straight = Position.from_fen("W:WK46:B37,19", "international").legal_moves()
    assert {move.path for move in straight} == {(46, 32, 14), (46, 32, 10), (46, 32, 5)}


def test_a_path_names_the_square_where_the_line_turns() -> None:
    turning = Position.from_fen("W:WK46:B37,22", "international").legal_moves()
    assert {move.path[:2] for move in turning} == {(46, 28)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_and_moves_outlive_pickling_and_copying(variant: str) -> None:
    start = Position.start(variant)
    for twin in (pickle.loads(pickle.dumps(start)), copy.copy(start), copy.deepcopy(start)):
        assert (type(twin), twin, hash(twin), twin.fen()) == (Position, start, hash(start), start.fen())
    for move in start.legal_moves():
        twin_move: Move = pickle.loads(pickle.dumps(move))
        assert (twin_move, hash(twin_move), twin_move.path) == (move, hash(move), move.path)
        assert start.play(twin_move) == start.play(move)


def test_a_move_of_another_position_is_refused() -> None:
    start = Position.start("american")
    (capture,) = Position.from_fen("W:W22:B18").legal_moves()
    with pytest.raises(IllegalMove) as caught:
        start.play(capture)
    assert caught.value.fen == start.fen()
    assert start.fen() in str(caught.value)


def test_a_text_that_fits_two_moves_is_ambiguous_and_their_full_paths_are_not() -> None:
    fen = "B:B1,2,3,4,5,6,7,8,10,14,15:W17,18,19,24,25,26,27,28,29,31,32"
    position = Position.from_fen(fen, "russian")
    with pytest.raises(AmbiguousMove) as caught:
        position.parse("14x16")
    taken = [len(position.parse(candidate).captures) for candidate in caught.value.candidates]
    assert sorted(taken) == [2, 4]
    assert caught.value.fen == position.fen()


def test_a_text_may_name_any_legal_route_of_a_move() -> None:
    position = Position.from_fen("W:WK22:B9,10,17,18", "american")
    (round_trip,) = position.legal_moves()
    for text in ("22x15x6x13x22", "22x13x6x15x22", "22x6x22", "22x22"):
        assert position.parse(text) == round_trip
    with pytest.raises(IllegalMove):
        position.parse("22x14x22")


@pytest.mark.parametrize(
    "error",
    [
        IllegalMove(
            "1-2", "W:W1:B2", "because", kind="must-jump", squares=("1", "3"), priority=Priority.MAX_PIECES
        ),
        AmbiguousMove("1x2", "W:W1:B2", ("1x5x2", "1x6x2")),
        NotationError("a square", "zz", column=3),
        UnknownVariant("chess", ("american",)),
        IllegalPosition("expected a position"),
        TooManyCaptures("too many"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_outlive_pickling_and_copying(error: CrownheadError) -> None:
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))


def test_a_position_makes_a_setup_and_the_setup_the_position() -> None:
    for variant in VARIANTS:
        start = Position.start(variant)
        assert Position.from_setup(start.setup()) == start


def test_a_setup_may_be_nonsense_but_a_position_not() -> None:
    mule = Piece(WHITE, PieceKind.MULE)
    nonsense = (
        Setup("american", WHITE, {0: WHITE_MAN, 1: BLACK_MAN}),
        Setup("american", WHITE, {33: WHITE_MAN, 1: BLACK_MAN}),
        Setup("american", WHITE, {-5: WHITE_MAN}),
        Setup("american", WHITE, {10**30: WHITE_MAN}),
        Setup("international", WHITE, {51: WHITE_MAN}),
        Setup("american", WHITE, {22: mule, 1: BLACK_MAN}),
        Setup("american", WHITE, {1: WHITE_MAN}),  # it would have been crowned
        Setup("american", WHITE, {32: BLACK_MAN}),
    )
    for setup in nonsense:
        with pytest.raises(IllegalPosition, match="expected"):
            Position.from_setup(setup)


def test_two_pieces_on_one_square_are_refused() -> None:
    for fen in ("W:W22:B22", "W:W22,K22:B1", "W:W22,22:B1"):
        with pytest.raises(CrownheadError):
            Position.from_fen(fen)


def test_fen_reads_sides_in_either_order_one_sided_and_algebraic() -> None:
    assert Position.from_fen("W:B1,K2:W21,K22") == Position.from_fen("W:W21,K22:B1,K2")
    assert Position.from_fen("W:W22").pieces == {22: WHITE_MAN}
    assert Position.from_fen("B:B18").pieces == {18: BLACK_MAN}
    assert Position.from_fen("W:Wa1,Kc3:Bb8", "russian") == Position.from_fen("W:W29,K22:B1", "russian")
    assert Position.from_fen("B:W21-32:B1-12") == Position.start("american")
    assert Position.from_fen("W:W31-50:B1-20", "international") == Position.start("international")


@pytest.mark.parametrize("variant", VARIANTS)
def test_its_representation_makes_the_position_again(variant: str) -> None:
    start = Position.start(variant)
    assert eval(repr(start), {"Position": Position}) == start


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.sampled_from(list(VARIANTS)),
    st.dictionaries(
        st.integers(-2, 60), st.builds(Piece, st.sampled_from(list(Colour)), st.sampled_from(list(PieceKind)))
    ),
    st.sampled_from(list(Colour)),
)
def test_any_arrangement_is_a_position_or_refused_as_one(
    variant: str, pieces: dict[int, Piece], turn: Colour
) -> None:
    setup = Setup(variant, turn, pieces)
    try:
        position = Position.from_setup(setup)
    except IllegalPosition:
        return
    assert (position.pieces, position.turn) == (pieces, turn)
    assert position.setup() == setup
