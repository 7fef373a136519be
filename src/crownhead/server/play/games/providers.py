"""What games need from apps above, which register themselves as they are loaded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, Protocol, TypeVar

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.games.options import GameOptions

UNRATED = 1500  # what somebody without a rating counts as

RatingProvider = Callable[[Collection[int], str], Mapping[int, int]]

_rating_providers: list[RatingProvider] = []


def register_rating_provider(function: RatingProvider) -> RatingProvider:
    """Ask this function, of users' keys and a variant, how strong they count as; those who have a rating."""
    _rating_providers[:] = [function]
    return function


def rating(user_id: int, variant: str) -> int:
    """How strong a player counts as; 1500 for everybody where nobody rates."""
    return ratings([user_id], variant)[user_id]


def ratings(user_ids: Collection[int], variant: str) -> dict[int, int]:
    """How strong some players count as, by their keys; one question for all of them."""
    rated = _rating_providers[0](user_ids, variant) if _rating_providers else {}
    return {key: rated.get(key, UNRATED) for key in user_ids}


class ComputerOpponent(Protocol):
    """Starts a game against the computer."""

    def __call__(self, *, user: User, level: int, options: GameOptions, now: datetime) -> Any:
        """The game; raises ``Unprocessable`` or ``TooManyGames``."""


Computer = TypeVar("Computer", bound=ComputerOpponent)
_computers: list[ComputerOpponent] = []


def register_computer_opponent(function: Computer) -> Computer:
    """Ask this function for a game of a user against the computer."""
    _computers[:] = [function]
    return function


def computer_game(*, user: User, level: int, options: GameOptions, now: datetime) -> Any:
    """A game against the computer; raises ``Unprocessable`` where there is none."""
    if not _computers:
        raise Unprocessable(_("This club has no computer opponent."), field="computer")
    return _computers[0](user=user, level=level, options=options, now=now)


class ComputerTerms(Protocol):
    """Checks whether a user may begin a game against the computer."""

    def __call__(self, *, user: User, options: GameOptions) -> None:
        """Raises what refuses it."""


Terms = TypeVar("Terms", bound=ComputerTerms)
_computer_terms: list[ComputerTerms] = []


def register_computer_terms(function: Terms) -> Terms:
    """Ask this function whether a user may begin a game against the computer."""
    _computer_terms[:] = [function]
    return function


def expect_computer_game(*, user: User, options: GameOptions) -> None:
    """Raise what refuses the user a game against the computer."""
    for check in _computer_terms:
        check(user=user, options=options)


player_annotations: dict[str, Callable[[str], Any]] = {}


def annotate_players(name: str, expression: Callable[[str], Any]) -> None:
    """Register what else is read with a game that is to be changed, for apps above: one query for all.

    ``expression``: of the column of a player. The row has it as ``first_…`` and ``second_…``.
    """
    player_annotations[name] = expression
