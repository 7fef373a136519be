"""The menu of every page: where one is, how much waits beside its links, what guests and members find."""

from __future__ import annotations

import json
import re

from crownhead.server.accounts.models import User
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.invitations import services as invitation_services
from tests.server.pages.conftest import Open
from tests.server.pages.window import View
from tests.server.play.factories import NOW, make_game

_BADGE = re.compile(r'<span class="badge" data-badge="(\w+)"( hidden)?>.*?<b>(\d+)</b>\s*</span>', re.DOTALL)
_OF_GAMES = {"on_turn", "invitations"}


def shown(page: View) -> dict[str, int]:
    """The numbers of games and invitations that one sees in the menu."""
    found = _BADGE.findall(page.html.partition("<main")[0])
    return {name: int(number) for name, hidden, number in found if name in _OF_GAMES and not hidden}


def invite(creator: User, opponent: User) -> None:
    invitation_services.invite(
        creator=creator,
        opponent=opponent.username,
        options=GameOptions(variant="american", colour="first", days_per_move=3),
        message="",
        site="http://club.example",
        now=NOW,
    )


def test_games_on_turn_and_invitations_are_counted_on_every_page(
    window: Open, alice: User, bob: User
) -> None:
    make_game(alice, bob)
    invite(bob, alice)

    for path in ("/", "/watch/", "/rules/"):
        assert shown(window(alice).get(path)) == {"on_turn": 1, "invitations": 1}
        assert shown(window(bob).get(path)) == {}


def test_the_numbers_are_reported_by_name_to_pages_that_show_nothing_else_that_changes(
    window: Open, alice: User, bob: User
) -> None:
    make_game(alice, bob)
    invite(bob, alice)

    told = json.loads(window(alice).get("/badges/").html)

    assert told["on_turn"] == told["invitations"] == 1
    assert window().get("/badges/").html == "{}"


def test_a_fragment_tells_the_numbers_for_the_menu_that_stays(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob)

    page = window(alice).get("/", fragment=True)

    assert '<data hidden data-now="on_turn" value="1"></data>' in page.html
    assert '<data hidden data-now="invitations" value="0"></data>' in page.html


def test_the_menu_marks_the_page_one_is_on(window: Open, alice: User) -> None:
    page = window(alice).get("/waiting-room/")

    assert re.findall(r'href="([^"]*)" aria-current="page"', page.html) == ["/waiting-room/"]


def test_a_guest_finds_the_public_pages_and_the_way_in(window: Open) -> None:
    menu = window().get("/watch/").html.partition("<main")[0]

    for path in (
        "/new/",
        "/waiting-room/",
        "/watch/",
        "/analysis/",
        "/rules/",
        "/accounts/login/",
        "/accounts/signup/",
    ):
        assert f'href="{path}"' in menu
    for path in ("/invitations/", "/accounts/email/"):
        assert f'href="{path}"' not in menu
    assert "data-badge" not in menu


def test_the_menu_says_whose_page_it_is_by_a_key_that_stays(window: Open, alice: User, bob: User) -> None:
    assert f'data-reader="{alice.pk}">alice<' in window(alice).get("/").html
    assert f'data-reader="{bob.pk}">bob<' in window(bob).get("/").html
    assert "data-reader" not in window().get("/").html
