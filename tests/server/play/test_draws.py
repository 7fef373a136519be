"""Draws: offered in and out of turn, accepted, declined, lapsed, come of themselves, claimed."""

from __future__ import annotations

import json

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.play import problems
from crownhead.server.play.draws.services import accept_draw, decline_draw, offer_draw
from crownhead.server.play.models import Game
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.presenters.state import game_state
from tests.server.play.factories import (
    NOW,
    api_of,
    columns,
    fresh,
    make_game,
    make_game_from,
    play_moves,
    slug,
)

pytestmark = pytest.mark.django_db
SHUFFLE = ("1-5", "32-28", "5-1", "28-32") * 2  # the start stands for the third time after these
TWO_KINGS = "B:WK32:BK1"


def _offer(user: User, game: Game) -> Game:
    return offer_draw(user=user, game_id=game.public_id, now=NOW)


def _accept(user: User, game: Game) -> Game:
    return accept_draw(user=user, game_id=game.public_id, now=NOW)


def _decline(user: User, game: Game) -> Game:
    return decline_draw(user=user, game_id=game.public_id, now=NOW)


def test_a_draw_is_offered_in_turn_or_not_and_is_no_move(alice: User, bob: User) -> None:
    for user, seat in ((alice, "first"), (bob, "second")):
        game = _offer(user, make_game(alice, bob))
        assert (game.draw_offer_by, game.version, game.turn) == (seat, 0, "first")


def test_an_offer_does_not_put_the_opponents_page_out_of_date(alice: User, bob: User) -> None:
    game = _offer(bob, make_game(alice, bob))
    assert play_move(user=alice, game_id=game.public_id, move="11-15", version=0, now=NOW).moves == "11-15"


def test_an_offer_lapses_when_the_opponent_moves_without_answering(alice: User, bob: User) -> None:
    game = play_moves(_offer(bob, make_game(alice, bob)), "11-15")
    assert game.draw_offer_by is None
    with pytest.raises(problems.NoDrawOffer):
        _accept(alice, game)


def test_an_offer_lives_on_when_the_one_who_made_it_moves(alice: User, bob: User) -> None:
    game = play_moves(_offer(alice, make_game(alice, bob)), "11-15")
    assert game.draw_offer_by == "first"
    assert play_moves(game, "22-18").draw_offer_by is None


def test_an_accepted_offer_ends_the_game_by_agreement(alice: User, bob: User) -> None:
    game = _accept(alice, _offer(bob, make_game(alice, bob)))
    assert (game.status, game.winner, game.termination) == ("finished", None, "agreement")
    assert (fresh(game).draw_offer_by, fresh(game).ended_at) == (None, NOW)


def test_offering_while_the_opponents_offer_is_pending_accepts_it(alice: User, bob: User) -> None:
    assert _offer(alice, _offer(bob, make_game(alice, bob))).termination == "agreement"


def test_offering_again_changes_nothing(alice: User, bob: User) -> None:
    game = _offer(alice, make_game(alice, bob))
    before = columns(game)
    _offer(alice, game)
    assert columns(game) == before


def test_a_declined_offer_is_gone_and_is_made_again_only_after_a_move(alice: User, bob: User) -> None:
    game = _decline(alice, _offer(bob, make_game(alice, bob)))
    assert (game.status, game.draw_offer_by) == ("playing", None)
    for _ in range(3):
        with pytest.raises(problems.AskedAlready):
            _offer(bob, game)
    assert not game_state(fresh(game), bob, NOW).rights.offer_draw
    assert game_state(fresh(game), alice, NOW).rights.offer_draw
    play_moves(game, "11-15")
    with pytest.raises(problems.AskedAlready):
        _offer(bob, game)
    assert _offer(bob, play_moves(fresh(game), "22-18")).draw_offer_by == "second"


def test_an_offer_that_lapsed_is_not_repeated_before_a_move(alice: User, bob: User) -> None:
    game = play_moves(_offer(bob, make_game(alice, bob)), "11-15")
    with pytest.raises(problems.AskedAlready):
        _offer(bob, game)


def test_nobody_answers_their_own_offer_or_none(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    for answer in (_accept, _decline):
        with pytest.raises(problems.NoDrawOffer):
            answer(alice, game)
    _offer(alice, game)
    for answer in (_accept, _decline):
        with pytest.raises(problems.NoDrawOffer):
            answer(alice, game)
    assert fresh(game).draw_offer_by == "first"


def test_a_stranger_has_no_say_in_a_draw(alice: User, bob: User, charlie: User) -> None:
    game = _offer(alice, make_game(alice, bob))
    for act in (_offer, _accept, _decline):
        with pytest.raises(problems.NotAPlayer):
            act(charlie, game)


@pytest.mark.parametrize("rules", ["itsyourturn", "yourturnmyturn"])
def test_a_third_repetition_is_a_draw_by_the_rules_of_the_sites(alice: User, bob: User, rules: str) -> None:
    game = play_moves(make_game_from(TWO_KINGS, alice, bob, draw_rules=rules), *SHUFFLE)
    assert (game.status, game.winner, game.termination) == ("finished", None, "repetition")


def test_by_the_federations_rules_the_third_time_must_be_claimed(alice: User, bob: User) -> None:
    game = play_moves(make_game_from(TWO_KINGS, alice, bob), *SHUFFLE)
    assert game.status == "playing"
    door = api_of(bob)
    assert json.loads(door.get(f"/games/{game.public_id}").content)["claimable_draws"] == ["repetition"]
    body = json.loads(door.post(f"/games/{game.public_id}/draw-claim").content)
    assert body["outcome"] == {"winner": None, "termination": "repetition", "result": "1/2-1/2"}


def test_a_draw_that_does_not_stand_cannot_be_claimed(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    answer = api_of(alice).post(f"/games/{game.public_id}/draw-claim")
    assert (answer.status_code, slug(answer)) == (409, "no-draw-to-claim")
    assert fresh(game).status == "playing"


def test_the_api_shows_the_offer_and_the_agreement(alice: User, bob: User) -> None:
    path = f"/games/{make_game(alice, bob).public_id}/draw-offer"
    assert json.loads(api_of(alice).post(path).content)["draw_offer"] == "first"
    assert json.loads(api_of(bob).post(f"{path}/decline").content)["draw_offer"] is None
    api_of(bob).post(path)
    body = json.loads(api_of(alice).post(f"{path}/accept").content)
    assert body["status"] == "finished"
    assert body["outcome"] == {"winner": None, "termination": "agreement", "result": "1/2-1/2"}
    answer = api_of(alice).post(f"{path}/accept")
    assert (answer.status_code, slug(answer)) == (409, "game-over")
