"""The routes of a capture: the ways to take the same pieces and end alike, all of them one move."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, takewhile

from crownhead import Move, Position
from crownhead.notation.moves import find
from crownhead.rules.budget import capture_budget, captures_left
from crownhead.rules.errors import TooManyCaptures
from crownhead.rules.geometry import squares
from crownhead.rules.schema import Board, Landing, Notation, Removal
from crownhead.server.play.presenters.board.touch import Path

MOST = 64
"""Routes of one move that a board offers."""
_JUMPS = 500
"""How many jumps are tried for a position; crafted boards have millions."""
_NODES = 10_000
"""How many nodes the laws may visit for it, see ``capture_budget``."""


def all_routes(position: Position, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Every route of legal moves: each move as it is written, and then, equal to it, its other routes.

    Of crafted boards with very many captures some are left out.
    """
    jumps, left = iter(range(_JUMPS)), captures_left()
    with capture_budget(_NODES if left is None else min(left, _NODES)):
        return tuple(route for move in moves for route in (move, *_others(position, move, jumps)))


def _others(position: Position, move: Move, jumps: Iterator[int]) -> Iterator[Move]:
    """The routes of a move besides the one that it is written by."""
    if len(move.captures) < 2:
        return
    found = (way for way in _jumped(position, move, jumps) if way != (move.path, move.captures))
    try:
        for path, captures in islice((way for way in found if move in find(position, way[0])), MOST - 1):
            yield Move(path, captures, move.crowns)
    except TooManyCaptures:
        deque(jumps, maxlen=0)  # the laws have no patience for other moves, either


def _jumped(position: Position, move: Move, jumps: Iterator[int]) -> Iterator[tuple[Path, Path]]:
    """Lines of jumps over the pieces that a move takes, to its end; the laws may forbid some."""
    rules = position.variant.rules
    standing = frozenset(position.pieces) - {move.origin}
    lines = _lines(position.variant.board, position.variant.notation)
    far = None if rules.flying_king and rules.landing is not Landing.BEHIND else 1
    dead: set[tuple[int, frozenset[int]]] = set()

    def onward(path: Path, taken: Path) -> Iterator[tuple[Path, Path]]:
        if len(taken) == len(move.captures):
            if path[-1] == move.target:
                yield path, taken
            return
        gone = frozenset(taken)
        if (path[-1], gone) in dead or next(jumps, None) is None:
            return
        found = False
        in_the_way = standing if rules.removal is Removal.AFTER_MOVE else standing - gone
        for line in lines[path[-1]]:
            at = next((at for at, square in enumerate(line) if square in in_the_way), len(line))
            if at == len(line) or line[at] not in move.captures or line[at] in gone:
                continue
            for landing in takewhile(lambda square: square not in in_the_way, line[at + 1 :][:far]):
                for whole in onward((*path, landing), (*taken, line[at])):
                    found = True
                    yield whole
        if not found:
            dead.add((path[-1], gone))

    return onward((move.origin,), ())


@lru_cache(maxsize=64)
def _lines(board: Board, notation: Notation) -> dict[int, tuple[Path, ...]]:
    """From each square, the squares in every direction, the next first."""
    places = {(at.file, at.rank): number for number, at in squares(board, notation).items()}
    reach = range(1, max(board.width, board.height))
    ways = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    lines = {}
    for (file, rank), number in places.items():
        cells = ([(file + x * far, rank + y * far) for far in reach] for x, y in ways)
        lines[number] = tuple(tuple(places[cell] for cell in line if cell in places) for line in cells)
    return lines
