"""Somebody who plays without an account reports a game of theirs to the staff, and nothing else."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitations
from crownhead.server.play.invitations.selectors import link_token
from crownhead.server.play.models import Game
from crownhead.server.social.models import Report
from tests.server.guests import browser_of, make_guest
from tests.server.play.factories import make_game
from tests.server.social.conftest import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(db: None) -> User:
    """Somebody without an account."""
    return make_guest()


@pytest.fixture
def game(alice: User, guest: User) -> Game:
    """A game of Alice and the guest."""
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    offered = invitations.offer_by_link(creator=alice, options=terms, now=NOW)
    return invitations.accept_link(user=guest, token=link_token(offered), now=NOW)


def test_a_guest_reports_their_game_from_its_page(alice: User, guest: User, game: Game) -> None:
    browser, path = browser_of(guest), f"/report/game/{game.public_id}/"
    assert path in browser.get(f"/games/{game.public_id}/").content.decode()
    assert browser.get(path).status_code == 200

    answer = browser.post(path, {"reason": "They never move."}, follow=True)

    assert "The staff will look at it." in answer.content.decode()
    assert answer.redirect_chain == [(f"/games/{game.public_id}/", 302)]
    row = Report.objects.get()
    assert (row.reporter, row.about, row.kind) == (guest, alice, "game")


def test_a_guest_reports_a_game_once(guest: User, game: Game) -> None:
    browser = browser_of(guest)
    for status in (302, 409):
        answer = browser.post(f"/report/game/{game.public_id}/", {"reason": "They never move."})
        assert answer.status_code == status
    assert Report.objects.count() == 1


def test_a_guest_reports_neither_games_of_others_nor_anything_else(
    alice: User, bob: User, guest: User, game: Game
) -> None:
    other = make_game(alice, bob, now=NOW)
    browser = browser_of(guest)
    assert browser.get(f"/report/game/{other.public_id}/").status_code == 404
    assert (
        f"/report/game/{other.public_id}/" not in browser.get(f"/games/{other.public_id}/").content.decode()
    )
    for path in ("/report/player/alice/", f"/report/chat/{game.public_id}/"):
        assert browser.get(path).headers["Location"].startswith("/accounts/login/")


def test_a_visitor_who_plays_nowhere_is_asked_to_sign_in(game: Game) -> None:
    answer = Client().get(f"/report/game/{game.public_id}/")
    assert answer.headers["Location"].startswith("/accounts/login/")


def test_reports_of_guests_are_counted_by_their_address(alice: User, settings: Settings) -> None:
    settings.LIMITS = {**settings.LIMITS, "reports": "1/h"}
    terms = GameOptions(variant="american", colour="first", days_per_move=3)
    answers = []
    for _ in range(2):
        guest = make_guest()
        offered = invitations.offer_by_link(creator=alice, options=terms, now=NOW)
        game = invitations.accept_link(user=guest, token=link_token(offered), now=NOW)
        answer = browser_of(guest).post(f"/report/game/{game.public_id}/", {"reason": "Rude."})
        answers.append(answer.status_code)
    assert answers == [302, 429]
