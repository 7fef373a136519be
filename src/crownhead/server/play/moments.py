"""Any moment of a game: its position, and a picture of it."""

from __future__ import annotations

import crownhead
from crownhead import Position
from crownhead.notation import svg
from crownhead.server.core.problems import NotFound
from crownhead.server.play.models import Game
from crownhead.server.play.record import replay


def position(game: Game, ply: int | None) -> Position:
    """The position after ``ply`` moves, or after all; raises ``NotFound``."""
    course = replay(game)
    return course.positions[_checked(course, ply)]


def picture(game: Game, ply: int | None, *, flip: bool, numbers: str, theme: str, size: int | None) -> str:
    """The position after ``ply`` moves as SVG, with the move that led to it."""
    course = replay(game)
    at = _checked(course, ply)
    last = course.moves[at - 1] if at else None
    return svg.draw(course.positions[at], flip=flip, numbers=numbers, theme=theme, size=size, last_move=last)


def _checked(course: crownhead.Game, ply: int | None) -> int:
    last = len(course.moves)
    if ply is not None and ply > last:
        raise NotFound(f"ply: expected at most {last}, got {ply}")
    return last if ply is None else ply
