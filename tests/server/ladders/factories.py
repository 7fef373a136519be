"""Factories of ladders, members and challenges for the tests."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any

from crownhead.server.accounts.models import User
from crownhead.server.ladders import services
from crownhead.server.ladders.models import Challenge, Ladder, Member
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.games.selectors.replay import replay_game
from crownhead.server.play.models import Game
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, play_moves


def make_ladder(**columns: Any) -> Ladder:
    """An open ladder with three days per move."""
    return Ladder.objects.create(**({"variant": "american", "opened_at": NOW} | columns))


def make_members(count: int, ladder: Ladder | None = None, *, prefix: str = "p") -> list[User]:
    """Make players, who join the ladder in this order."""
    made = [make_user(f"{prefix}{number:02}") for number in range(1, count + 1)]
    for user in made if ladder else []:
        assert ladder is not None
        services.join(user=user, ladder_id=ladder.public_id, now=NOW)
    return made


def challenge(ladder: Ladder, user: User, other: User, *, now: datetime = NOW, seed: int = 1) -> Challenge:
    """A challenge whose games have started."""
    return services.challenge(
        user=user, ladder_id=ladder.public_id, opponent=other.username, now=now, dice=random.Random(seed)
    )


def games_of(made: Challenge) -> list[Game]:
    """The games of a challenge in order."""
    keys = made.games.order_by("number").values_list("game_id", flat=True)
    return [Game.objects.with_players().get(public_id=key) for key in keys]


def end(game: Game, winner: User | None, *, now: datetime = NOW, moves: bool = True) -> None:
    """End a game: the other player resigns, or a draw is agreed; ``moves``: after two by each side."""
    game = play_two_moves(game, now=now) if moves else game
    assert game.first_player is not None
    assert game.second_player is not None
    if winner is None:
        offer_draw(user=game.first_player, game_id=game.public_id, now=now)
        accept_draw(user=game.second_player, game_id=game.public_id, now=now)
        return
    loser = game.second_player if winner == game.first_player else game.first_player
    resign(user=loser, game_id=game.public_id, now=now)


def play_two_moves(game: Game, *, now: datetime = NOW) -> Game:
    """Two moves by each side."""
    for _ in range(4):
        game = play_next_move(game, now=now)
    return game


def play_next_move(game: Game, *, now: datetime = NOW) -> Game:
    """The first legal move."""
    position = replay_game(game).position
    return play_moves(game, position.notation(position.legal_moves()[0]), now=now)


def make_finished_challenge(
    ladder: Ladder, user: User, other: User, winner: User | None, *, now: datetime = NOW
) -> Challenge:
    """A challenge that is over."""
    made = challenge(ladder, user, other, now=now)
    for game in games_of(made):
        end(game, winner, now=now)
    made.refresh_from_db()
    return made


def names_by_place(ladder: Ladder) -> list[str]:
    """The names on a ladder of places, from the first; checks that no place is empty."""
    rows = list(Member.objects.filter(ladder=ladder).order_by("place").values_list("place", "user__username"))
    assert [place for place, _ in rows] == list(range(1, len(rows) + 1))
    assert Ladder.objects.get(pk=ladder.pk).size == len(rows)
    return [name for _, name in rows]


def steps(ladder: Ladder) -> dict[str, int]:
    """The step of each member, by name."""
    found: dict[str, int] = {}
    for member in Member.objects.filter(ladder=ladder).select_related("user").order_by("user__username"):
        assert member.place is None
        assert member.rank >= 1
        found[member.user.username] = member.rank
    return found
