"""The board on which the preferences page shows what is chosen there."""

from __future__ import annotations

import crownhead
from crownhead import Colour
from crownhead.server.play.presenters.board.boards import BoardPresenter, GameBoard

_START = "W:W18,21,26,31,32,K14:B1,3,8,11,12,K29"  # men and kings of both sides, and room to see squares
_MOVES = ("21-17",)


def board_preview() -> BoardPresenter:
    """A board to look at: men and kings of both sides, with the last move marked."""
    replay = crownhead.Game("american", start=_START)
    for move in _MOVES:
        replay.push(move)
    return GameBoard(replay=replay, bottom=Colour.WHITE, ply=len(_MOVES)).presenter()
