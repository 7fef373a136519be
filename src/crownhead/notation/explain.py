"""Why a move is not legal, in a sentence for the person who tried it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from crownhead._kernel import Move
from crownhead.rules.position import Position

_MOST_NAMED = 6  # squares listed before "…"


def why_illegal(position: Position, path: Sequence[int], names: Mapping[int, str]) -> str:
    """The first thing wrong with moving along ``path``; to be asked only where no move fits it.

    ``names`` tells what each square is called.
    """
    legal = position.legal_moves()
    if not legal:
        return "the game is over"
    return _wrong_squares(position, path, names) or _wrong_move(path, legal, names)


def _wrong_squares(position: Position, path: Sequence[int], names: Mapping[int, str]) -> str:
    if any(number not in names for number in path):
        return f"it names a square that is not played on, as {names[1]} and {names[len(names)]} are"
    origin = position.pieces.get(path[0])
    if origin is None:
        return f"there is no piece on {names[path[0]]}"
    if origin.colour is not position.turn:
        return f"the piece on {names[path[0]]} is {origin.colour}, it is for {position.turn} to move"
    return ""


def _wrong_move(path: Sequence[int], legal: Sequence[Move], names: Mapping[int, str]) -> str:
    own = [move for move in legal if move.origin == path[0]]
    origin = names[path[0]]
    if legal[0].captures[:1] == (legal[0].origin,):
        return f"a piece is to be taken off, {_named((move.origin for move in legal), names)}"
    must_jump = bool(legal[0].captures)
    if not own:
        if must_jump:
            return f"a jump is compulsory, with {_named((move.origin for move in legal), names)}"
        return f"the piece on {origin} cannot move"
    longer = [move for move in own if _goes_on(move, path)]
    if longer:
        return f"the jump must go on to {_named((move.target for move in longer), names)}"
    if all(move.target != path[-1] for move in own):
        verb = "must jump to" if must_jump else "can move to"
        return f"the piece on {origin} {verb} {_named((move.target for move in own), names)}"
    return f"no way from {origin} to {names[path[-1]]} passes the squares between"


def _goes_on(move: Move, path: Sequence[int]) -> bool:
    return len(move.path) > len(path) and list(move.path[: len(path)]) == list(path)


def _named(numbers: Iterable[int], names: Mapping[int, str]) -> str:
    ordered = [names[number] for number in dict.fromkeys(numbers)]
    listed, last = ordered[: _MOST_NAMED - 1], ordered[_MOST_NAMED - 1 :]
    if len(last) > 1:
        return ", ".join(listed) + " …"
    ordered = listed + last
    return " or ".join(part for part in (", ".join(ordered[:-1]), ordered[-1]) if part)
