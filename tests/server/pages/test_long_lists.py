"""A page of a list shows fewer games where they are long, and the next goes on there."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.pages.views import archive, match, public
from crownhead.server.people.views import players
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game, Match
from tests.server.pages.conftest import Open
from tests.server.pages.window import View, Window
from tests.server.play.factories import NOW, make_game

LISTS = ("/games/finished/", "/players/alice/games/", "/players/alice/games/?show=running", "/watch/", "")


@pytest.fixture
def games(alice: User, bob: User) -> None:
    """Alice has three long games that are over, four that go on, and a match with three more."""
    for number in range(7):
        game = make_game(alice, bob, now=NOW + timedelta(minutes=number))
        if number < 3:
            resign(user=bob, game_id=game.public_id, now=NOW + timedelta(hours=1, minutes=number))
    game = make_game(alice, bob, games=3)
    for player in (bob, alice):
        resign(user=player, game_id=game.public_id, now=NOW)
        game = Game.objects.exclude(match=None).exclude(status="finished").get()
    Game.objects.update(moves="11-15 22-18", version=2)


def shown(html: str) -> list[str]:
    """The games of a page."""
    return re.findall(r'href="/games/(\w{12})/"', html)


def read_on(member: Window, address: str, page: View, way: str) -> list[View]:
    """The pages from one on by their links to older games (``after``) or newer ones (``before``)."""
    read = [page]
    while link := re.search(rf'href="(\?[^"]*{way}=[^"]*)"', read[-1].html):
        read.append(member.get(address.partition("?")[0] + unescape(link[1])))
    return read


def games_on(page: View) -> list[str]:
    return list(dict.fromkeys(shown(page.html)))


@pytest.mark.parametrize("address", LISTS)
def test_a_list_of_long_games_ends_earlier_and_goes_on_both_ways(
    address: str, games: None, window: Open, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = address or f"/matches/{Match.objects.get().public_id}/"
    member = window(alice)
    whole = games_on(member.get(address))
    for view in (archive, match, public, players):
        monkeypatch.setattr(view, "PLIES_OF_A_LIST", 5)

    forth = read_on(member, address, member.get(address), "after")
    back = read_on(member, address, forth[-1], "before")

    assert all(1 <= len(games_on(page)) <= 2 for page in (*forth, *back))
    assert [game for page in forth for game in games_on(page)] == whole
    assert {game for page in back for game in games_on(page)} == set(whole)


def test_games_as_most_are_fill_a_page(games: None, window: Open, alice: User) -> None:
    assert len(set(shown(window(alice).get("/games/finished/").html))) == 5
