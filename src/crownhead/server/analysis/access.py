"""No engine for a user's running games: neither for their positions, nor for those a move later."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from crownhead import Position
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Forbidden
from crownhead.server.play import selectors


class OwnGameInProgress(Forbidden):
    """The position is one of a game that the asker is playing."""

    slug = "own-game-runs"
    title = gettext_lazy("You are playing this position")


def expect_no_own_game(*, user: User | None, position: Position) -> None:
    """Raise ``OwnGameInProgress`` if the position stands, or may arise in a move, in a game of the user's."""
    if user is None:
        return
    for game in selectors.my_games(user=user).filter(variant=position.variant_key):
        here = selectors.replay_game(game).position
        if position == here or any(position == here.play(move) for move in here.legal_moves()):
            raise OwnGameInProgress(
                _(
                    "The engine is off while your game is in progress. "
                    "You can analyse it when the game is over."
                )
            )


def forbidden_positions(user: User | AnonymousUser | None, variant: str) -> frozenset[Position]:
    """The positions that stand in the running games of a reader."""
    if not isinstance(user, User):
        return frozenset()
    running = selectors.my_games(user=user).filter(variant=variant)
    return frozenset(selectors.replay_game(game).position for game in running)
