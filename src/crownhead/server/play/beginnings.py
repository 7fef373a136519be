"""How a game begins: it is offered, waits, and is taken, withdrawn or forgotten."""

from __future__ import annotations

import random
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

import crownhead
from crownhead import CrownheadError
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Forbidden
from crownhead.server.play import endings, problems, record, timing
from crownhead.server.play.clocks import Pace
from crownhead.server.play.endings import locked
from crownhead.server.play.events import GameCreated, GameStarted, GameWithdrawn, about
from crownhead.server.play.models import Game, Seat, Status
from crownhead.server.play.options import ColourChoice, GameOptions

WAITS = timedelta(days=14)  # how long a game stays in the waiting room


def create_game(*, creator: User, options: GameOptions, now: datetime) -> Game:
    """Put a new game into the waiting room, with the creator's first move if he made one."""
    variant = options.checked()
    course = crownhead.Game(variant, draw_rules=options.draw_rules)
    start_fen = course.position.fen()
    if options.first_move is not None:
        _push(course, options.first_move)
    with transaction.atomic():
        _check_limit(creator)
        game = Game.objects.create(
            variant=variant.key,
            start_fen=start_fen,
            moves=record.full_tokens(course),
            version=len(course.moves),
            creator=creator,
            first_player=creator if options.colour == ColourChoice.FIRST else None,
            second_player=creator if options.colour == ColourChoice.SECOND else None,
            **_clock(options),
            draw_rules=options.draw_rules,
            created_at=now,
            expires_at=now + WAITS,
        )
        emit(about(GameCreated, game))
    return game


def start_game(*, user: User, game_id: str, now: datetime, dice: random.Random | None = None) -> Game:
    """Seat ``user`` opposite the creator and start the clock; ``dice`` draws sides and ballots."""
    chance = secrets.SystemRandom() if dice is None else dice
    with transaction.atomic():
        game = locked(game_id)
        endings.settle(game, now)
        if game.status == Status.WAITING:
            if game.creator_id == user.pk:
                raise problems.OwnGame("expected a game that somebody else offers, this is your own")
            _check_limit(user)
            _seat_players(game, user, now, chance)
            return game
    raise _no_longer_waiting(game)


def withdraw_waiting(*, user: User, game_id: str, now: datetime) -> Game:
    """Take one's own waiting game back."""
    with transaction.atomic():
        game = locked(game_id)
        endings.settle(game, now)
        if game.creator_id != user.pk:
            raise Forbidden("expected a game of your own, another player offers this one")
        if game.status == Status.WAITING:
            endings.update(game, status=Status.WITHDRAWN, ended_at=now)
            emit(about(GameWithdrawn, game))
        if game.status == Status.WITHDRAWN:
            return game
    raise _no_longer_waiting(game)


def _clock(options: GameOptions) -> dict[str, Any]:
    """The columns of a game's time."""
    control = options.control()
    columns = {"pace": control.pace.value, "weekends_off": options.weekends_off, "vacation": options.vacation}
    if control.pace is Pace.DAYS:
        return columns | {"days_per_move": options.days_per_move}
    return columns | {
        "clock_initial": control.initial,
        "clock_bonus": control.bonus,
        "clock_limit": control.limit,
        "first_left": control.initial,
        "second_left": control.initial,
    }


def _push(course: crownhead.Game, move: str) -> None:
    try:
        course.push(move)
    except CrownheadError as error:
        raise problems.IllegalMove(f"first_move: {error}") from error


def _check_limit(user: User) -> None:
    limit: int = settings.GAMES_PER_PLAYER
    if Game.objects.running_or_waiting_of(user).count() >= limit:
        raise problems.TooManyGames(f"this club allows {limit} games at once; finish or withdraw one first")


def _seat_players(game: Game, user: User, now: datetime, dice: random.Random) -> None:
    players = {Seat.FIRST: game.first_player, Seat.SECOND: game.second_player}
    free = dice.choice([seat for seat, player in players.items() if player is None])
    players = {free: user, free.opponent: game.creator}
    course = record.replay(game)
    ballot = record.draw_ballot(course.variant, dice)
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


def _no_longer_waiting(game: Game) -> problems.NotWaiting:
    why = {
        Status.WITHDRAWN: "its creator has withdrawn it",
        Status.EXPIRED: "it has waited too long",
    }.get(Status(game.status), "somebody has taken it")
    return problems.NotWaiting(f"expected a game in the waiting room, but {why}")
