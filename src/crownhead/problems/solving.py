"""The solution of a problem: the solver's only moves, each against the best defence."""

from __future__ import annotations

from dataclasses import dataclass

from crownhead.problems.judging import LENIENT, Judge
from crownhead.rules import Move, Position

_MAX_PLIES = 15


@dataclass(frozen=True, slots=True)
class Solution:
    """Moves of the solver and the defence in turn, and the position before each and after the last."""

    moves: tuple[Move, ...]
    positions: tuple[Position, ...]


def solution_of(judge: Judge, position: Position, first: Move, *, nodes: int) -> Solution:
    """Play a problem on from its first move, for as long as one move alone does for the solver.

    Moves that are forced belong to it. It ends where the game does, where the solver has a choice, or after
    fifteen plies. ``nodes`` bounds the search for each move.
    """
    moves, positions = [first], [position, position.play(first)]
    while len(moves) < _MAX_PLIES and positions[-1].outcome() is None:
        answer = judge.defence(positions[-1], nodes=nodes)
        if answer is None:
            break
        after = positions[-1].play(answer)
        following = _only_move(judge, after, nodes)
        if following is None:
            break
        moves += (answer, following)
        positions += (after, after.play(following))
    return Solution(tuple(moves), tuple(positions))


def _only_move(judge: Judge, position: Position, nodes: int) -> Move | None:
    legal = position.legal_moves()
    if len(legal) == 1:
        return legal[0]
    found = judge.judge(position, nodes=nodes, margins=LENIENT)
    return None if found is None else found.move
