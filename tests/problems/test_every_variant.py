"""Each variant has problems that its own rules, and those of a browser, understand."""

from __future__ import annotations

from collections import defaultdict

import pytest

from crownhead import VARIANTS
from crownhead.engine.browser import row as browser_row
from crownhead.problems.collection import shipped
from crownhead.problems.problem import Goal, Problem
from crownhead.rules.schema import Objective
from tests.wasm.asking import answer

FEWEST = 40  # of a variant
IN_A_BROWSER = 3  # of each variant


def by_variant() -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = defaultdict(list)
    for problem in shipped().values():
        found[problem.variant].append(problem)
    return found


def test_every_variant_has_forty_problems() -> None:
    few = {key: len(by_variant()[key]) for key in VARIANTS if len(by_variant()[key]) < FEWEST}
    assert few == {}


def test_a_line_to_the_end_of_the_game_ends_as_its_goal_says() -> None:
    """Also where the side that has lost its pieces has won."""
    ended = 0
    for problem in shipped().values():
        *_, last = problem.positions()
        outcome = last.outcome()
        if outcome is not None:
            ended += 1
            solver = problem.position().turn
            assert problem.goal is Goal.WIN, problem
            assert outcome.winner is solver, problem
    losers = {key for key, row in VARIANTS.items() if row.rules.objective is Objective.MOVER_WINS}
    assert losers <= set(by_variant())
    assert ended > 100


@pytest.mark.slow
def test_browsers_read_each_move_of_a_solution_as_the_kernel_does() -> None:
    cases = [
        (position, text)
        for problems in by_variant().values()
        for problem in problems[:IN_A_BROWSER]
        for position, text in zip(problem.positions(), problem.line, strict=False)
    ]
    question = [
        {"row": browser_row(position.variant), "fen": position.fen(), "texts": [text]}
        for position, text in cases
    ]
    expected = [[[*position.parse(text).path]] for position, text in cases]
    assert answer("texts", question) == expected
