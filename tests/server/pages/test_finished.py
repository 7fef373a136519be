"""The finished games of a member: filters, pages, their marks, and all of them in one file."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import pagination
from crownhead.server.play.chat import services as chat_services
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from tests.server.pages.conftest import Open
from tests.server.play.factories import DAY, NOW, make_game, play_moves

MOVES = ("11-15", "22-18", "15x22", "25x18")


@pytest.fixture
def won(alice: User, bob: User) -> Game:
    """Alice has won against Bob."""
    game = play_moves(make_game(alice, bob), *MOVES)
    return resign(user=bob, game_id=game.public_id, now=NOW)


@pytest.fixture
def lost(alice: User, charlie: User) -> Game:
    """Alice has lost against Charlie, a day later."""
    game = play_moves(make_game(alice, charlie, variant="anti", rated=True), *MOVES)
    return resign(user=alice, game_id=game.public_id, now=NOW + DAY)


def test_the_latest_comes_first_with_all_there_is_to_tell(
    window: Open, alice: User, won: Game, lost: Game
) -> None:
    chat_services.write_note(user=alice, game_id=won.public_id, text="a good one")

    page = window(alice).get("/games/finished/")

    assert page.html.index(lost.public_id) < page.html.index(won.public_id)
    assert "charlie 1662 ? provisional Anti-checkers Red move 3 You lost by resignation. rated" in page.text
    assert "bob American checkers Red move 3 You won by resignation. has a note" in page.text


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"won", "lost"}),
        ("?result=won", {"won"}),
        ("?result=lost&opponent=CHARLIE", {"lost"}),
        ("?variant=american", {"won"}),
        ("?since=2026-03-02", {"lost"}),
        ("?until=2026-03-01", {"won"}),
        ("?result=drawn", set()),
        ("?result=odd&variant=chess&since=yesterday&page=x", {"won", "lost"}),
    ],
)
def test_filters_keep_to_what_is_wanted_and_so_does_the_file(
    window: Open, alice: User, won: Game, lost: Game, query: str, found: set[str]
) -> None:
    member, games = window(alice), {"won": won, "lost": lost}

    page = member.get(f"/games/finished/{query}")
    file = member.get(f"/games/finished/all.pdn{query}")

    assert {name for name, game in games.items() if game.public_id in page.html} == found
    assert file.html.count("[Event ") == len(found)


def test_where_nothing_is_found_the_way_back_is_shown(window: Open, alice: User, won: Game) -> None:
    page = window(alice).get("/games/finished/?result=drawn")

    assert "No matching games." in page.text
    assert "Show all finished games" in page.text


def test_where_the_latest_games_match_nothing_the_older_ones_can_be_looked_through(
    window: Open, alice: User, won: Game, lost: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 1)
    for address in ("/games/finished/", f"/players/{alice.username}/games/"):
        latest = window(alice).get(f"{address}?result=won")
        assert "No matching games among the latest ones." in latest.text
        older = re.search(r'href="(\?[^"]*)">Older<', latest.html)
        assert older is not None
        assert won.public_id in window(alice).get(address + unescape(older[1])).html


def test_pages_keep_the_filters(window: Open, alice: User, bob: User) -> None:
    for number in range(26):
        game = play_moves(make_game(alice, bob), *MOVES)
        resign(user=bob, game_id=game.public_id, now=NOW + timedelta(minutes=number))

    page = window(alice).get("/games/finished/?result=won&opponent=bob")

    older = re.search(r'href="(\?[^"]*)">Older<', page.html)
    assert older is not None
    assert "result=won&amp;opponent=bob&amp;after=" in older[1]
    assert page.html.count('class="stretched-link"') == 25
    rest = window(alice).get("/games/finished/" + unescape(older[1]))
    assert rest.html.count('class="stretched-link"') == 1
    assert "Older" not in rest.text


def test_the_file_is_named_after_the_player_and_its_link_keeps_the_filters(
    window: Open, alice: User, won: Game
) -> None:
    member = window(alice)

    page = member.get("/games/finished/?result=won")

    assert 'href="/games/finished/all.pdn?result=won"' in page.html
    file = member.get("/games/finished/all.pdn?result=won")
    assert file.headers["Content-Disposition"] == 'attachment; filename="alice.pdn"'
    assert "1-0" in file.html


def test_a_guest_signs_in_first(window: Open) -> None:
    assert window().get("/games/finished/").location == "/accounts/login/?next=/games/finished/"
    assert window().get("/games/finished/all.pdn").status == 302
