"""Which problems somebody may see: none of a position like one of their running games."""

from __future__ import annotations

from crownhead.problems.problem import Problem
from crownhead.server.analysis.access import Requester, expect_no_own_game_along
from crownhead.server.problems import selectors


def access_problem(*, player: Requester, key: str) -> Problem:
    """A problem; raises ``NotFound`` and ``OwnGameInProgress``.

    ``player``: the member, or the guest who plays in the browser.
    """
    problem = selectors.problem_by_key(key)
    expect_may_see(player=player, problem=problem)
    return problem


def expect_may_see(*, player: Requester, problem: Problem) -> None:
    """Raise ``OwnGameInProgress`` if the player plays a position of the solution, or one like it.

    That one move alone wins is already help, so that the problem is not shown at all.
    """
    expect_no_own_game_along(user=player, positions=problem.positions()[:-1])
