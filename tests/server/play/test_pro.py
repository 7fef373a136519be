"""Pro checkers: a ballot is drawn when the game starts, its three plies are made beforehand."""

from __future__ import annotations

import json
from random import Random

import pytest

from crownhead.openings import three_move_deck
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import OutOfDate
from crownhead.server.play.games import services as game_services
from crownhead.server.play.moves.services import play_move
from tests.server.play.factories import NOW, api_of, make_game, make_offer, play_moves

pytestmark = pytest.mark.django_db


def test_a_game_starts_after_a_ballot_with_the_second_player_to_move(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    ballot = three_move_deck().by_number(game.opening or 0)
    assert ballot in three_move_deck().playable
    assert (game.version, game.turn, game.status) == (3, "second", "playing")
    body = json.loads(api_of().get(f"/games/{game.public_id}").content)
    assert (body["opening"], body["opening_plies"], len(body["moves"])) == (ballot.number, 3, 3)


def test_no_ballot_is_drawn_while_a_game_waits(alice: User) -> None:
    game = make_offer(alice, variant="pro")
    assert (game.opening, game.moves, game.version) == (None, "", 0)


def test_ballots_are_drawn_by_the_dice_from_the_whole_deck(alice: User, bob: User) -> None:
    numbers = {make_game(alice, bob, variant="pro", seed=seed).opening for seed in range(40)}
    assert len(numbers) > 20
    assert (
        make_game(alice, bob, variant="pro", seed=7).opening
        == make_game(alice, bob, variant="pro", seed=7).opening
    )


def test_the_first_move_of_a_player_follows_the_ballot(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    move = json.loads(api_of().get(f"/games/{game.public_id}").content)["legal_moves"][0]["notation"]
    after = play_moves(game, move)
    assert (after.version, after.turn, len(after.moves.split())) == (4, "first", 4)


def test_a_ballots_moves_are_nobodys_own(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    with pytest.raises(OutOfDate):
        play_move(user=alice, game_id=game.public_id, move=game.moves.split()[0], version=0, now=NOW)


def test_the_ballot_is_in_the_record(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    text = api_of().get(f"/games/{game.public_id}.pdn").content.decode()
    assert "FEN" not in text
    for move in three_move_deck().by_number(game.opening or 0).moves:
        assert move in text


def test_a_random_side_is_drawn_by_the_dice(alice: User, bob: User) -> None:
    firsts = set()
    for seed in range(20):
        game = make_offer(alice, colour="random")
        started = game_services.join(user=bob, game_id=game.public_id, now=NOW, dice=Random(seed))
        assert started.first_player is not None
        assert {started.first_player, started.second_player} == {alice, bob}
        firsts.add(started.first_player.username)
    assert firsts == {"alice", "bob"}
