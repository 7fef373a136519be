"""Problems of the package that the tests solve, and windows to solve them in."""

from __future__ import annotations

import pytest

from crownhead.problems.collection import shipped
from crownhead.problems.problem import Problem
from tests.server.pages.conftest import the_clock_stands_still, window

__all__ = ["the_clock_stands_still", "window"]


@pytest.fixture
def problem() -> Problem:
    """One whose solution is two moves of the solver, with one of the defence between them."""
    return next(one for one in shipped().values() if len(one.line) == 3)


@pytest.fixture
def wrong_move(problem: Problem) -> str:
    """A legal move that is not the solution."""
    return wrong_move_of(problem)


def wrong_move_of(problem: Problem) -> str:
    """A legal move that is not the first of the solution."""
    position = problem.position()
    solution = position.parse(problem.line[0])
    return next(text for move, text in position.notations().items() if move != solution)
