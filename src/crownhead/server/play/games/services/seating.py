"""Two people sit down, because one takes what the other offers, or because a contest pairs them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

import crownhead
from crownhead import CrownheadError
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.clocks import timing
from crownhead.server.play.events import GameStarted, game_event
from crownhead.server.play.games import contests, endings
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.selectors import rated_limits, terms
from crownhead.server.play.games.selectors.replay import (
    ballot_of,
    draw_ballot,
    full_tokens,
    replay_game,
    seat_of,
)
from crownhead.server.play.games.selectors.starts import has_own_start
from crownhead.server.play.models import Game, Seat, Status
from crownhead.server.play.problems.reasons import refusal


def start_game(
    *,
    first: User,
    second: User,
    options: GameOptions,
    now: datetime,
    dice: random.Random,
    opening: int | None = None,
    contest: Contest | None = None,
    played: Sequence[str] = (),
) -> Game:
    """A game of two people who are seated at once, whatever side the options ask for; it begins.

    ``opening``: the number of the ballot, for a pair of games from the same one; else it is that of the
    options, or drawn. ``played``: the moves that were made elsewhere. The host's limit of games at once does
    not count here. Raises ``Unprocessable``.
    """
    if first.pk == second.pk:
        raise Unprocessable(
            _("Choose a player other than %(username)s.") % {"username": first.username}, field="second"
        )
    wanted = replace(options, opening=options.opening if opening is None else opening)
    if wanted.match() or wanted.first_move is not None:
        raise Unprocessable(
            _("This is only possible for a single game without a first move."),
            field="games, wins, first_move",
        )
    wanted.checked(invited=True)
    with transaction.atomic():
        game = Game.objects.create(
            **terms.columns_of(wanted),
            **contests.columns_of(contest),
            start_fen=wanted.first_position().fen(),
            open=False,
            creator=first,
            created_at=now,
            expires_at=now,
        )
        pair = {Seat.FIRST: first, Seat.SECOND: second}
        start_now(game, players=pair, now=now, dice=dice, played=played)
    return game


def start_now(
    game: Game,
    *,
    players: dict[Seat, User],
    now: datetime,
    dice: random.Random,
    played: Sequence[str] = (),
) -> None:
    """Seat the players of a locked game that waits, draw its ballot if none is chosen, start the clock.

    A game from a position of somebody's own has none.

    A game of a contest or a match that exceeds the limit on rated games of these two is not rated, nor is one
    of a player who keeps leaving rated games early.
    """
    replay = replay_game(game)
    ballot = ballot_of(game.opening) if game.opening else None
    if ballot is None and not has_own_start(game):
        ballot = draw_ballot(replay.variant, dice)
    for move in () if ballot is None else ballot.moves:
        replay.push(move)
    _play_on(replay, played)
    game.first_player, game.second_player = players[Seat.FIRST], players[Seat.SECOND]
    one, other = players[Seat.FIRST], players[Seat.SECOND]
    endings.update(
        game,
        rated=game.rated and rated_limits.may_be_rated(one, other, now),
        first_player=players[Seat.FIRST],
        second_player=players[Seat.SECOND],
        opening=None if ballot is None else ballot.number,
        moves=full_tokens(replay),
        version=len(replay.moves),
        status=Status.PLAYING,
        started_at=now,
        last_moved_at=now,
        **timing.start_turn_changes(game, seat=seat_of(replay.variant, replay.turn), now=now),
    )
    emit(game_event(GameStarted, game, pace=game.pace))


def _play_on(replay: crownhead.Game, played: Sequence[str]) -> None:
    """Make moves that were made elsewhere; raises ``Unprocessable`` if one is illegal or ends the game."""
    try:
        for move in played:
            replay.push(move)
    except CrownheadError as error:
        raise refusal(error, replay.position) from error
    if played and replay.outcome() is not None:
        raise Unprocessable(_("This game is over already."), field="moves")
