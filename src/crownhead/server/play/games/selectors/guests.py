"""What guests may play: single unrated games, with members who let them, and without chat.

A guest is somebody without an account. They offer games by a link alone, take casual offers, and play the
same opponent again.
"""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User, preferences_of
from crownhead.server.accounts.validators import guest_number
from crownhead.server.play import problems
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.models import Game


def is_guest(person: User | None) -> bool:
    """Whether somebody plays without an account."""
    return person is not None and guest_number(person.username) is not None


def expect_may_offer(user: User, options: GameOptions, *, open_to_all: bool) -> None:
    """Raise ``MembersOnly`` if a guest offers what guests don't play, or offers it to everybody."""
    asks = options.min_rating is not None or options.max_rating is not None
    if user.is_guest and (open_to_all or options.rated or options.match() or asks):
        raise problems.MembersOnly(_("Guests play single unrated games with a friend. Sign up for more."))


def expect_no_words(text: str, *people: User) -> None:
    """Raise ``MembersOnly`` for a message from a guest, or to one."""
    if text and any(map(is_guest, people)):
        raise problems.MembersOnly(_("There is no chat in games with guests."))


def expect_may_join(user: User, game: Game) -> None:
    """Raise ``MembersOnly`` if a guest may not take an offer."""
    if user.is_guest and (not suits_guests(game) or not preferences_of(game.creator).guests):
        raise problems.MembersOnly(_("This game is for members. Sign up to join it."))


def suits_guests(game: Game) -> bool:
    """Whether an offer is one that guests take: a single game that is neither rated nor for some ratings."""
    asks = game.min_rating is not None or game.max_rating is not None
    return not (game.rated or game.match_id is not None or asks)


def may_take(game: Game) -> bool:
    """Whether guests may take an offer."""
    return game.public_id in open_to_guests([game])


def open_to_guests(games: Collection[Game]) -> set[str]:
    """The ids of those of the offers that guests may take; none where the host has no guests."""
    if not settings.GUESTS:
        return set()
    casual = [game for game in games if suits_guests(game)]
    refused = accounts.refuse_guests(game.creator_id for game in casual) if casual else frozenset()
    return {game.public_id for game in casual if game.creator_id not in refused}
