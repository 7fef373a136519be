"""What the address of a page asks of its board, and how touching squares picks a legal move.

That is what `moves.js` does, for pages without JavaScript: each touch asks for the squares so far.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.http import QueryDict

from crownhead import Colour, Move

Path = tuple[int, ...]

TABS = ("moves", "chat", "notes", "plan")
_PATH = re.compile(r"\d{1,3}(-\d{1,3}){0,60}")


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """What an address asks of a board: the ply to show, the squares touched, the board turned, the tab.

    ``chat``: which part of the chat, the latest being 0.
    """

    ply: int | None = None
    at: Path = ()
    flip: bool = False
    tab: str = TABS[0]
    chat: int = 0

    @classmethod
    def of(cls, query: QueryDict) -> BoardQuery:
        """Read a query; what makes no sense counts as not asked."""
        ply, at, tab = query.get("ply", ""), query.get("at", ""), query.get("tab", "")
        chat = query.get("chat", "")
        return cls(
            ply=int(ply) if ply.isdecimal() and len(ply) < 6 else None,
            at=tuple(map(int, at.split("-"))) if _PATH.fullmatch(at) else (),
            flip="flip" in query,
            tab=tab if tab in TABS else TABS[0],
            chat=int(chat) if chat.isdecimal() and len(chat) < 3 else 0,
        )

    def query(self, **changes: str | int | None) -> str:
        """The query of a link from here that keeps the board as it is turned."""
        values = {"flip": 1 if self.flip else None, **changes}
        parameters = {name: value for name, value in values.items() if value is not None}
        return f"?{urlencode(parameters)}" if parameters else "?"


@dataclass(frozen=True, slots=True)
class Touch:
    """A move half chosen: the legal moves with their notation, and the squares touched so far.

    These are none, or the path from the origin on. ``routes``: the moves by every way to carry them out, each
    first as it is written; left out, they have no other. What a page asks for each square of its board is
    found out once: a crafted position has hundreds of moves.
    """

    moves: Mapping[Move, str] = field(default_factory=dict)
    path: Path = ()
    routes: Collection[Move] = ()
    targets: Mapping[int, Path] = field(init=False)
    origins: frozenset[int] = field(init=False)
    """The squares of the pieces that can move."""
    under_way: Move | None = field(init=False)
    """A move that the path belongs to, which tells what has been taken so far."""
    chosen: Move | None = field(init=False)
    """The move, once the path has reached its end; there may be longer ones that begin like it."""
    passed: frozenset[int] = field(init=False)
    """The squares that a route of the chosen move goes over."""

    def __post_init__(self) -> None:
        routes = self.routes or tuple(self.moves)
        along = _along(routes, self.path) if self.path else []
        chosen = next((move for move in along if move.path == self.path), None)
        ways = [] if chosen is None else [route for route in routes if route == chosen]
        for name, value in {
            "routes": routes,
            "targets": _targets(along, self.path),
            "origins": frozenset(move.path[0] for move in self.moves),
            "under_way": next(iter(along), None),
            "chosen": chosen,
            "passed": frozenset(square for route in ways for square in route.path[1:]),
        }.items():
            object.__setattr__(self, name, value)

    def first_along(self, path: Path) -> Move | None:
        """A move that a path belongs to, as ``under_way`` is to the squares touched so far."""
        return next((route for route in self.routes if route.path[: len(path)] == path), None)

    @property
    def chosen_text(self) -> str:
        """The notation of the chosen move; empty if there is none."""
        return self.moves[self.chosen] if self.chosen else ""

    def after(self, square: int) -> Path:
        """The path once ``square`` is touched too; empty when that takes everything back.

        A square that the piece has reached already, the last one included, keeps the path.
        """
        if square in self.targets:
            return self.targets[square]
        if square in self.path[1:] or square in self.passed:
            return self.path
        if self.path == (square,) or square not in self.origins:
            return ()
        return self.picked(square)

    def picked(self, square: int) -> Path:
        """The path once the piece on ``square`` is touched: a piece that goes nowhere has moved by that."""
        stays = (square, square)
        return stays if any(move.path == stays for move in self.moves) else (square,)


def bottom_side(bottom: Colour, board_query: BoardQuery) -> Colour:
    """The side at the bottom once the board is turned as was asked."""
    return bottom.opponent if board_query.flip else bottom


def touch(moves: Mapping[Move, str], path: Path, routes: Collection[Move] = ()) -> Touch:
    """The state that a page was asked for; a path that no move follows counts as none."""
    table = Touch(moves, (), routes)
    if len(path) == 1:
        path = table.picked(path[0])
    return Touch(moves, path if _along(table.routes, path) else (), table.routes)


def _along(routes: Collection[Move], path: Path) -> list[Move]:
    return [route for route in routes if route.path[: len(path)] == path]


def _targets(along: Collection[Move], path: Path) -> dict[int, Path]:
    """The next landing squares of the routes along a path, and the last of only one move, with their paths.

    Squares that the piece has reached already are none of the last: touching one keeps the path.
    """
    onward = [route for route in along if len(route.path) > len(path)]
    nexts = dict.fromkeys(route.path[len(path)] for route in onward)
    paths = {square: _carried_on(onward, (*path, square)) for square in nexts}
    ends = Counter(move.target for move in set(onward))
    reached = path[1:] or path
    for route in onward:
        if ends[route.target] == 1 and route.target not in reached:
            paths.setdefault(route.target, route.path)
    return paths


def _carried_on(routes: Collection[Move], touched: Path) -> Path:
    """The path, longer for as long as there is no choice, whole where all routes are of one move.

    It stops before a square that can be chosen again where the choice comes: somebody who touches every
    square of a capture would touch that one too early.
    """
    path = touched
    while True:
        onward = _along(routes, path)
        if len(set(onward)) == 1:
            return onward[0].path
        nexts = {route.path[len(path)] if len(route.path) > len(path) else 0 for route in onward}
        if len(nexts) != 1 or 0 in nexts:
            break
        path = (*path, *nexts)
    again = (at for at in range(len(touched), len(path)) if path[at] in nexts)
    return path[: next(again, len(path))]
