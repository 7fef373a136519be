"""The kernel's positions: what they accept, how they compare, how they travel."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable
from typing import Any

import pytest

from crownhead import _kernel
from crownhead.rules.variants import VARIANTS


def start(variant: str) -> _kernel.Position:
    """The start array, always with Black to move."""
    array = VARIANTS[variant].start
    return _kernel.Position(
        variant,
        True,
        array.black - array.marked,
        (),
        array.white - array.marked,
        (),
        array.black & array.marked,
        array.white & array.marked,
    )


def american(black_to_move: bool = True, /, **pieces: Any) -> _kernel.Position:
    """A position on the plain board; the kinds of piece by the names of the constructor."""
    regular = ("black_men", "black_kings", "white_men", "white_kings")
    others = {kind: given for kind, given in pieces.items() if kind not in regular}
    men, kings, white_men, white_kings = (pieces.get(kind, ()) for kind in regular)
    return _kernel.Position("american", black_to_move, men, kings, white_men, white_kings, **others)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_pieces_come_back_in_ascending_order(variant: str) -> None:
    position, array = start(variant), VARIANTS[variant].start
    assert position.variant_key == variant
    assert position.black_to_move
    assert position.black_men == tuple(sorted(array.black - array.marked))
    assert position.white_men == tuple(sorted(array.white - array.marked))
    assert position.black_marked == tuple(sorted(array.black & array.marked))
    assert position.white_marked == tuple(sorted(array.white & array.marked))
    assert position.black_kings == position.white_kings == ()


def test_squares_come_from_any_iterable() -> None:
    expected = american(black_men=(1, 2, 3), white_kings=[30])
    assert american(black_men=iter([3, 1, 2]), white_kings={30}) == expected
    assert american(black_men=range(1, 4), white_kings=frozenset({30})) == expected


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ({"black_men": [33]}, "from 1 to 32, got 33"),
        ({"black_men": [0]}, "from 1 to 32, got 0"),
        ({"white_kings": [-1]}, "got -1"),
        ({"white_kings": [10**30]}, "got 1000"),
        ({"white_men": ["9"]}, "got '9'"),
        ({"white_men": [9.0]}, r"got 9\.0"),
        ({"black_men": [9], "white_kings": [9]}, "one piece on square 9, got two"),
        ({"black_men": [9, 9]}, "one piece on square 9, got two"),
        ({"black_men": [30]}, "no black man on square 30"),
        ({"white_men": [2]}, "no white man on square 2"),
        ({"black_marked": [1]}, "no marked men"),
        ({"black_king_run": (1, 1)}, "no run of a king"),
    ],
)
def test_nonsense_is_refused_with_its_square(pieces: dict[str, list[Any]], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        american(**pieces)


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(ValueError, match="got 'chess'"):
        _kernel.Position("chess", True, (), (), (), ())


def test_squares_must_be_iterable() -> None:
    with pytest.raises(TypeError):
        american(black_men=9)


def test_any_number_of_pieces_is_a_position() -> None:
    full = american(black_kings=range(1, 32), white_kings=[32])
    assert len(full.black_kings) == 31
    assert american().legal_moves() == ()


def test_positions_are_equal_iff_pieces_turn_and_variant_are() -> None:
    position = american(black_men=[9], white_kings=[30])
    assert position == american(black_men=[9], white_kings=[30])
    assert hash(position) == hash(american(black_men=[9], white_kings=[30]))
    others = [
        american(False, black_men=[9], white_kings=[30]),
        american(black_kings=[9], white_kings=[30]),
        american(black_men=[9], white_men=[30]),
        american(black_men=[10], white_kings=[30]),
        american(white_men=[9], black_kings=[30]),
        _kernel.Position("anti", True, [9], (), (), [30]),
    ]
    assert all(position != other for other in others)
    assert len({hash(other) for other in (position, *others[:-1])}) == len(others)
    assert position != "B:WK30:B9"


def test_a_mule_is_no_man() -> None:
    with_mule = _kernel.Position("mule", True, [9], (), [21], (), [1], [29])
    without = _kernel.Position("mule", True, [9, 1], (), [21, 29], ())
    assert with_mule != without
    assert hash(with_mule) != hash(without)


def frisian(white_king_run: tuple[int, int], white_men: Iterable[int] = (36,)) -> _kernel.Position:
    """White has a king on 46, and men."""
    return _kernel.Position("frisian", False, [15], [5], white_men, [46], white_king_run=white_king_run)


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ((46, 4), "1 to 3 steps, got 4"),
        ((46, 0), "1 to 3 steps, got 0"),
        ((36, 1), "white king, got square 36"),
        ((51, 1), "white king, got square 51"),
        ((5, 1), "white king, got square 5,"),
    ],
)
def test_a_run_of_no_king_is_refused(run: tuple[int, int], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        frisian(run)
    with pytest.raises(ValueError, match="counted without men"):
        frisian((46, 1), white_men=())


def test_a_run_is_part_of_the_position() -> None:
    runs = [frisian(run) for run in ((0, 0), (46, 1), (46, 3))]
    assert len(set(runs)) == len({hash(position) for position in runs}) == 3
    assert [position.white_king_run for position in runs] == [(0, 0), (46, 1), (46, 3)]
    assert [len(position.legal_moves()) for position in runs] == [9, 9, 1]


def test_a_run_grows_with_the_king_and_ends_with_another_move() -> None:
    position = frisian((46, 2))
    stepped = position.play(_kernel.Move((46, 41)))
    assert stepped.white_king_run == (41, 3)
    assert position.play(_kernel.Move((36, 31))).white_king_run == (0, 0)


def test_a_parachutist_stands_on_its_far_row() -> None:
    with pytest.raises(
        ValueError, match="white parachutist on its far row, where it waits, got one on square 5"
    ):
        _kernel.Position("parachute", True, (), (), (), (), (), [5])


def test_hashes_of_many_positions_spread_over_all_bits() -> None:
    position = start("american")
    positions = {position}
    for _ in range(4):
        positions |= {one.play(move) for one in positions for move in one.legal_moves()}
    hashes = {hash(one) for one in positions}
    assert len(hashes) == len(positions)
    for bit in range(64):
        share = sum(one >> bit & 1 for one in hashes) / len(hashes)
        assert 0.4 < share < 0.6


class Named(_kernel.Position):
    __slots__ = ()


def test_playing_gives_an_instance_of_the_subclass() -> None:
    position = Named("american", True, range(1, 13), (), range(21, 33), ())
    following = position.play(position.legal_moves()[0])
    assert type(following) is Named
    assert not hasattr(following, "__dict__")


@pytest.mark.parametrize("variant", VARIANTS)
def test_positions_travel_by_pickle_and_copy(variant: str) -> None:
    position = start(variant)
    position = position.play(position.legal_moves()[-1])
    for travelled in (
        pickle.loads(pickle.dumps(position)),
        copy.copy(position),
        copy.deepcopy(position),
    ):
        assert travelled == position
        assert type(travelled) is type(position)


def test_attributes_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        start("american").black_men = ()  # type: ignore[misc]
