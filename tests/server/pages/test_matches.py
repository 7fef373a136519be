"""The page of a match, and the marks that lead to it."""

from __future__ import annotations

import re

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.pages.views import match as match_view
from crownhead.server.play.draws.services import accept_draw, offer_draw, resign
from crownhead.server.play.models import Game, Match
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, make_offer


def _address() -> str:
    return f"/matches/{Match.objects.get().public_id}/"


def _resign(user: User, game: Game) -> None:
    resign(user=user, game_id=game.public_id, now=NOW)


def test_a_match_shows_its_score_and_links_to_its_games(window: Open, alice: User, bob: User) -> None:
    _resign(bob, make_game(alice, bob, games=2))

    page = window().get(_address())

    assert "Match of 2 games American checkers · 3 days per move alice 1 bob 0" in page.text
    assert "alice leads, 1 to 0. 1 game to go." in page.text
    one, two = Game.objects.order_by("match_number")
    assert page.html.index(f"/games/{two.public_id}/") < page.html.index(f"/games/{one.public_id}/")
    assert "Red wins by resignation. alice moves first" in page.text
    assert "Red to move. bob moves first move 1" in page.text


def test_a_long_match_is_shown_in_parts(
    window: Open, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_view, "PER_PAGE", 2)
    make_game(alice, bob, games=5)
    for _ in range(3):
        _resign(bob, Game.objects.exclude(status="finished").get())

    first = window(alice).get(_address())
    assert "Game 4" in first.text
    assert "Game 3" in first.text
    assert "Game 2" not in first.text

    older = window(alice).get(_address() + re.findall(r'href="(\?after=[^"]+)"', first.html)[0])
    assert "Game 1" in older.text
    assert "Game 3" not in older.text
    assert "alice leads, 3 to 0. 2 games to go." in older.text


def test_a_drawn_game_counts_half(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, games=2)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    accept_draw(user=bob, game_id=game.public_id, now=NOW)

    page = window(alice).get(_address())

    assert "alice ½ bob ½ It is ½ to ½. 1 game to go." in page.text


def test_a_match_of_wins_says_what_there_is_to_reach(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob, wins=3)

    page = window(bob).get(_address())

    assert "It is 0 to 0. The first to win 3 games wins the match." in page.text


def test_a_match_of_wins_shows_wins_and_not_points(window: Open, alice: User, bob: User) -> None:
    drawn = make_game(alice, bob, wins=3)
    offer_draw(user=alice, game_id=drawn.public_id, now=NOW)
    accept_draw(user=bob, game_id=drawn.public_id, now=NOW)
    second = Game.objects.get(status="playing")
    _resign(bob, second)

    page = window(alice).get(_address())

    assert "alice 1 bob 0 alice leads, 1 to 0. The first to win 3 games wins the match." in page.text
    assert "alice 1, bob 0" in window(alice).get(f"/games/{second.public_id}/").text


def test_how_a_match_ended_is_reported(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob, games=2)
    for game in Game.objects.all():
        _resign(alice, game)

    assert "bob wins the match, 2 to 0." in window().get(_address()).text


def test_a_match_that_ended_level_is_drawn(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob, games=2)
    for user, game in zip((alice, bob), Game.objects.all(), strict=True):
        _resign(user, game)

    assert "The match is drawn, 1 to 1." in window().get(_address()).text


def test_a_match_that_waits_says_so(window: Open, alice: User) -> None:
    make_offer(alice, games=4)

    page = window().get(_address())

    assert "The match starts when somebody joins." in page.text
    assert "Nobody yet" in page.text


def test_games_of_a_match_lead_to_it(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob, games=2)

    page = window(alice).get("/")

    assert f'href="{_address()}"' in page.html
    assert "Match of 2 games, game 1" in page.text
    assert "Match of 2 games, game 2" in page.text


def test_a_hidden_match_is_there_for_its_players_alone(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob, games=2, hidden=True)

    assert window(bob).get(_address()).status == 200
    assert window().get(_address()).status == 404
    assert window().get("/matches/nonesuch/").status == 404
