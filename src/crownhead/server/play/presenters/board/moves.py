"""Moves on a board: which are legal, what they do to the pieces, and how the element follows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import crownhead
from crownhead import VARIANTS, Colour, Move, Piece, PieceKind, Position, Variant
from crownhead.rules.geometry import is_crown_square, squares
from crownhead.rules.schema import Promotion, Removal
from crownhead.server.core.problems import MAX_MOVES, TooManyMoves
from crownhead.server.play.presenters.board.routes import all_routes
from crownhead.server.play.presenters.board.touch import Path, Touch, touch
from crownhead.server.play.presenters.board.words import move_sentence, takes_itself_off

# As `board/position.js` reads the kinds of pieces.
LETTERS = {
    PieceKind.MAN: "M",
    PieceKind.KING: "K",
    PieceKind.MULE: "U",
    PieceKind.PARACHUTIST: "P",
}
_PIECES = {(colour, kind): Piece(colour, kind) for colour in Colour for kind in PieceKind}


@dataclass(frozen=True, slots=True)
class Placement:
    """What stands where, what has just been taken, and by which move."""

    pieces: Mapping[int, Piece]
    ghosts: Mapping[int, Piece] = field(default_factory=dict)
    last: Move | None = None

    def along(self, move: Move, path: Path, variant: Variant) -> Placement:
        """With the moving piece on its way along ``path``.

        What it has taken stands there as a ghost where the law leaves it on the board until the move is over.
        """
        if len(path) < 2:
            return Placement(self.pieces, {}, self.last)
        taken = {square: self.pieces[square] for square in move.captures[: len(path) - 1]}
        pieces = {square: piece for square, piece in self.pieces.items() if square not in taken}
        if not takes_itself_off(move):
            piece = pieces.pop(path[0])
            pieces[path[-1]] = replace(piece, kind=kinds_along(move, piece, variant)[len(path) - 1])
        return Placement(pieces, taken if taken_pieces_stay(variant) else {}, move)


def legal_moves(position: Position) -> Mapping[Move, str]:
    """The legal moves with their notation, ascending by path; raises ``TooManyMoves``."""
    moves = position.notations()
    if len(moves) > MAX_MOVES:
        raise TooManyMoves
    return moves


def touched(position: Position, path: Path = ()) -> Touch:
    """The board of a position on which squares were touched; raises ``TooManyMoves``."""
    moves = legal_moves(position)
    return touch(moves, path, routes_of(position, moves))


def routes_of(position: Position, moves: Mapping[Move, str]) -> tuple[Move, ...]:
    """Every route of the legal moves, see ``all_routes``; only captures of several pieces have others."""
    if any(len(move.captures) > 1 for move in moves):
        return all_routes(position, moves)
    return tuple(moves)


def legal_data(position: Position, moves: Mapping[Move, str], routes: Iterable[Move]) -> list[dict[str, Any]]:
    """The legal moves as the element follows them: a row for each route, with the notation of its move."""
    return [{**move_data(route, position), "notation": moves[route]} for route in routes]


def move_data(move: Move, before: Position) -> dict[str, Any]:
    """A move as the element follows it; ``kinds``: as what the piece stands on each square of the path."""
    return _move_data(move, _piece_on(move.path[0], before), before.variant)


def move_list_data(record: crownhead.Game) -> str:
    """The moves so far as the element steps through them, see ``parseRecord`` in ``board/data.js``.

    Of each, what the piece is unless a man, its path, and after ``x`` what it takes: ``11-15``, ``K5-32x27``;
    where the piece changes, what it is on each square of the path: ``MK5-1``.
    """
    variant = record.variant
    is_listed = VARIANTS.get(variant.key) is variant
    moves: list[str] = []
    for before, move in zip(record.positions, record.moves, strict=False):
        piece = _piece_on(move.path[0], before)
        if is_listed:
            moves.append(_cached_text(move, move.path, move.captures, piece, variant.key))
        else:
            moves.append(_move_text(move, piece, variant))
    return " ".join(moves)


def last_move_sentence(record: crownhead.Game) -> str:
    """What the last move did; empty at the start."""
    if not record.moves:
        return ""
    variant, colour = record.variant, record.positions[-2].turn
    return move_sentence(variant=variant, colour=colour, move=record.moves[-1], names=square_names(variant))


def barred_king(position: Position) -> int:
    """The king that may not step again before another piece has moved; 0 where none is barred."""
    run, most = position.king_runs.get(position.turn), position.variant.rules.king_run
    return run.square if run and run.steps >= most else 0


def taken_pieces_stay(variant: Variant) -> bool:
    """Pieces taken stand in the way until the move is over."""
    return variant.rules.removal is Removal.AFTER_MOVE


def kinds_along(move: Move, piece: Piece, variant: Variant) -> tuple[PieceKind, ...]:
    """What a piece is on each square of the path of its move."""
    steps = len(move.path)
    if not move.crowns:
        # A parachutist is a man from its one capture on.
        after = PieceKind.MAN if piece.kind is PieceKind.PARACHUTIST else piece.kind
        return (piece.kind, *(after,) * (steps - 1))
    crowned = steps - 1
    if variant.rules.promotion is Promotion.CONTINUE:
        places = squares(variant.board, variant.notation)
        crowned = next(
            (
                at
                for at, square in enumerate(move.path)
                if at and is_crown_square(variant.board, variant.rules, piece.colour, places[square])
            ),
            crowned,
        )
    return (piece.kind,) * crowned + (PieceKind.KING,) * (steps - crowned)


def crowned_under_way(variant: Variant) -> dict[str, list[int]]:
    """By side, where a man is crowned amid its move and goes on as a king; empty where none does."""
    if variant.rules.promotion is not Promotion.CONTINUE:
        return {}
    places = squares(variant.board, variant.notation).items()
    return {
        colour.value: [
            at for at, place in places if is_crown_square(variant.board, variant.rules, colour, place)
        ]
        for colour in Colour
    }


def square_names(variant: Variant) -> dict[int, str]:
    """What each square is called, by its number."""
    return {square.number: square.name for square in squares(variant.board, variant.notation).values()}


@lru_cache(maxsize=8192)
def _cached_text(move: Move, _path: Path, _captures: Path, piece: Piece, key: str) -> str:
    """Most moves of a game are made in many games; moves are equal whatever the order of their path."""
    return _move_text(move, piece, VARIANTS[key])


def _piece_on(square: int, position: Position) -> Piece:
    """A piece of the side to move; all pieces of the position are not put together for it."""
    black, turn = position.black_to_move, position.turn
    if square in (position.black_men if black else position.white_men):
        return _PIECES[turn, PieceKind.MAN]
    if square in (position.black_kings if black else position.white_kings):
        return _PIECES[turn, PieceKind.KING]
    return position.pieces[square]


def _move_data(move: Move, piece: Piece, variant: Variant) -> dict[str, Any]:
    return {"path": move.path, "captures": move.captures, "kinds": _letters(move, piece, variant)}


def _move_text(move: Move, piece: Piece, variant: Variant) -> str:
    kinds = _letters(move, piece, variant)
    if len(set(kinds)) == 1:
        kinds = kinds[0].replace(LETTERS[PieceKind.MAN], "")
    captures = f"x{','.join(map(str, move.captures))}" if move.captures else ""
    return f"{kinds}{'-'.join(map(str, move.path))}{captures}"


def _letters(move: Move, piece: Piece, variant: Variant) -> str:
    return "".join(LETTERS[kind] for kind in kinds_along(move, piece, variant))
