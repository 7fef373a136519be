"""The kernel's counters of draw rules: what they take, count, take back and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from crownhead._kernel import DrawCounters, Position

REPETITION, NO_PROGRESS, MATERIAL, BALANCE = range(4)
CAPTURE, MAN_MOVE = 1, 2
TWICE = (REPETITION, True, 2, 0, (), (), 0, 0, None)
FOUR_PLIES = (NO_PROGRESS, False, 4, CAPTURE | MAN_MOVE, (), (), 0, 0, None)
TWO_AGAINST_ONE = (MATERIAL, True, 3, 0, ((2, 0), (1, 1)), ((1, 0),), 0, 0, None)
SHUTTLE = ((32, 27), (1, 6), (27, 32), (6, 1))


def position(white_kings: tuple[int, ...] = (32,), white_men: tuple[int, ...] = ()) -> Position:
    return Position("american", False, (), (1,), white_men, white_kings)


def played(counters: DrawCounters, start: Position, *squares: tuple[int, int]) -> list[Position]:
    line, moves = [start], []
    for pair in squares:
        (move,) = line[-1].find(pair)
        moves.append(move)
        line.append(line[-1].play(move))
    counters.count(moves, line)
    return line


def test_each_rule_has_a_count_a_ply() -> None:
    start = position((32, 31))
    counters = DrawCounters((TWICE, FOUR_PLIES, TWO_AGAINST_ONE), start)
    assert (counters.plies, counters.counts()) == (0, (1, 0, 0))
    played(counters, start, *SHUTTLE)
    assert (counters.plies, counters.counts()) == (4, (2, 4, 4))
    assert (counters.satisfied(True), counters.satisfied(False)) == ((0, 2), (1,))
    counters.pop()
    assert (counters.plies, counters.counts()) == (3, (1, 3, 3))
    assert (counters.satisfied(True), counters.satisfied(False)) == ((2,), ())


def test_pieces_that_a_rule_is_not_about_are_not_counted() -> None:
    start = position()
    counters = DrawCounters((TWO_AGAINST_ONE,), start)
    played(counters, start, *SHUTTLE)
    assert counters.counts() == (-1,)


def test_only_what_has_not_been_counted_is_counted() -> None:
    start = position()
    counters = DrawCounters((FOUR_PLIES,), start)
    line = played(counters, start, *SHUTTLE)
    moves = [before.find(pair)[0] for before, pair in zip(line, SHUTTLE, strict=False)]
    counters.count(tuple(moves), tuple(line))
    assert (counters.plies, counters.counts()) == (4, (4,))


def test_a_road_holds_the_kings_of_the_weak_side() -> None:
    start = position((32, 31))
    road = (*TWO_AGAINST_ONE[:8], (1, 6))
    beside = (*TWO_AGAINST_ONE[:8], ())
    counters = DrawCounters((road, beside), start)
    played(counters, start, *SHUTTLE)
    assert counters.counts() == (4, -1)


@pytest.mark.parametrize(
    "rules",
    [((7, True, 2, 0, (), (), 0, 0, None),), ((0, True),), 5, ((MATERIAL, True, 2, 0, 1, 1, 0, 0, None),)],
)
def test_rules_that_are_none_are_refused(rules: Any) -> None:
    with pytest.raises((ValueError, TypeError, IndexError)):
        DrawCounters(rules, position())


def test_what_is_no_line_of_play_is_refused() -> None:
    counters: Any = DrawCounters((FOUR_PLIES,), position())
    with pytest.raises(ValueError, match="one position more than moves"):
        counters.count([], [])
    with pytest.raises(TypeError, match="sequence of moves"):
        counters.count(5, [position()])
    with pytest.raises(TypeError):
        counters.count([5], [position(), position()])
    with pytest.raises(ValueError, match="expected a ply to take back"):
        counters.pop()
    assert counters.plies == 0
