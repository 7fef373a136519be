"""Taking moves back by consent."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import OutOfDate
from crownhead.server.play import problems
from crownhead.server.play.draws.services import offer_draw
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.presenters.state import game_state
from crownhead.server.play.take_backs.services import accept_take_back, ask_take_back, decline_take_back
from tests.server.play.factories import DAY, NOW, api_of, columns, fresh, make_game, play_moves, slug

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def _ask(user: User, game: Game) -> Game:
    return ask_take_back(user=user, game_id=game.public_id, now=NOW)


def _accept(user: User, game: Game) -> Game:
    return accept_take_back(user=user, game_id=game.public_id, now=NOW + DAY)


def test_the_last_move_is_taken_back_and_its_player_is_on_turn(alice: User, bob: User) -> None:
    game = _accept(bob, _ask(alice, play_moves(make_game(alice, bob), "11-15", "22-18", "15x22")))
    assert (game.moves, game.turn, game.take_back_by) == ("11-15 22-18", "first", None)
    assert (fresh(game).turn_since, fresh(game).deadline_at) == (NOW + DAY, NOW + 4 * DAY)


def test_a_move_that_was_answered_is_taken_back_with_the_answer(alice: User, bob: User) -> None:
    game = _accept(bob, _ask(alice, play_moves(make_game(alice, bob), "11-15", "22-18")))
    assert (game.moves, game.turn) == ("", "first")
    assert play_moves(game, "9-14").moves == "9-14"


def test_the_version_grows_so_that_no_old_page_can_move(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    taken = _accept(bob, _ask(alice, game))
    assert (game.version, taken.version, taken.turned_back) == (2, 3, 3)
    for version in (0, 2, 4):
        with pytest.raises(OutOfDate):
            play_move(user=alice, game_id=game.public_id, move="9-14", version=version, now=NOW)
    moved = play_move(user=alice, game_id=game.public_id, move="9-14", version=3, now=NOW)
    again = play_move(user=alice, game_id=game.public_id, move="9-14", version=3, now=NOW)
    assert (moved.version, again.moves) == (4, "9-14")


def test_a_request_lapses_when_the_opponent_moves_and_lives_on_when_one_moves(alice: User, bob: User) -> None:
    game = play_moves(_ask(alice, play_moves(make_game(alice, bob), "11-15", "22-18")), "15x22")
    assert game.take_back_by == "first"
    game = play_moves(game, "25x18")
    assert game.take_back_by is None
    with pytest.raises(problems.NoTakeBack):
        _accept(bob, game)


def test_a_declined_request_is_gone(alice: User, bob: User) -> None:
    game = _ask(alice, play_moves(make_game(alice, bob), "11-15"))
    game = decline_take_back(user=bob, game_id=game.public_id, now=NOW)
    assert (game.take_back_by, game.moves) == (None, "11-15")
    for _ in range(2):
        with pytest.raises(problems.AskedAlready):
            _ask(alice, game)
    assert not game_state(fresh(game), alice, NOW).rights.ask_take_back
    assert _ask(alice, play_moves(fresh(game), "22-18", "15x22")).take_back_by == "first"


def test_nobody_grants_their_own_request(alice: User, bob: User) -> None:
    game = _ask(alice, play_moves(make_game(alice, bob), "11-15"))
    with pytest.raises(problems.NoTakeBack):
        _accept(alice, game)


def test_asking_again_changes_nothing_and_the_opponent_answers_first(alice: User, bob: User) -> None:
    game = _ask(alice, play_moves(make_game(alice, bob), "11-15", "22-18"))
    before = columns(game)
    _ask(alice, game)
    with pytest.raises(problems.AnswerFirst):
        _ask(bob, game)
    assert columns(game) == before


def test_there_must_be_a_move_of_ones_own(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    for user in (alice, bob):
        with pytest.raises(problems.NoTakeBack):
            _ask(user, game)


def test_a_ballot_is_not_taken_back(alice: User, bob: User) -> None:
    game = make_game(alice, bob, variant="pro")
    opening = game.moves
    game = play_moves(
        game, json.loads(api_of().get(f"/games/{game.public_id}").content)["legal_moves"][0]["notation"]
    )
    asker, other = (bob, alice) if game.turn == "first" else (alice, bob)
    game = _accept(other, _ask(asker, game))
    assert (game.moves, game.version) == (opening, 5)


def test_nothing_is_taken_back_in_a_rated_game(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, rated=True), "11-15")
    with pytest.raises(problems.RatedGame):
        _ask(alice, game)


def test_what_a_live_clock_has_lost_it_keeps_lost(alice: User, bob: User) -> None:
    game = make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300, increment=3))
    game = play_moves(game, "11-15", now=NOW + 30 * SECOND)
    ask_take_back(user=alice, game_id=game.public_id, now=NOW + 60 * SECOND)
    game = accept_take_back(user=bob, game_id=game.public_id, now=NOW + 70 * SECOND)
    assert (game.first_left, game.second_left) == (293 * SECOND, 280 * SECOND)
    assert game.deadline_at == NOW + (70 + 20 + 293) * SECOND


def test_a_draw_offer_is_gone_with_the_position(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    offer_draw(user=bob, game_id=game.public_id, now=NOW)
    assert _accept(bob, _ask(alice, game)).draw_offer_by is None


def test_the_api_asks_grants_and_declines(alice: User, bob: User, charlie: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    path = f"/games/{game.public_id}/take-back"
    assert slug(api_of(charlie).post(path)) == "not-a-player"
    assert json.loads(api_of(alice).post(path).content)["take_back"] == "first"
    assert json.loads(api_of(bob).post(f"{path}/decline").content)["take_back"] is None
    assert slug(api_of(bob).post(f"{path}/accept")) == "no-take-back"
    assert slug(api_of(alice).post(path)) == "asked-already"
    game = play_moves(fresh(game), "22-18", "15x22")
    api_of(alice).post(path)
    body = json.loads(api_of(bob).post(f"{path}/accept").content)
    assert (body["moves"], body["version"], body["turn"]) == (["11-15", "22-18"], 4, "first")


def test_in_a_contest_no_move_is_taken_back(alice: User, bob: User) -> None:
    options = GameOptions(variant="american", colour="random", days_per_move=3)
    game = start_game(
        first=alice, second=bob, options=options, now=NOW, dice=Random(1), contest=Contest("ladder", "x", "X")
    )
    play_moves(game, "11-15")
    answer = api_of(alice).post(f"/games/{game.public_id}/take-back")
    assert slug(answer) == "contest-game"
    assert not game_state(fresh(game), alice, NOW).rights.ask_take_back
