"""The computer as an opponent: a game with it begins at once, at a level, and never counts."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead import CrownheadError, Position
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.computers import computer
from crownhead.server.analysis.access import expect_allowed, expect_may_ask, games_at_once
from crownhead.server.analysis.computer.selectors import HIGHEST, running
from crownhead.server.core.limits import spend
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import problems
from crownhead.server.play.games import providers
from crownhead.server.play.games.options import ColourChoice, GameOptions
from crownhead.server.play.games.selectors import terms
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.problems.reasons import refusal
from crownhead.server.play.selectors import Game


@providers.register_computer_opponent
def start(
    *,
    user: User,
    level: int,
    options: GameOptions,
    now: datetime,
    dice: random.Random | None = None,
    played: Sequence[str] = (),
) -> Game:
    """A game of the user against a level; it begins. ``dice`` draws sides and ballots.

    ``played``: the moves that were made in a browser before. Raises ``Unprocessable`` for terms that it
    cannot have, ``TooManyGames``, ``TooMany`` for one game after another, ``Forbidden`` for a member who is
    blocked from the engine, and ``OwnGameInProgress`` where it would go on from a position of theirs.
    """
    if not 1 <= level <= HIGHEST:
        raise Unprocessable(
            _("Choose a level from 1 to %(highest)s, not %(level)s.") % {"highest": HIGHEST, "level": level},
            field="computer",
        )
    if options.rated:
        raise Unprocessable(_("Games against the computer are never rated."), field="rated")
    variant = options.checked(invited=True)
    if played and variant.opening_plies:
        raise Unprocessable(
            _("Games of this variant begin with a random opening, so no moves can be made beforehand."),
            field="moves",
        )
    expect_may_start(user=user, options=options, played=played)
    spend(scope="offers", who=f"user:{user.pk}")
    chance = secrets.SystemRandom() if dice is None else dice
    colour = options.colour
    if colour == ColourChoice.RANDOM:
        colour = chance.choice((ColourChoice.FIRST, ColourChoice.SECOND)).value
    pair = (user, computer(level)) if colour == ColourChoice.FIRST else (computer(level), user)
    with transaction.atomic():
        terms.check_limit(user)
        _check_own_limit(user)  # once more, for the user is held now
        return start_game(first=pair[0], second=pair[1], options=options, now=now, dice=chance, played=played)


@providers.register_computer_terms
def expect_may_start(*, user: User, options: GameOptions, played: Sequence[str] = ()) -> None:
    """Raise ``Forbidden``, ``TooManyGames`` or ``OwnGameInProgress`` if the user may not begin such a game.

    Call it outside a transaction: see ``expect_may_ask``.
    """
    expect_allowed(user)
    _check_own_limit(user)
    if options.start is not None or played:
        expect_may_ask(user=user, position=_position_after(options, played))


def _position_after(options: GameOptions, played: Sequence[str]) -> Position:
    """Where the game goes on; raises ``Unprocessable`` for moves that are not legal."""
    position = options.first_position()
    try:
        for move in played:
            position = position.play(move)
    except CrownheadError as error:
        raise refusal(error, position) from error
    return position


def _check_own_limit(user: User) -> None:
    limit = games_at_once(user)
    if running(user) >= limit:
        text = ngettext(
            "You can have %(count)s game against the computer at a time. Finish it first.",
            "You can have %(count)s games against the computer at a time. Finish one first.",
            limit,
        )
        raise problems.TooManyGames(text % {"count": limit})
