"""No-shows: players who do not make their first move of a live game in time lose it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.models import Status, Tournament
from crownhead.server.core.problems import Conflict
from crownhead.server.play import selectors as play_selectors
from crownhead.server.play.choices import NO_SHOW, Seat
from crownhead.server.play.choices import Status as GameStatus
from crownhead.server.play.clocks.selectors import turn_lasts
from crownhead.server.play.games.selectors.replay import own_plies
from crownhead.server.play.selectors import Game
from crownhead.server.play.staff import services as staff_services

log = logging.getLogger(__name__)

_PLIES = 2  # one move each


def forfeit(*, now: datetime) -> int:
    """Forfeit the games of no-shows, each in its own transaction; returns how many."""
    lost = 0
    rows = Tournament.objects.filter(status=Status.RUNNING).exclude(no_show_minutes=None)
    for tournament in rows.select_related("host"):
        for game in _without_a_player(tournament, now):
            lost += _forfeit(game, tournament.host, now)
    return lost


def _without_a_player(tournament: Tournament, now: datetime) -> Iterator[Game]:
    """The games in which the player to move has let the time for the first move pass."""
    waited = timedelta(minutes=tournament.no_show_minutes or 0)
    games = play_selectors.games_of_contest(viewer=tournament.host, key=tournament.public_id)
    for game in games.filter(status=GameStatus.PLAYING, turn_since__lte=now - waited):
        came = own_plies(game) >= _PLIES
        if not came and turn_lasts(game, now) >= waited:
            yield game


def _forfeit(game: Game, host: User, now: datetime) -> bool:
    try:
        staff_services.forfeit(
            by=host,
            game_id=game.public_id,
            loser=Seat(game.turn or ""),
            reason=NO_SHOW,
            now=now,
            as_director=True,
        )
    except Conflict:
        return False  # it has ended in the meantime
    except Exception:
        log.exception("game %s cannot be forfeited", game.public_id)
        return False
    return True
