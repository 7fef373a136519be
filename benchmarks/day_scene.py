"""Prepares the visitors of a day: sessions of members, and moves that they will make in their games."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from pathlib import Path

GUESTS = 0.2  # of all visitors
LONGEST = 40  # moves prepared for a game


@dataclass(slots=True)
class Table:
    """A game in progress, and the moves that will be made in it; ``turn``: which of the two players moves."""

    game: str
    version: int
    turn: int
    moves: list[str]  # the next one last


@dataclass(slots=True)
class Member:
    """What opens an account, and the game in which the member plays now, on the seat with this number."""

    name: str
    session: str
    table: Table
    seat: int


@dataclass(slots=True)
class Scene:
    """All that visitors need; ``size`` says how large the club is."""

    members: list[Member] = field(default_factory=list)
    size: str = ""


def set_up(data: Path, people: int) -> Scene:
    """Sessions for the members among so many people, two for each of as many games."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crownhead.server.config.settings")
    from crownhead.server.ops.commands import open_folder

    open_folder(data)
    from datetime import timedelta

    from crownhead.server.accounts.models import User
    from crownhead.server.core import clock
    from crownhead.server.play.models import Game, Status
    from streams import session_of

    rows = Game.objects.with_players().filter(
        status=Status.PLAYING, hidden=False, deadline_at__gt=clock.now() + timedelta(hours=1)
    )
    scene, taken = Scene(), set[int]()
    scene.size = f"{User.objects.count():,} members, {Game.objects.count():,} games"
    for game in rows.order_by("-pk")[: 2 * people].iterator(500):
        players = [game.first_player, game.second_player]
        if len(scene.members) >= people * (1 - GUESTS):
            break
        if taken & {player.pk for player in players if player} or not (moves := _moves(game)):
            continue
        table = Table(game.public_id, game.version, 0 if game.turn == "first" else 1, moves[::-1])
        for seat, player in enumerate(players):
            assert player is not None
            taken.add(player.pk)
            scene.members.append(Member(player.username, session_of(player), table, seat))
    return scene


def _moves(game: object) -> list[str]:
    """Random legal moves from here on; fewer where the game ends."""
    from crownhead.notation.moves import write_full
    from crownhead.server.play.games.selectors.replay import replay_game

    record = replay_game(game)  # type: ignore[arg-type] # a model is known only once Django is
    moves: list[str] = []
    while len(moves) < LONGEST and record.outcome() is None:
        move = random.choice(record.position.legal_moves())
        moves.append(write_full(record.position, move))
        record.push(move)
    return moves
