"""Retrograde analysis at its simplest: all positions of a material, by the moves of ``Position`` alone.

All arrangements of the pieces, and the positions of other materials that they lead to. Each pass goes over
all positions without a value, until a pass finds none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from crownhead import VARIANTS, Position
from crownhead.rules.errors import IllegalPosition
from crownhead.rules.schema import Colour, PieceKind
from crownhead.rules.setup import Piece, Setup

Value = tuple[int, int]  # 1 won, 0 drawn, -1 lost; plies
Values = Mapping[Position, Value]
_LETTERS = {"k": PieceKind.KING, "m": PieceKind.MAN}


def values(variant: str, material: str) -> Values:
    """The values of the positions of a material, such as ``km-k``, and of all they lead to.

    Black has the pieces named first, and either side is to move.
    """
    todo = list(_positions(variant, material))
    successors: dict[Position, tuple[Position, ...]] = {}
    known: dict[Position, Value] = {}
    while todo:
        position = todo.pop()
        if position in successors or position in known:
            continue
        outcome = position.outcome()
        if outcome is not None:
            known[position] = (1 if outcome.winner is position.turn else -1, 0)
            continue
        successors[position] = tuple(position.play(move) for move in position.legal_moves())
        todo += successors[position]
    _settle(successors, known)
    return known | {position: (0, 0) for position in successors if position not in known}


def _settle(successors: Mapping[Position, tuple[Position, ...]], known: dict[Position, Value]) -> None:
    plies, left = 1, set(successors)
    while True:
        found: dict[Position, Value] = {}
        for position in left:
            answers = [known.get(child) for child in successors[position]]
            if any(answer == (-1, plies - 1) for answer in answers):
                found[position] = (1, plies)
            elif all(answer is not None and answer[0] == 1 for answer in answers):
                found[position] = (-1, plies)
        if not found and plies > max((distance for _, distance in known.values()), default=0) + 1:
            return
        known |= found
        left -= set(found)
        plies += 1


def _positions(variant: str, material: str) -> Iterator[Position]:
    squares = range(1, VARIANTS[variant].board.squares + 1)
    marked = VARIANTS[variant].rules.marked
    kinds = _LETTERS | ({} if marked is None else {"x": marked})
    forces = material.split("-")
    pieces = [
        Piece(colour, kinds[letter])
        for colour, force in zip((Colour.BLACK, Colour.WHITE), forces, strict=True)
        for letter in force
    ]
    seen = set()
    for chosen in combinations(squares, len(pieces)):
        for places, turn in product(_orders(chosen), Colour):
            try:
                position = Position.from_setup(Setup(variant, turn, dict(zip(places, pieces, strict=True))))
            except IllegalPosition:
                continue
            if position not in seen:
                seen.add(position)
                yield position


def _orders(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(chosen) == 1:
        yield chosen
        return
    for at, square in enumerate(chosen):
        for rest in _orders(chosen[:at] + chosen[at + 1 :]):
            yield (square, *rest)
