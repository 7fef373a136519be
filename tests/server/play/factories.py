"""Factories of games, and what tests read of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from django.http import HttpResponse

from crownhead.server.accounts.models import User
from crownhead.server.core import events as core_events
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import create_game
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.moves.services import play_move
from tests.server.conftest import Api

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def make_offer(creator: User, *, colour: str = "first", now: datetime = NOW, **options: Any) -> Game:
    """A game in the waiting room, three days a move."""
    terms: dict[str, Any] = {"variant": "american", "days_per_move": 3} | options
    return create_game(creator=creator, options=GameOptions(colour=colour, **terms), now=now)


def make_game(first: User, second: User, *, now: datetime = NOW, seed: int = 1, **options: Any) -> Game:
    """A game in progress."""
    game = make_offer(first, now=now, **options)
    return game_services.join(user=second, game_id=game.public_id, now=now, dice=Random(seed))


def make_game_from(fen: str, first: User, second: User, **options: Any) -> Game:
    """A game in progress from a position, Red (the first side) being Black in FEN; without a ballot."""
    game = make_game(first, second, **options)
    turn = Seat.FIRST if fen.startswith("B") else Seat.SECOND
    Game.objects.filter(pk=game.pk).update(start_fen=fen, turn=turn, opening=None, moves="", version=0)
    return fresh(game)


def play_moves(game: Game, *moves: str, now: datetime = NOW) -> Game:
    """The game after more moves, each made by the player whose turn it is."""
    game = fresh(game)
    for move in moves:
        user = game.first_player if game.turn == Seat.FIRST else game.second_player
        assert user is not None
        game = play_move(user=user, game_id=game.public_id, move=move, version=game.version, now=now)
    return game


def fresh(game: Game) -> Game:
    """The row as the database has it."""
    return Game.objects.with_players().get(pk=game.pk)


@contextmanager
def recorded_events(*kinds: type) -> Iterator[list[Any]]:
    """The events of these kinds that are emitted within, in order."""
    events: list[Any] = []
    for kind in kinds:
        core_events.on(kind)(events.append)
    try:
        yield events
    finally:
        for kind in kinds:
            core_events._in_transaction[kind].remove(events.append)  # noqa: SLF001


def columns(game: Game) -> dict[str, Any]:
    """All columns of the row as the database has it."""
    return dict(Game.objects.values().get(pk=game.pk))


def api_of(user: User | None = None) -> Api:
    """The HTTP API as one user sees it; as a guest without one."""
    return Api() if user is None else Api().as_(user)


def slug(answer: HttpResponse) -> str:
    """The stable name of the problem in an answer."""
    assert answer.headers["Content-Type"] == "application/problem+json", answer.content
    document = json.loads(answer.content)
    assert document["status"] == answer.status_code
    assert document["detail"]
    name: str = document["type"].rpartition(":")[2]
    return name
