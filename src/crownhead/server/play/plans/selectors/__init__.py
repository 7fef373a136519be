"""Conditional moves: what a player has planned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crownhead import Position
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.play.games.selectors.replay import shown_replay
from crownhead.server.play.models import Game, Plan, Seat

MAX_LINES, LONGEST_LINE = 40, 41  # lines, moves
MAX_MOVES = 200  # of all lines together: each is played, and written, whenever the plan is read

Plans = Mapping[Seat, Plan]  # of those players who have any
Tree = dict[str, dict[str, Any]]  # their move → {"answer": mine, "then": Tree}
_PLANS = Prepared(lambda game_id: Plan.objects.filter(game_id=game_id), game_id=int)


@dataclass(frozen=True, slots=True)
class PlanInfo:
    """A plan as its owner sees it; ``ply``: how many moves had been made where its lines begin."""

    version: int
    ply: int
    lines: tuple[tuple[str, ...], ...]


def plan_info(game: Game, seat: Seat) -> PlanInfo:
    """The plan of the player on that seat; only they may see it."""
    plan = plan_of(game, seat)
    replay = shown_replay(game)
    if plan is None or not plan.tree:
        return PlanInfo(plan.version if plan else 0, len(replay.moves), ())
    start, lines = replay.positions[plan.ply], _lines(plan.tree)
    if plan.own:
        lines = ((mine, *line) for mine, tree in plan.tree.items() for line in _lines(tree))
    return PlanInfo(plan.version, plan.ply, tuple(tuple(_notations(start, line)) for line in lines))


def plans_of(game: Game) -> Plans:
    """Both plans of a locked game, for what follows."""
    return {Seat(plan.seat): plan for plan in _PLANS.rows(game_id=game.pk)}


def plan_of(game: Game, seat: Seat) -> Plan | None:
    """The plan of one player, if there is any."""
    return plans_of(game).get(seat)


def _lines(tree: Tree) -> Iterator[tuple[str, ...]]:
    """Each way through the tree, in the order in which they were added."""
    for theirs, branch in tree.items():
        rest = list(_lines(branch["then"])) or [()]
        yield from ((theirs, branch["answer"], *line) for line in rest)


def _notations(start: Position, line: Sequence[str]) -> Iterator[str]:
    position = start
    for token in line:
        move = position.parse(token)
        yield position.notation(move)
        position = position.play(move)
