"""Explaining why a move is illegal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from crownhead import _kernel
from crownhead._kernel import Move
from crownhead.rules.errors import TooManyCaptures
from crownhead.rules.position import Position
from crownhead.rules.schema import Priority, Variant

_MAX_NAMED = 6  # maximum number of squares listed
_PRIORITIES = {
    Priority.MAX_PIECES: "the capture that takes the most pieces",
    Priority.MAX_VALUE: "the most valuable capture",
    Priority.WITH_KING: "the capture made by a king",
    Priority.MAX_KINGS: "the capture that takes the most kings",
    Priority.KINGS_FIRST: "the capture that takes a king earliest",
}
_OVERRULED = {"must-jump", "jump-to", "no-way"}  # the kinds that a law about captures can be behind


class Reason(NamedTuple):
    """Why a move is illegal: in words, its kind, and the names of the squares it is about.

    The kinds: ``over``, ``no-square`` (first and last square of the board), ``no-piece``, ``not-yours``,
    ``must-remove``, ``must-jump`` (from where), ``cannot-move``, ``jump-on`` (to where), ``jump-to`` and
    ``move-to`` (from where, and to where), ``no-way`` (from where, to where). ``priority``: what decides
    for another capture, where the piece could have captured like that.
    """

    text: str
    kind: str
    squares: tuple[str, ...] = ()
    priority: Priority | None = None


def why_illegal(position: Position, path: Sequence[int], names: Mapping[int, str]) -> Reason:
    """Return why no legal move matches ``path``.

    ``names`` are the names of the squares.
    """
    legal = position.legal_moves()
    if not legal:
        return Reason("the game is over", "over")
    wrong = _wrong_squares(position, path, names)
    if wrong is not None:
        return wrong
    reason = _wrong_move(path, legal, names)
    priority = _overruled_by(position, path) if reason.kind in _OVERRULED else None
    if priority is None:
        return reason
    return reason._replace(text=f"{reason.text}; {_PRIORITIES[priority]} is compulsory", priority=priority)


def _wrong_squares(position: Position, path: Sequence[int], names: Mapping[int, str]) -> Reason | None:
    if any(number not in names for number in path):
        first, last = names[1], names[len(names)]
        return Reason(
            f"there is no such square; squares go from {first} to {last}", "no-square", (first, last)
        )
    piece, origin = position.pieces.get(path[0]), names[path[0]]
    if piece is None:
        return Reason(f"there is no piece on {origin}", "no-piece", (origin,))
    if piece.colour is not position.turn:
        turn = f"the piece on {origin} is {piece.colour}, but it is {position.turn}'s turn"
        return Reason(turn, "not-yours", (origin,))
    return None


def _wrong_move(path: Sequence[int], legal: Sequence[Move], names: Mapping[int, str]) -> Reason:
    own = [move for move in legal if move.origin == path[0]]
    origin, target = names[path[0]], names[path[-1]]
    movers = _listed((move.origin for move in legal), names)
    if legal[0].captures[:1] == (legal[0].origin,):
        removed = f"one of your own pieces must be removed: {_either(movers)}"
        return Reason(removed, "must-remove", movers)
    must_jump = bool(legal[0].captures)
    if not own:
        if must_jump:
            return Reason(f"a jump is compulsory, from {_either(movers)}", "must-jump", movers)
        return Reason(f"the piece on {origin} cannot move", "cannot-move", (origin,))
    longer = [move for move in own if _goes_on(move, path)]
    if longer:
        onward = _listed((move.target for move in longer), names)
        return Reason(f"the jump must continue to {_either(onward)}", "jump-on", onward)
    if all(move.target != path[-1] for move in own):
        verb, kind = ("must jump to", "jump-to") if must_jump else ("can move to", "move-to")
        ends = _listed((move.target for move in own), names)
        return Reason(f"the piece on {origin} {verb} {_either(ends)}", kind, (origin, *ends))
    return Reason(f"no move from {origin} to {target} passes these squares", "no-way", (origin, target))


def _overruled_by(position: Position, path: Sequence[int]) -> Priority | None:
    """The component of the sort key of captures for which a capture along ``path`` is not legal.

    It is legal by the components before that one. None: there is no such capture at all.
    """
    priority = position.variant.rules.priority
    for components in reversed(range(len(priority))):
        wider = Position.from_setup(
            replace(position.setup(), variant=_with_components(position.variant, components))
        )
        try:
            fitting = wider.find(path) if len(path) > 1 else wider.legal_moves()
        except (TooManyCaptures, _kernel.TooManyCaptures):
            return None
        if any(move.captures and move.origin == path[0] for move in fitting):
            return priority[components]
    return None


@lru_cache(maxsize=256)
def _with_components(row: Variant, components: int) -> Variant:
    """A variant by the first components of its sort key alone."""
    return replace(row, rules=replace(row.rules, priority=row.rules.priority[:components]))


def _goes_on(move: Move, path: Sequence[int]) -> bool:
    return len(move.path) > len(path) and list(move.path[: len(path)]) == list(path)


def _listed(numbers: Iterable[int], names: Mapping[int, str]) -> tuple[str, ...]:
    """The names of the squares, each once; where there are too many, an ellipsis stands for the last."""
    named = tuple(names[number] for number in dict.fromkeys(numbers))
    return named if len(named) <= _MAX_NAMED else (*named[: _MAX_NAMED - 1], "…")


def _either(named: Sequence[str]) -> str:
    if named[-1] == "…":
        return f"{', '.join(named[:-1])} …"
    return " or ".join(part for part in (", ".join(named[:-1]), named[-1]) if part)
