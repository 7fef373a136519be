"""Who calls the computer: the games in which it plays, and those of people at no cost."""

from __future__ import annotations

from random import Random

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.computers import computer
from crownhead.server.accounts.validators import COMPUTER
from crownhead.server.analysis.computer import services as computer_services
from crownhead.server.play.draws.services import offer_draw
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, make_game, play_moves


def against(user: User) -> Game:
    options = GameOptions(variant="american", colour="first", days_per_move=3)
    return computer_services.start(user=user, level=1, options=options, now=NOW, dice=Random(1))


def calls() -> list[list[object]]:
    return [row.task_result.args for row in DBTaskResult.objects.all()]


def test_a_game_of_people_never_asks_the_database_for_computers(alice: User, bob: User) -> None:
    computer(1)
    with CaptureQueriesContext(connection) as queries:
        game = play_moves(make_game(alice, bob), "11-15", "23-19")
        offer_draw(user=alice, game_id=game.public_id, now=NOW)
    assert not [query for query in queries if COMPUTER in query["sql"]]
    assert calls() == []


def test_a_move_calls_the_computer_that_is_on_turn_now(alice: User) -> None:
    game = against(alice)
    DBTaskResult.objects.all().delete()
    with CaptureQueriesContext(connection) as queries:
        play_moves(game, "11-15")
    assert not [query for query in queries if COMPUTER in query["sql"]]
    assert calls() == [[game.public_id, computer(1).pk, alice.pk]]


def test_a_member_who_is_called_like_a_computer_is_not_played_for(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(username=f"{COMPUTER}7")
    game = play_moves(make_game(alice, User.objects.get(pk=bob.pk)), "11-15")
    for row in DBTaskResult.objects.all():
        row.task.call(*row.task_result.args)
    assert Game.objects.get(pk=game.pk).version == 1
