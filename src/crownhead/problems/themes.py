"""What a problem is about, decided by its position and the moves of its solution.

- *shot*: the solver gives at least one piece, and later takes two or more with one move; at the end the other
  side has lost more than the solver. Not where the aim is to lose one's pieces.
- *breakthrough*: a man of the solver is crowned on the way, and was not taken again when the line ends.
- *ending*: at most eight pieces are left.
- *bridge*: a side of American checkers, with at most twelve pieces left on the board, still has both men of
  its bridge, 1 and 3 or 30 and 32, while the other has a king, or a man at most two steps from it. Of the 134
  positions of Boland's collection of bridge endings 127 are of this kind.
- *opposition*: an ending of American checkers with as many pieces on each side, in which nothing is taken or
  crowned and the solver *has the move*: an odd number of pieces, of both sides together, stands in the files
  that begin with a square of the solver's back row. Where the sides only step towards each other, it is then
  the other one that has to give way (the rule of Sturges' *Guide to the Game of Draughts*, 1800).
"""

from __future__ import annotations

from collections.abc import Sequence

from crownhead.problems.problem import ProblemTheme
from crownhead.rules import Move, Position
from crownhead.rules.geometry import squares
from crownhead.rules.schema import Colour, Objective, PieceKind
from crownhead.rules.setup import Piece

_MAX_IN_ENDING = 8
_MAX_AT_BRIDGE = 12
_SEVERAL = 2
_AMERICAN_TYPE = 21  # the PDN GameType of American checkers and of games with its board and numbers
_KINDS = {PieceKind.MAN, PieceKind.KING}
_BRIDGES = {Colour.BLACK: (1, 3), Colour.WHITE: (30, 32)}
_NEAR = {Colour.BLACK: range(1, 13), Colour.WHITE: range(21, 33)}  # squares at most two steps from that row


def themes_of(positions: Sequence[Position], moves: Sequence[Move]) -> tuple[ProblemTheme, ...]:
    """The themes of a solution: the position before each of its moves, and the last one."""
    found = []
    if _is_shot(positions[0], moves):
        found.append(ProblemTheme.SHOT)
    if _is_breakthrough(positions[-1], moves):
        found.append(ProblemTheme.BREAKTHROUGH)
    if len(positions[0].pieces) <= _MAX_IN_ENDING:
        found.append(ProblemTheme.ENDING)
    if _is_bridge(positions[0]):
        found.append(ProblemTheme.BRIDGE)
    if _is_opposition(positions[0], moves):
        found.append(ProblemTheme.OPPOSITION)
    return tuple(found)


def _is_shot(start: Position, moves: Sequence[Move]) -> bool:
    if start.variant.rules.objective is Objective.MOVER_WINS:
        return False
    given = gained = 0
    is_sacrificed = is_paid_back = False
    for ply, move in enumerate(moves):
        if ply % 2:
            given += len(move.captures)
        else:
            is_sacrificed = given > gained or is_sacrificed
            is_paid_back = is_paid_back or (is_sacrificed and len(move.captures) >= _SEVERAL)
            gained += len(move.captures)
    return is_paid_back and gained > given


def _is_breakthrough(last: Position, moves: Sequence[Move]) -> bool:
    """Whether the king of a man that was crowned is still there."""
    crowned = 0
    for ply, move in enumerate(moves):
        if ply % 2 == 0:
            crowned = move.target if move.crowns or move.origin == crowned else crowned
        elif crowned in move.captures:
            crowned = 0
    return crowned in last.pieces


def _is_american(position: Position) -> bool:
    row = position.variant
    is_american = row.notation.game_type == _AMERICAN_TYPE and row.rules.objective is Objective.OPPONENT_WINS
    return is_american and all(piece.kind in _KINDS for piece in position.pieces.values())


def _is_opposition(position: Position, moves: Sequence[Move]) -> bool:
    pieces = position.pieces
    if not _is_american(position) or len(pieces) > _MAX_IN_ENDING:
        return False
    if any(move.captures or move.crowns for move in moves):
        return False
    own = sum(piece.colour is position.turn for piece in pieces.values())
    return 2 * own == len(pieces) and has_the_move(position)


def has_the_move(position: Position) -> bool:
    """Whether the side to move of American checkers has the opposition, by the count of files."""
    places = squares(position.variant.board, position.variant.notation)
    begins_at = 0 if position.turn is Colour.WHITE else 1  # the file of the first square of its back row
    return sum(places[square].file % 2 == begins_at for square in position.pieces) % 2 == 1


def _is_bridge(position: Position) -> bool:
    pieces = position.pieces
    if not _is_american(position):
        return False
    return len(pieces) <= _MAX_AT_BRIDGE and any(
        all(pieces.get(square) == Piece(colour, PieceKind.MAN) for square in bridge)
        and any(
            piece.colour is not colour and (piece.kind is PieceKind.KING or square in _NEAR[colour])
            for square, piece in pieces.items()
        )
        for colour, bridge in _BRIDGES.items()
    )
