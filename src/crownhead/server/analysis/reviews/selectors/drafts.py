"""Reviews that a reader's browser has made: looked through, shown to that reader, and kept nowhere."""

from __future__ import annotations

import json
import re
from typing import Any

from django.utils.translation import gettext as _

from crownhead.engine.report import WON
from crownhead.server.analysis.choices import LONGEST_LINE, Depth, Progress
from crownhead.server.analysis.models import Review
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import selectors
from crownhead.server.play.selectors import Game

_NOTATION = re.compile(r"[0-9a-z:x-]{1,120}")
_LONGEST_PATH = 120  # squares
_PLY = {"score", "moves", "path", "proven", "best"}  # what ``reviews.steps`` keeps of a position


def review_from_browser(*, game: Game, depth: Depth, text: str) -> Review:
    """The review that a text of JSON holds, a report on each position of the game in turn; it is not stored.

    Raises ``Unprocessable`` where it is none of this game.
    """
    replay = selectors.replay_game(game)
    try:
        plies = json.loads(text)
    except (ValueError, RecursionError):
        plies = None
    squares = replay.variant.board.squares
    if (
        not isinstance(plies, list)
        or len(plies) != len(replay.positions)
        or not all(_is_report(ply, squares) for ply in plies)
    ):
        raise Unprocessable(_("This is not a review of this game."), field="plies")
    return Review(
        game_id=game.public_id, nodes=depth.value, progress=Progress.DONE, plies=plies, total=len(plies)
    )


def _is_report(ply: Any, squares: int) -> bool:
    """Whether a value is a report on a position of a board with so many squares."""
    return (
        isinstance(ply, dict)
        and ply.keys() == _PLY
        and _is_number(ply["score"], -WON, WON)
        and _is_list(ply["moves"], LONGEST_LINE)
        and all(isinstance(move, str) and _NOTATION.fullmatch(move) for move in ply["moves"])
        and _is_list(ply["path"], _LONGEST_PATH)
        and all(_is_number(square, 1, squares) for square in ply["path"])
        and isinstance(ply["proven"], bool)
        and isinstance(ply["best"], bool)
    )


def _is_list(value: Any, most: int) -> bool:
    return isinstance(value, list) and len(value) <= most


def _is_number(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most
