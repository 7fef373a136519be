"""Legal moves, their identities and their routes, and the arrangement that each leads to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from crownhead.rules.schema import PieceKind
from tests.reference.board import Arrangement, Cell, Piece, cell_of, is_crowning_cell, number_of
from tests.reference.board import Identity as BoardIdentity
from tests.reference.captures import PATIENCE, Capture, captures
from tests.reference.endings import is_decided_by_pieces
from tests.reference.jumping import is_opening, removals, straight_jumps
from tests.reference.priorities import strongest
from tests.reference.runs import runs_after
from tests.reference.steps import steps


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


def legal_moves(arrangement: Arrangement, *, patience: int = PATIENCE, every_route: bool = True) -> Moves:
    """The legal moves, with all their routes or some; none where the pieces alone decide the game."""
    if is_decided_by_pieces(arrangement):
        return {}
    own = [cell for cell, _ in arrangement.of(arrangement.turn)]
    if arrangement.variant.rules.jumps_only:
        return _only_jumps(arrangement, own)
    found = [
        capture
        for cell in own
        for capture in captures(arrangement, cell, patience=patience, every_route=every_route)
    ]
    if found:
        return _with_routes(arrangement, strongest(arrangement, found))
    return _only_steps(arrangement, own)


def play(arrangement: Arrangement, move: Identity) -> Arrangement:
    """The arrangement after a legal move."""
    variant = arrangement.variant
    origin, target = cell_of(variant, move.origin), cell_of(variant, move.target)
    taken = {cell_of(variant, number) for number in move.captures}
    pieces = {cell: piece for cell, piece in arrangement.pieces.items() if cell not in {origin, *taken}}
    # A piece that its own side takes off is gone; another may rest where one that it took has stood.
    if origin not in taken:
        pieces[target] = _moved(arrangement.pieces[origin], move)
    after = replace(arrangement, turn=arrangement.turn.opponent, pieces=pieces)
    return replace(after, runs=runs_after(arrangement, after, None if move.captures else (origin, target)))


def perft(arrangement: Arrangement, depth: int, *, patience: int = PATIENCE) -> int:
    """The number of lines of play of ``depth`` plies; raises ``TooSlow``."""
    return _perft(arrangement, depth, patience, {})


def _perft(
    arrangement: Arrangement, depth: int, patience: int, known: dict[tuple[BoardIdentity, int], int]
) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return len(legal_moves(arrangement, patience=patience, every_route=False))
    key = arrangement.identity(), depth
    if key not in known:
        moves = legal_moves(arrangement, patience=patience, every_route=False)
        following = (play(arrangement, move) for move in moves)
        known[key] = sum(_perft(after, depth - 1, patience, known) for after in following)
    return known[key]


def _only_jumps(arrangement: Arrangement, own: list[Cell]) -> Moves:
    if not is_opening(arrangement):
        return _with_routes(arrangement, [jump for cell in own for jump in straight_jumps(arrangement, cell)])
    numbers = [number_of(arrangement.variant, cell) for cell in removals(arrangement)]
    return {Identity(n, n, frozenset({n}), False): [Route((n, n), (n,))] for n in numbers}


def _only_steps(arrangement: Arrangement, own: list[Cell]) -> Moves:
    moves: Moves = {}
    for origin in own:
        colour, kind = arrangement.pieces[origin]
        for target in steps(arrangement, origin):
            crowned = kind is PieceKind.MAN and is_crowning_cell(arrangement.variant, colour, target)
            path = number_of(arrangement.variant, origin), number_of(arrangement.variant, target)
            moves[Identity(*path, frozenset(), crowned)] = [Route(path, ())]
    return moves


def _with_routes(arrangement: Arrangement, found: Sequence[Capture]) -> Moves:
    moves: Moves = {}
    for capture in found:
        path = tuple(number_of(arrangement.variant, cell) for cell in (capture.origin, *capture.landings))
        taken = tuple(number_of(arrangement.variant, cell) for cell in capture.taken)
        identity = Identity(path[0], path[-1], frozenset(taken), capture.crowned)
        moves.setdefault(identity, []).append(Route(path, taken))
    return moves


def _moved(piece: Piece, move: Identity) -> Piece:
    """The piece as it stands after its move: what has landed by parachute is a man."""
    if move.crowned:
        return Piece(piece.colour, PieceKind.KING)
    return Piece(piece.colour, PieceKind.MAN) if piece.kind is PieceKind.PARACHUTIST else piece
