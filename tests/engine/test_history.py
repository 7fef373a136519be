"""The history of a position: repetitions by the letter of the draw rules, or each one a draw."""

from __future__ import annotations

import pytest

from crownhead import Game
from crownhead.engine import Engine, Report

SHUFFLED = ("32-28", "1-5", "28-32", "5-1")  # three kings that win, and go to and fro instead


def report(plies: int, *, draw_rules: str = "official", to_the_letter: bool = True) -> Report:
    game = Game("american", start="W:WK18,K19,K32:BK1", draw_rules=draw_rules)
    for ply in range(plies):
        game.push(SHUFFLED[ply % 4])
    return Engine("american", megabytes=1).analyse(game, nodes=20_000, to_the_letter=to_the_letter)


def value(found: Report) -> int:
    assert found.score is not None
    return found.score.value


def test_a_position_that_comes_a_second_time_is_no_draw_yet() -> None:
    assert value(report(3)) < -29_000
    assert value(report(3, to_the_letter=False)) == 0


def test_a_position_that_comes_a_third_time_is_one() -> None:
    assert value(report(7)) == 0


@pytest.mark.parametrize("plies", [3, 7, 11])
def test_where_no_rule_counts_repetitions_none_is_a_draw(plies: int) -> None:
    assert value(report(plies, draw_rules="none")) < -29_000


def test_the_counter_of_moves_continues_from_the_game() -> None:
    assert value(report(0)) > 29_000
    # Eight plies before the fortieth move of each, a win in thirteen is none.
    assert value(report(72)) < 29_000
    assert not report(72).proven
    assert value(report(80)) == 0
