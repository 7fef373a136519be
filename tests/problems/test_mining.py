"""Problems are found in games, judged twice, and solved against the best defence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crownhead import Game, Position
from crownhead.engine import Engine
from crownhead.problems.games import Origin, engine_games, recorded
from crownhead.problems.judging import Judge
from crownhead.problems.mining import Effort, is_confirmed, mine, problem_of
from crownhead.problems.problem import Evidence, Goal, ProblemTheme

# Beginner's Problem #3: White gives a man and takes three.
SHOT = "W:W19,24,32:B10,11,18"
EFFORT = Effort(brief=2_000, judged=5_000, followed=5_000)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine("american", megabytes=4)


def test_a_composed_position_is_a_problem_with_its_solution(engine: Engine) -> None:
    found = problem_of(Judge(engine), Position.from_fen(SHOT), "a book", nodes=5_000, followed=5_000)
    assert found is not None
    assert found.line == ("19-16", "11x20x27", "32x23x14x7")
    assert (found.goal, found.proof.evidence) == (Goal.WIN, Evidence.FORCED)
    assert ProblemTheme.SHOT in found.themes
    assert found.source == "a book"
    assert found.positions()[-1].outcome() is not None


def test_a_position_with_two_good_moves_is_none(engine: Engine) -> None:
    two_kings = Position.from_fen("W:WK14,K15:B1")
    assert problem_of(Judge(engine), two_kings, "", nodes=5_000, followed=5_000) is None
    assert problem_of(Judge(engine), Position.start(), "", nodes=5_000, followed=5_000) is None


def test_a_forced_capture_is_none(engine: Engine) -> None:
    forced = Position.from_fen("W:W22:B18,1")
    assert len(forced.legal_moves()) == 1
    assert problem_of(Judge(engine), forced, "", nodes=5_000, followed=5_000) is None


def test_the_same_games_give_the_same_problems_each_confirmed(engine: Engine) -> None:
    games = list(engine_games(engine, count=8, level=4, seed=21))
    found = list(mine(engine, games, EFFORT))
    assert found
    assert list(mine(engine, games, EFFORT)) == found
    assert len({problem.key for problem in found}) == len(found)
    for problem in found:
        assert problem.source.startswith("engine game, level 4, seed ")
        assert is_confirmed(Judge(engine), problem, nodes=problem.proof.checked)


def test_a_wrong_solution_is_refuted(engine: Engine) -> None:
    judge = Judge(engine)
    found = problem_of(judge, Position.from_fen(SHOT), "", nodes=5_000, followed=5_000)
    assert found is not None
    assert is_confirmed(judge, found, nodes=20_000)
    assert not is_confirmed(judge, replace(found, line=("19-15",)), nodes=20_000)
    assert not is_confirmed(judge, replace(found, goal=Goal.HOLD), nodes=20_000)


def test_a_game_gives_few_problems_and_none_at_its_start(engine: Engine) -> None:
    games = list(engine_games(engine, count=8, level=4, seed=21))
    assert not list(mine(engine, games, replace(EFFORT, skipped=500)))
    one = list(mine(engine, games, replace(EFFORT, most_in_game=1)))
    assert len({problem.source.split(",")[2] for problem in one}) == len(one)


def test_engine_games_follow_from_their_seed(engine: Engine) -> None:
    first, again, other = (next(engine_games(engine, count=1, level=2, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first.positions != other.positions


def test_a_game_on_record_is_called_by_its_tags() -> None:
    game = Game("american", opening=("11-15", "23-19"))
    assert recorded(game) == Origin("a game", game.positions)
    game.tags |= {"Event": "Manchester", "Black": "Moorhead", "White": "Wyllie", "Date": "1841"}
    assert recorded(game).name == "Manchester, Moorhead – Wyllie"
    assert not recorded(game).is_set_up
    assert Origin("a book", (Position.from_fen(SHOT),)).is_set_up
