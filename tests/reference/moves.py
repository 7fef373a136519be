"""Legal moves, their identities and their routes, and the arrangement that each leads to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from crownhead.rules.schema import PieceKind
from tests.reference.board import (
    DIAGONALS,
    Arrangement,
    Cell,
    Piece,
    cell_of,
    forward,
    is_far_row,
    number_of,
)
from tests.reference.captures import Capture, captures
from tests.reference.endings import is_decided_by_pieces
from tests.reference.priorities import strongest


class Identity(NamedTuple):
    """What makes a move the same move: square numbers, whatever the route."""

    origin: int
    target: int
    captures: frozenset[int]
    crowned: bool


class Route(NamedTuple):
    """One way to carry a move out: the squares stood on, origin and target included, and the pieces taken."""

    path: tuple[int, ...]
    taken: tuple[int, ...]


Moves = dict[Identity, list[Route]]


def legal_moves(arrangement: Arrangement) -> Moves:
    """The legal moves with all their routes; none where the pieces alone decide the game."""
    if is_decided_by_pieces(arrangement):
        return {}
    own = [cell for cell, _ in arrangement.of(arrangement.turn)]
    found = [capture for cell in own for capture in captures(arrangement, cell)]
    if not found:
        return {identity: [route] for cell in own for identity, route in _steps(arrangement, cell)}
    moves: Moves = {}
    for capture in strongest(arrangement, found):
        identity, route = _named(arrangement, capture)
        moves.setdefault(identity, []).append(route)
    return moves


def play(arrangement: Arrangement, move: Identity) -> Arrangement:
    """The arrangement after a legal move."""
    variant = arrangement.variant
    pieces = dict(arrangement.pieces)
    piece = pieces.pop(cell_of(variant, move.origin))
    for number in move.captures:
        del pieces[cell_of(variant, number)]
    kind = PieceKind.KING if move.crowned else piece.kind
    pieces[cell_of(variant, move.target)] = Piece(piece.colour, kind)
    return replace(arrangement, turn=arrangement.turn.opponent, pieces=pieces)


def perft(arrangement: Arrangement, depth: int) -> int:
    """The number of lines of play of ``depth`` plies."""
    if depth == 0:
        return 1
    return sum(perft(play(arrangement, move), depth - 1) for move in legal_moves(arrangement))


def _steps(arrangement: Arrangement, origin: Cell) -> Iterator[tuple[Identity, Route]]:
    variant, piece = arrangement.variant, arrangement.pieces[origin]
    is_king = piece.kind is PieceKind.KING
    for file_step, rank_step in DIAGONALS:
        if not is_king and rank_step != forward(piece.colour):
            continue
        target = (origin[0] + file_step, origin[1] + rank_step)
        while arrangement.is_empty(target):
            crowned = piece.kind is PieceKind.MAN and is_far_row(variant, piece.colour, target)
            path = (number_of(variant, origin), number_of(variant, target))
            yield Identity(*path, frozenset(), crowned), Route(path, ())
            if not (is_king and variant.rules.flying_king):
                break
            target = (target[0] + file_step, target[1] + rank_step)


def _named(arrangement: Arrangement, capture: Capture) -> tuple[Identity, Route]:
    path = tuple(number_of(arrangement.variant, cell) for cell in (capture.origin, *capture.landings))
    taken = tuple(number_of(arrangement.variant, cell) for cell in capture.taken)
    return Identity(path[0], path[-1], frozenset(taken), capture.crowned), Route(path, taken)
