"""Ways to begin a game as requests go them: outside of any transaction but those that the site opens itself.

Most tests run inside one, where a row can always be held.
"""

from __future__ import annotations

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from tests.server.play.factories import NOW, api_of, make_game, make_offer

pytestmark = pytest.mark.django_db(transaction=True)


def status(answer: object) -> int:
    return int(getattr(answer, "status_code", 0))


def test_a_game_against_the_computer(alice: User) -> None:
    body = {"variant": "american", "colour": "first", "days_per_move": 3, "computer": 1}
    assert status(api_of(alice).post("/games", body)) == 201
    browser = Client()
    browser.force_login(alice)
    form = {"variant": "american", "level": "1", "colour": "first"}
    assert status(browser.post("/new/computer/", form)) == 302
    form |= {"variant": "russian", "moves": "c3-d4 f6-g5"}
    assert status(browser.post("/computer/keep/", form)) == 302
    assert Game.objects.filter(status="playing").count() == 3


def test_games_of_two_members(alice: User, bob: User) -> None:
    body = {"variant": "american", "colour": "first", "days_per_move": 3}
    assert status(api_of(alice).post("/games", body)) == 201
    assert status(api_of(alice).post("/games", body | {"opponent": "bob"})) == 201
    offer = make_offer(alice)
    assert status(api_of(bob).post(f"/waiting-room/{offer.public_id}/join")) == 200
    over = make_game(alice, bob)
    resign(user=alice, game_id=over.public_id, now=NOW)
    assert status(api_of(alice).post(f"/games/{over.public_id}/rematch", {})) in (200, 201)
