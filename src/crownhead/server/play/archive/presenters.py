"""Any moment of a game: its position, and a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

import crownhead
from crownhead import CrownheadError, Move, Position
from crownhead.server.core.problems import NotFound, refusal
from crownhead.server.play.games.selectors.replay import replay_game
from crownhead.server.play.models import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureOptions:
    """How a position is drawn; ``size`` is the width in pixels: None, as large as the place where it is."""

    flip: bool = False
    numbers: str = "inside"
    numbering: str = "native"
    theme: str = "light"
    size: int | None = None

    def svg(self, position: Position, last_move: Move | None = None, **more: Any) -> str:
        """The picture; raises ``Unprocessable``."""
        try:
            return position.svg(
                flip=self.flip,
                numbers=self.numbers,
                numbering=self.numbering,
                theme=self.theme,
                size=self.size,
                last_move=last_move,
                **more,
            )
        except CrownheadError as error:
            raise refusal(error) from error


def position(game: Game, ply: int | None) -> Position:
    """The position after ``ply`` moves, or after all; raises ``NotFound``."""
    replay = replay_game(game)
    return replay.positions[_checked(replay, ply)]


def picture(game: Game, ply: int | None, look: PictureOptions) -> str:
    """The position after ``ply`` moves as SVG, with the move that led to it; raises ``NotFound``."""
    replay = replay_game(game)
    at = _checked(replay, ply)
    return look.svg(replay.positions[at], replay.moves[at - 1] if at else None)


def _checked(replay: crownhead.Game, ply: int | None) -> int:
    last = len(replay.moves)
    if ply is not None and ply > last:
        raise NotFound(
            _("This game has only %(last)s plies, not %(ply)s.") % {"last": last, "ply": ply}, field="ply"
        )
    return last if ply is None else ply
