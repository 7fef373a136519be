"""What games need to know that only apps above can tell: they plug it in as they are loaded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Protocol, TypeVar

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.games.options import GameOptions

UNRATED = 1500  # what somebody without a rating counts as

Rate = Callable[[int, str], int]

_rates: list[Rate] = []


def rate_with(function: Rate) -> Rate:
    """Ask this function, of a user's key and a variant, how strong a player counts as."""
    _rates[:] = [function]
    return function


def rating(user_id: int, variant: str) -> int:
    """How strong a player counts as; 1500 for everybody where nobody rates."""
    return _rates[0](user_id, variant) if _rates else UNRATED


class Begin(Protocol):
    """Begins a game against the computer."""

    def __call__(self, *, user: User, level: int, options: GameOptions, now: datetime) -> Any:
        """The game; raises ``Unprocessable`` or ``TooManyGames``."""


Computer = TypeVar("Computer", bound=Begin)
_computers: list[Begin] = []


def play_computer_with(function: Computer) -> Computer:
    """Ask this function for a game of a user against the computer."""
    _computers[:] = [function]
    return function


def computer_game(*, user: User, level: int, options: GameOptions, now: datetime) -> Any:
    """A game against the computer; raises ``Unprocessable`` where there is none."""
    if not _computers:
        raise Unprocessable("computer: " + _("This club has no computer opponent."))
    return _computers[0](user=user, level=level, options=options, now=now)
