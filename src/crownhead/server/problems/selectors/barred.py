"""The problems that a player's running games bar: their solutions would tell moves of those games."""

from __future__ import annotations

from crownhead.problems.problem import Problem
from crownhead.rules.lookup import variant_of
from crownhead.server.analysis.access import OwnGames, Requester


class BarredProblems:
    """The problems with a position like one of a running game; none for somebody who plays no game."""

    def __init__(self, player: Requester) -> None:
        self._own = OwnGames(player)
        self._known: dict[str, bool] = {}

    def __contains__(self, problem: Problem) -> bool:
        if problem.key not in self._known:
            self._known[problem.key] = self._is_barred(problem)
        return self._known[problem.key]

    def _is_barred(self, problem: Problem) -> bool:
        if not self._own.are_there(variant_of(problem.variant)):
            return False
        return any(self._own.like(position) is not None for position in problem.positions()[:-1])
