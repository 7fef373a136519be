"""The kernel's moves: order, identity, finding them by squares, playing them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from crownhead import _kernel
from crownhead._kernel import Move, Position
from crownhead.rules.variants import VARIANTS
from tests.kernel.test_positions import start

# One king, four men in a ring: it can be run both ways, and through a third square of the ring.
RING = Position("american", False, [9, 10, 17, 18], (), (), [22])


def paths(position: Position) -> list[tuple[int, ...]]:
    return [move.path for move in position.legal_moves()]


@pytest.mark.parametrize("variant", VARIANTS)
def test_legal_moves_ascend_by_path(variant: str) -> None:
    position = start(variant)
    for _ in range(60):
        assert paths(position) == sorted(set(paths(position)))
        if not position.legal_moves():
            break
        position = position.play(position.legal_moves()[hash(position) % len(position.legal_moves())])


def test_a_quiet_move_has_its_origin_and_target_for_a_path() -> None:
    move = start("american").legal_moves()[0]
    assert (move.origin, move.target, move.captures, move.path, move.crowns) == (9, 13, (), (9, 13), False)


def test_a_capture_names_pieces_in_the_order_taken() -> None:
    (move,) = RING.legal_moves()
    assert move.path == (22, 13, 6, 15, 22)
    assert move.captures == (17, 9, 10, 18)


def test_a_move_is_its_origin_target_pieces_taken_and_crowning() -> None:
    (move,) = RING.legal_moves()
    backwards = Move((22, 15, 6, 13, 22), (18, 10, 9, 17))
    assert move == backwards
    assert hash(move) == hash(backwards)
    assert move != Move((22, 15, 6, 13, 22), (18, 10, 9, 17), True)
    assert move != Move((22, 15, 6, 13, 22), (18, 10, 9, 16))
    assert move != (22, 22)


@pytest.mark.parametrize(
    ("path", "captures"),
    [((), ()), ((9,), ()), ((9, 13, 17), ()), ((9, 18, 27), (14,)), ((9, 18), (14, 23)), ((9, 0), ())],
)
def test_a_move_has_one_landing_for_each_piece_taken(
    path: tuple[int, ...], captures: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="expected"):
        Move(path, captures)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, r"expected Move\(path, captures=\(\), crowns=False\) .* got no path"),
        ({"path": 11}, "expected the squares of a path, numbers from 1 to 128, got 11"),
        ({"path": (11, 15), "captures": 8}, "expected squares of pieces taken, numbers from 1 to 128, got 8"),
        ({"path": (11, 15), "crowns": "yes"}, "expected crowns to be True or False, got 'yes'"),
    ],
)
def test_a_move_of_something_else_is_refused_in_words(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        Move(**arguments)


def test_a_move_as_text_is_its_squares() -> None:
    assert [str(move) for move in (Move((11, 15)), Move((22, 15, 8), (18, 11)))] == ["11-15", "22x15x8"]
    assert f"{Move((22, 13, 6, 15, 22), (17, 9, 10, 18))}" == "22x13x6x15x22"


def test_moves_travel_by_pickle_copy_and_repr() -> None:
    (move,) = RING.legal_moves()
    for travelled in (pickle.loads(pickle.dumps(move)), copy.copy(move), copy.deepcopy(move)):
        assert travelled == move
        assert travelled.path == move.path
        assert travelled.captures == move.captures
    assert repr(move) == "Move((22, 13, 6, 15, 22), (17, 9, 10, 18), False)"


@pytest.mark.parametrize(
    "named", [[22, 22], [22, 13, 6, 15, 22], [22, 15, 6, 13, 22], [22, 6, 22], [22, 15, 22]]
)
def test_a_capture_is_found_by_its_ends_and_by_squares_of_any_route(named: list[int]) -> None:
    assert RING.find(named) == list(RING.legal_moves())


@pytest.mark.parametrize(
    "named", [[22, 6, 15, 13, 22], [22, 14, 22], [22, 13], [13, 22], [22, 13, 6, 15, 18, 22]]
)
def test_squares_that_no_route_visits_in_that_order_find_nothing(named: list[int]) -> None:
    assert RING.find(named) == []


def test_a_full_path_tells_two_captures_apart() -> None:
    position = Position("american", False, [10, 11, 18, 19], (), [23], ())
    ends = position.find([23, 7])
    assert [move.path for move in ends] == [(23, 14, 7), (23, 16, 7)]
    for move in ends:
        assert position.find(move.path) == [move]


def test_finding_needs_two_squares() -> None:
    with pytest.raises(ValueError, match="origin and a target"):
        start("american").find([9])
    assert start("american").find([9, 99]) == []


@pytest.mark.parametrize(
    "move", [Move((9, 18)), Move((9, 14), (), True), Move((21, 17)), Move((9, 18), (14,))]
)
def test_what_is_not_legal_is_not_played(move: Move) -> None:
    with pytest.raises(ValueError, match="legal move"):
        start("american").play(move)


def test_a_capture_by_another_route_is_the_same_move() -> None:
    following = RING.play(Move((22, 15, 6, 13, 22), (18, 10, 9, 17)))
    assert following == Position("american", True, (), (), (), [22])


def test_too_many_captures_is_a_value_error() -> None:
    assert issubclass(_kernel.TooManyCaptures, ValueError)
