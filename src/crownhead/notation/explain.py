"""Explaining why a move is illegal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from crownhead._kernel import Move
from crownhead.rules.position import Position

_MOST_NAMED = 6  # maximum number of squares listed


def why_illegal(position: Position, path: Sequence[int], names: Mapping[int, str]) -> str:
    """Return why no legal move matches ``path``.

    ``names`` are the names of the squares.
    """
    legal = position.legal_moves()
    if not legal:
        return "the game is over"
    return _wrong_squares(position, path, names) or _wrong_move(path, legal, names)


def _wrong_squares(position: Position, path: Sequence[int], names: Mapping[int, str]) -> str:
    if any(number not in names for number in path):
        return f"there is no such square; squares go from {names[1]} to {names[len(names)]}"
    origin = position.pieces.get(path[0])
    if origin is None:
        return f"there is no piece on {names[path[0]]}"
    if origin.colour is not position.turn:
        return f"the piece on {names[path[0]]} is {origin.colour}, but it is {position.turn}'s turn"
    return ""


def _wrong_move(path: Sequence[int], legal: Sequence[Move], names: Mapping[int, str]) -> str:
    own = [move for move in legal if move.origin == path[0]]
    origin = names[path[0]]
    if legal[0].captures[:1] == (legal[0].origin,):
        return f"one of your own pieces must be removed: {_named((move.origin for move in legal), names)}"
    must_jump = bool(legal[0].captures)
    if not own:
        if must_jump:
            return f"a jump is compulsory, from {_named((move.origin for move in legal), names)}"
        return f"the piece on {origin} cannot move"
    longer = [move for move in own if _goes_on(move, path)]
    if longer:
        return f"the jump must continue to {_named((move.target for move in longer), names)}"
    if all(move.target != path[-1] for move in own):
        verb = "must jump to" if must_jump else "can move to"
        return f"the piece on {origin} {verb} {_named((move.target for move in own), names)}"
    return f"no move from {origin} to {names[path[-1]]} passes these squares"


def _goes_on(move: Move, path: Sequence[int]) -> bool:
    return len(move.path) > len(path) and list(move.path[: len(path)]) == list(path)


def _named(numbers: Iterable[int], names: Mapping[int, str]) -> str:
    ordered = [names[number] for number in dict.fromkeys(numbers)]
    listed, last = ordered[: _MOST_NAMED - 1], ordered[_MOST_NAMED - 1 :]
    if len(last) > 1:
        return ", ".join(listed) + " …"
    ordered = listed + last
    return " or ".join(part for part in (", ".join(ordered[:-1]), ordered[-1]) if part)
