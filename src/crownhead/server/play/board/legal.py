"""The legal moves of a position, as many as a page or an answer of the API can hold."""

from __future__ import annotations

from collections.abc import Mapping

from crownhead import Move, Position
from crownhead.server.core.problems import TooManyMoves

MOST_MOVES = 300
"""More than boards have on which nothing can be taken: 217 in Dameo, 139 in Canadian draughts."""


def legal_moves(position: Position) -> Mapping[Move, str]:
    """The legal moves with their notation, ascending by path; raises ``TooManyMoves``."""
    moves = position.notations()
    if len(moves) > MOST_MOVES:
        raise TooManyMoves
    return moves
