"""What all actions in a game share: the player's seat, the time, and why an action is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.core.texts import without_controls
from crownhead.server.play import problems
from crownhead.server.play.games import endings
from crownhead.server.play.models import Game, Seat, Status


def perform_action(*, user: User, game_id: str, now: datetime, do: Callable[[Game, Seat], None]) -> Game:
    """Run a player's action in a game in progress, after ending the game if time has run out."""
    with endings.settled(game_id, now, seen_by=user) as game:
        seat = seat_of_user(game, user)
        if game.status == Status.PLAYING and seat is not None:
            do(game, seat)
            return game
    raise not_in_progress(game)


def seat_of_user(game: Game, user: User) -> Seat | None:
    """The user's seat; None for a creator whose side is not drawn yet; raises ``NotAPlayer``."""
    if user.pk == game.first_player_id:
        return Seat.FIRST
    if user.pk == game.second_player_id:
        return Seat.SECOND
    if user.pk == game.creator_id:
        return None
    raise problems.NotAPlayer(_("Only the two players of this game can do this."))


def not_in_progress(game: Game) -> Conflict:
    """The problem for a game that has not started or is over."""
    if game.status == Status.FINISHED:
        return problems.GameOver(
            _("This game is over (%(termination)s).") % {"termination": game.termination}
        )
    return problems.NotInProgress(
        _("This game is not in progress; its status is %(status)s.") % {"status": game.status}
    )


def check_text(name: str, text: str, *, longest: int, least: int = 1) -> str:
    """The stripped text; raises ``Unprocessable`` if it is too short or too long."""
    stripped = without_controls(text)
    if not least <= len(stripped) <= longest:
        raise Unprocessable(
            _("Write %(least)s to %(longest)s characters, not %(count)s.")
            % {"least": least, "longest": longest, "count": len(stripped)},
            field=name,
        )
    return stripped
