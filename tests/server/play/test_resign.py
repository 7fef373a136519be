"""Giving up."""

from __future__ import annotations

import json

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.play import problems
from crownhead.server.play.draws.services import resign
from tests.server.play.factories import NOW, api_of, columns, make_game, make_offer, play_moves, slug

pytestmark = pytest.mark.django_db


def test_a_player_resigns_in_turn_or_not_and_the_other_wins(alice: User, bob: User) -> None:
    for user, winner in ((alice, "second"), (bob, "first")):
        game = resign(user=user, game_id=make_game(alice, bob).public_id, now=NOW)
        assert (game.status, game.winner, game.termination) == ("finished", winner, "resignation")
        assert (game.turn, game.deadline_at, game.ended_at) == (None, None, NOW)


def test_a_stranger_cannot_resign_for_anybody(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    before = columns(game)
    with pytest.raises(problems.NotAPlayer):
        resign(user=charlie, game_id=game.public_id, now=NOW)
    assert columns(game) == before


def test_a_finished_game_is_not_resigned_again(alice: User, bob: User) -> None:
    game = resign(user=alice, game_id=make_game(alice, bob).public_id, now=NOW)
    before = columns(game)
    with pytest.raises(problems.GameOver):
        resign(user=bob, game_id=game.public_id, now=NOW)
    assert columns(game) == before


def test_a_waiting_game_is_not_resigned(alice: User) -> None:
    for colour in ("first", "random"):
        with pytest.raises(problems.NotInProgress):
            resign(user=alice, game_id=make_offer(alice, colour=colour).public_id, now=NOW)


def test_the_api_tells_who_won(alice: User, bob: User) -> None:
    path = f"/games/{play_moves(make_game(alice, bob), '11-15').public_id}"
    body = json.loads(api_of(alice).post(f"{path}/resign").content)
    assert body["outcome"] == {"winner": "second", "termination": "resignation", "result": "0-1"}
    assert (body["turn"], body["legal_moves"], body["deadline"]) == (None, [], None)
    answer = api_of(bob).post(f"{path}/moves", {"move": "22-18", "version": 1})
    assert (answer.status_code, slug(answer)) == (409, "game-over")
