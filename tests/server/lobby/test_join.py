"""Taking a game from the waiting room."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.lobby import services
from crownhead.server.play import problems
from tests.server.play.factories import DAY, NOW, api_of, columns, fresh, make_offer, play_moves, slug

pytestmark = pytest.mark.django_db


def test_a_game_that_is_taken_starts_and_its_clock_runs(alice: User, bob: User) -> None:
    game = services.join_game(user=bob, game_id=make_offer(alice).public_id, now=NOW + DAY)
    assert (game.status, game.first_player, game.second_player) == ("playing", alice, bob)
    assert (game.turn, game.deadline_at, game.started_at) == ("first", NOW + 4 * DAY, NOW + DAY)


def test_a_player_who_takes_a_game_gets_the_side_that_is_left(alice: User, bob: User) -> None:
    game = services.join_game(user=bob, game_id=make_offer(alice, colour="second").public_id, now=NOW)
    assert (game.first_player, game.second_player) == (bob, alice)


def test_a_random_side_is_drawn_when_the_game_is_taken(alice: User, bob: User) -> None:
    game = services.join_game(user=bob, game_id=make_offer(alice, colour="random").public_id, now=NOW)
    assert {game.first_player, game.second_player} == {alice, bob}


def test_after_a_first_move_on_creation_the_one_who_joins_is_to_move(alice: User, bob: User) -> None:
    offered = make_offer(alice, first_move="11-15")
    game = services.join_game(user=bob, game_id=offered.public_id, now=NOW)
    assert (game.turn, game.version) == ("second", 1)
    assert play_moves(game, "22-18").moves == "11-15 22-18"


def test_nobody_joins_their_own_game(alice: User) -> None:
    game = make_offer(alice)
    before = columns(game)
    with pytest.raises(problems.OwnGame):
        services.join_game(user=alice, game_id=game.public_id, now=NOW)
    assert columns(game) == before


def test_a_game_is_taken_once(alice: User, bob: User, charlie: User) -> None:
    game = make_offer(alice)
    services.join_game(user=bob, game_id=game.public_id, now=NOW)
    before = columns(game)
    for user in (charlie, bob):
        with pytest.raises(problems.NotWaiting, match="already joined"):
            services.join_game(user=user, game_id=game.public_id, now=NOW)
    assert columns(game) == before


def test_a_withdrawn_game_is_not_taken(alice: User, bob: User) -> None:
    game = make_offer(alice)
    services.withdraw_game(user=alice, game_id=game.public_id, now=NOW)
    with pytest.raises(problems.NotWaiting, match="withdrawn"):
        services.join_game(user=bob, game_id=game.public_id, now=NOW)


def test_the_hosts_limit_holds_for_those_who_join(alice: User, bob: User, settings: Any) -> None:
    settings.GAMES_PER_PLAYER = 1
    make_offer(bob)
    game = make_offer(alice)
    with pytest.raises(problems.TooManyGames):
        services.join_game(user=bob, game_id=game.public_id, now=NOW)
    assert fresh(game).status == "waiting"


def test_the_api_answers_with_the_game_under_the_same_id(alice: User, bob: User) -> None:
    game = make_offer(alice)
    answer = api_of(bob).post(f"/waiting-room/{game.public_id}/join")
    body = json.loads(answer.content)
    assert answer.status_code == 200
    assert (body["id"], body["status"], body["turn"]) == (game.public_id, "playing", "first")
    assert len(body["legal_moves"]) == 7


def test_the_api_tells_each_refusal_apart(alice: User, bob: User) -> None:
    game = make_offer(alice)
    path = f"/waiting-room/{game.public_id}/join"
    for user, where, status, name in (
        (None, path, 401, "not-signed-in"),
        (alice, path, 403, "own-game"),
        (bob, "/waiting-room/aaaaaaaaaaaa/join", 404, "not-found"),
        (bob, path, 200, ""),
        (bob, path, 409, "not-waiting"),
    ):
        answer = api_of(user).post(where)
        assert answer.status_code == status
        assert status == 200 or slug(answer) == name
