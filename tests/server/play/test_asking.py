"""What players ask of each other outside a game: once after each game, and so many times a day."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.play import problems
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.services import withdraw_waiting
from crownhead.server.play.invitations.services import accept, decline, invite, invite_again
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, api_of
from tests.server.ratings.factories import make_rated_game

pytestmark = pytest.mark.django_db
OPTIONS = GameOptions(variant="american", colour="first", days_per_move=3)


def ask(creator: User, opponent: str, days: int = 0) -> Game:
    now = NOW + timedelta(days=days)
    return invite(creator=creator, opponent=opponent, options=OPTIONS, message="", site="", now=now)


def test_another_game_is_offered_once_after_each_game(alice: User, bob: User) -> None:
    game = make_rated_game(alice, bob)
    again = invite_again(user=alice, game_id=game.public_id, message="", now=NOW)
    for answer in (lambda: None, lambda: decline(user=bob, game_id=again.public_id, now=NOW)):
        answer()
        with pytest.raises(problems.AskedAlready):
            invite_again(user=alice, game_id=game.public_id, message="", now=NOW)
    assert api_of(alice).post(f"/games/{game.public_id}/rematch", {}).status_code == 409
    assert invite_again(user=bob, game_id=game.public_id, message="", now=NOW).invited == alice


def test_a_player_who_keeps_declining_is_left_alone_for_a_day(alice: User, bob: User, charlie: User) -> None:
    for number in range(5):
        game = ask(alice, "bob")
        if number % 2:
            decline(user=bob, game_id=game.public_id, now=NOW)
        else:
            withdraw_waiting(user=alice, game_id=game.public_id, now=NOW)
    with pytest.raises(problems.AskedAlready):
        ask(alice, "bob")
    ask(alice, "charlie")
    ask(charlie, "bob")
    ask(alice, "bob", days=1)


def test_players_who_accept_can_be_invited_as_often_as_they_like(alice: User, bob: User) -> None:
    for _ in range(7):
        accept(user=bob, game_id=ask(alice, "bob").public_id, now=NOW)
    assert Game.objects.filter(status="playing").count() == 7
