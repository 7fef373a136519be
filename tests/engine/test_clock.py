"""Time management: a share of the clock for each move, and soft limits that the search keeps."""

from __future__ import annotations

import pytest

from crownhead import Game, Position
from crownhead.engine import Engine
from crownhead.engine.clock import Allowance, Clock


def test_a_move_takes_a_share_of_the_clock() -> None:
    share = Clock(60).allowance
    assert 0 < share.soft < share.hard < 60 / 2
    assert Clock(60, increment=5).allowance.soft > share.soft
    assert Clock(60, moves=5).allowance.soft > share.soft
    assert Clock(60, ponders=True).allowance.soft > share.soft
    assert share.at_most(1) == Allowance(1, 1)


@pytest.mark.parametrize("moves", [0, 1, 2, 40])
@pytest.mark.parametrize("increment", [0, 3])
@pytest.mark.parametrize("left", [0.001, 0.2, 10, 3600])
def test_no_move_takes_more_than_is_left(left: float, increment: float, moves: int) -> None:
    allowance = Clock(left, increment, moves).allowance
    assert 0 < allowance.soft <= allowance.hard < left


def test_a_clock_that_runs_low_lasts_for_a_long_game() -> None:
    left = 0.5
    for _ in range(200):
        left -= Clock(left).allowance.hard
    assert left > 0


@pytest.mark.parametrize(
    "wrong", [Clock, lambda left: Clock(1, increment=left), lambda left: Clock(1, moves=left)]
)
def test_a_clock_holds_numbers_from_0(wrong: type[Clock]) -> None:
    for number in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="of at least 0"):
            wrong(number)


def test_a_search_begins_no_iteration_after_its_soft_limit() -> None:
    start = Position.start("american")
    report = Engine(megabytes=1).analyse(start, soft_seconds=0)
    assert report.depth == 1
    with pytest.raises(ValueError, match="soft_seconds"):
        Engine(megabytes=1).analyse(start, soft_seconds=-1)


def test_a_game_is_played_by_the_clock() -> None:
    engine = Engine("russian", megabytes=1)
    game = Game("russian")
    for _ in range(6):
        game.push(engine.play(game, clock=Clock(0.1)))
    assert len(game.moves) == 6
