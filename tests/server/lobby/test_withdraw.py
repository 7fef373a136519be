"""Taking one's own game back out of the waiting room."""

from __future__ import annotations

import json

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Forbidden
from crownhead.server.lobby import services
from crownhead.server.play import problems
from tests.server.play.factories import NOW, api_of, columns, fresh, make_offer, slug

pytestmark = pytest.mark.django_db


def test_ones_own_game_is_withdrawn(alice: User) -> None:
    game = services.withdraw_game(user=alice, game_id=make_offer(alice).public_id, now=NOW)
    assert (game.status, game.ended_at) == ("withdrawn", NOW)


def test_withdrawing_again_changes_nothing(alice: User) -> None:
    game = services.withdraw_game(user=alice, game_id=make_offer(alice).public_id, now=NOW)
    before = columns(game)
    services.withdraw_game(user=alice, game_id=game.public_id, now=NOW)
    assert columns(game) == before


def test_another_players_game_is_not_withdrawn(alice: User, bob: User) -> None:
    game = make_offer(alice)
    with pytest.raises(Forbidden):
        services.withdraw_game(user=bob, game_id=game.public_id, now=NOW)
    assert fresh(game).status == "waiting"


def test_a_game_that_was_taken_is_not_withdrawn(alice: User, bob: User) -> None:
    game = services.join_game(user=bob, game_id=make_offer(alice).public_id, now=NOW)
    with pytest.raises(problems.NotWaiting):
        services.withdraw_game(user=alice, game_id=game.public_id, now=NOW)
    assert fresh(game).status == "playing"


def test_the_api_withdraws_and_tells_each_refusal_apart(alice: User, bob: User) -> None:
    path = f"/waiting-room/{make_offer(alice).public_id}"
    for user, where, status, name in (
        (None, path, 401, "not-signed-in"),
        (bob, path, 403, "forbidden"),
        (alice, "/waiting-room/aaaaaaaaaaaa", 404, "not-found"),
    ):
        answer = api_of(user).delete(where)
        assert (answer.status_code, slug(answer)) == (status, name)
    answer = api_of(alice).delete(path)
    assert (answer.status_code, json.loads(answer.content)["status"]) == (200, "withdrawn")
    assert api_of(bob).post(f"{path}/join").status_code == 409
