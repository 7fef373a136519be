"""The small picture of a board that goes with a notification."""

from __future__ import annotations

from crownhead import VARIANTS, Colour
from crownhead.server.accounts.selectors import User
from crownhead.server.notices.kinds import GAME_PREFIX
from crownhead.server.notices.models import Notice
from crownhead.server.play.archive import presenters as moments
from crownhead.server.play.archive.presenters import PictureOptions
from crownhead.server.play.choices import Seat
from crownhead.server.play.games.selectors.replay import colour_of
from crownhead.server.play.presenters.board import png
from crownhead.server.play.presenters.board.diagrams import bottom_of
from crownhead.server.play.selectors import Game

WIDTH = 360  # pixels; shown half as wide, so that it is sharp on good screens


def picture(notice: Notice, user: User) -> bytes | None:
    """Return a PNG of the current board, the user's side at the bottom; None if it is not about a game."""
    if not notice.about.startswith(GAME_PREFIX):
        return None
    game = Game.objects.seen_by(user).filter(public_id=notice.about.removeprefix(GAME_PREFIX)).first()
    if game is None:
        return None
    svg = moments.picture(
        game, None, PictureOptions(flip=_bottom(game, user) is Colour.BLACK, numbers="none")
    )
    return png.png(svg, WIDTH)


def _bottom(game: Game, user: User) -> Colour:
    variant = VARIANTS[game.variant]
    seat = Seat.SECOND if game.second_player_id == user.pk else Seat.FIRST
    return bottom_of(variant, colour_of(variant, seat))
