"""Two people sit down: the ballot is played, the clock starts."""

from __future__ import annotations

import random
from datetime import datetime

from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.play import endings, record, timing
from crownhead.server.play.events import GameStarted, about
from crownhead.server.play.models import Game, Seat, Status


def start_now(game: Game, *, players: dict[Seat, User], now: datetime, dice: random.Random) -> None:
    """Seat the players of a locked game that waits, draw its ballot if none is chosen, start the clock."""
    course = record.replay(game)
    ballot = record.ballot_of(game.opening) if game.opening else record.draw_ballot(course.variant, dice)
    for move in () if ballot is None else ballot.moves:
        course.push(move)
    game.first_player, game.second_player = players[Seat.FIRST], players[Seat.SECOND]
    endings.update(
        game,
        first_player=players[Seat.FIRST],
        second_player=players[Seat.SECOND],
        opening=None if ballot is None else ballot.number,
        moves=record.full_tokens(course),
        version=len(course.moves),
        status=Status.PLAYING,
        started_at=now,
        last_moved_at=now,
        **timing.begun(game, seat=record.seat_of(course.variant, course.turn), now=now),
    )
    emit(about(GameStarted, game))
