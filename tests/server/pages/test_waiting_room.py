"""The waiting room: list, filter, take, withdraw."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.lobby.selectors import search
from crownhead.server.lobby.views import waiting_room
from crownhead.server.play.games.options import BankClock, LiveClock
from tests.server.conftest import PASSWORD
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, fresh, make_game, make_offer


def test_everybody_sees_the_open_games(window: Open, alice: User) -> None:
    make_offer(alice, variant="italian", colour="second", days_per_move=7, draw_rules="yourturnmyturn")

    page = window().get("/waiting-room/")

    assert "alice Italian draughts 7 days per move you play White draw rules of YourTurnMyTurn" in page.text


def test_the_list_can_be_kept_to_one_variant(window: Open, alice: User) -> None:
    make_offer(alice, variant="italian")
    make_offer(alice, variant="russian")

    page = window().get("/waiting-room/?variant=russian")

    assert page.html.count("Join alice's game") == 1
    assert "Join alice's game, Russian draughts" in page.html
    assert window().get("/waiting-room/?variant=chess").html.count("Join alice's game") == 2


def test_it_can_be_kept_to_a_pace_and_to_rated_games(window: Open, alice: User) -> None:
    live = make_offer(alice, days_per_move=None, clock=LiveClock(initial=180, increment=2))
    bank = make_offer(alice, days_per_move=None, clock=BankClock(time=72, bonus=12, limit=96), rated=True)
    slow = make_offer(alice)
    games, guest = (live, bank, slow), window()

    for query, found in (
        ("?pace=live", [live]),
        ("?pace=bank&rated=yes", [bank]),
        ("?pace=live&rated=yes", []),
        ("?rated=no", [live, slow]),
        ("?pace=odd&rated=odd&order=odd", [live, bank, slow]),
    ):
        page = guest.get(f"/waiting-room/{query}")
        assert [game for game in games if f"/games/{game.public_id}/" in page.html] == found


def test_it_can_be_put_into_another_order(window: Open, alice: User) -> None:
    days = make_offer(alice, days_per_move=2)
    long = make_offer(alice, variant="italian", days_per_move=9, now=NOW + timedelta(minutes=1))
    blitz = make_offer(alice, days_per_move=None, clock=LiveClock(initial=60), now=NOW + timedelta(minutes=2))

    for order, wanted in (
        ("new", [blitz, long, days]),
        ("old", [days, long, blitz]),
        ("quick", [blitz, days, long]),
        ("variant", [blitz, days, long]),
    ):
        html = window().get(f"/waiting-room/?order={order}").html
        places = [html.index(f"/games/{game.public_id}/") for game in wanted]
        assert places == sorted(places), order


def test_a_line_tells_what_else_is_agreed_on(window: Open, alice: User) -> None:
    make_offer(alice, weekends_off=True, rated=True, min_rating=1400, max_rating=1700, wins=3)
    make_offer(alice, colour="random", min_rating=1200)
    make_offer(alice, max_rating=1900, hidden=True)

    text = window().get("/waiting-room/").text

    assert (
        "3 days per move, weekends off you start as White First to 3 wins rated rating 1400 to 1700" in text
    )
    assert "random sides rating 1200 or higher" in text
    assert "you play White rating 1900 or lower private" in text


def test_a_player_who_is_out_of_range_is_told_so_instead_of_being_offered_the_game(
    window: Open, alice: User, bob: User
) -> None:
    game = make_offer(alice, min_rating=1600)
    member = window(bob)

    assert "Outside your rating" in member.get("/waiting-room/").text
    assert "Join alice's game" not in member.get("/waiting-room/").html
    answer = member.post(f"/waiting-room/{game.public_id}/take/")

    assert answer.status == 403
    assert "Your rating is outside the range of this game." in answer.text


def test_ones_own_game_is_withdrawn_where_it_stands(window: Open, alice: User) -> None:
    game = make_offer(alice)
    member = window(alice)

    assert "Withdraw your game, American checkers" in member.get("/waiting-room/").html
    answer = member.post(f"/waiting-room/{game.public_id}/withdraw/", {"back": "waiting-room"}, follow=True)

    assert "The game has been withdrawn." in answer.text
    assert "No open games right now." in answer.text


@pytest.mark.parametrize("order", ["new", "old", "variant", "quick", "strong"])
def test_pages_of_the_list_keep_the_filters(window: Open, alice: User, order: str) -> None:
    for minute in range(26):
        make_offer(alice, now=clock.now() - timedelta(minutes=minute))
    guest = window()

    first = guest.get(f"/waiting-room/?variant=american&order={order}")
    older = re.search(r'href="(\?[^"]*)">Older<', first.html)
    assert older is not None
    second = guest.get("/waiting-room/" + unescape(older[1]))
    newer = re.search(r'href="(\?[^"]*)">Newer<', second.html)
    assert newer is not None
    again = guest.get("/waiting-room/" + unescape(newer[1]))

    assert "variant=american" in older[1]
    assert f"order={order}" in older[1]
    shown = [re.findall(r"/games/(\w{12})/", page.html) for page in (first, second, again)]
    assert len(set(shown[0]) | set(shown[1])) == 26
    assert set(shown[2]) == set(shown[0])
    assert "Older" not in second.text


def test_who_searches_a_long_waiting_room_is_told_that_only_the_newest_are_looked_through(
    window: Open, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (search, waiting_room):
        monkeypatch.setattr(module, "MAX_SEARCHED", 2)
    for minute, variant in enumerate(("russian", "american", "american")):
        make_offer(alice, variant=variant, now=clock.now() - timedelta(minutes=minute))

    sorted_page = window().get("/waiting-room/?order=strong")
    assert "Only the newest 2 open games were searched." in sorted_page.text
    assert len(set(re.findall(r"/games/(\w{12})/", sorted_page.html))) == 2
    assert "were searched" not in window().get("/waiting-room/").text
    assert "were searched" not in window().get("/waiting-room/?order=strong&variant=american").text


def test_an_empty_waiting_room_says_what_to_do_next(window: Open, alice: User) -> None:
    assert "Create one and wait for an opponent." in window(alice).get("/waiting-room/").text
    assert "No matching games yet." in window(alice).get("/waiting-room/?variant=mule").text
    assert "Play a friend by link, or play the computer." in window().get("/waiting-room/").text


def test_taking_a_game_starts_it(window: Open, alice: User, bob: User) -> None:
    game = make_offer(alice)

    answer = window(bob).post(f"/waiting-room/{game.public_id}/take/", follow=True)

    assert "The game has started." in answer.text
    assert fresh(game).status == "playing"


def test_a_game_that_is_gone_is_reported_in_a_page(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    game = make_game(alice, bob)

    answer = window(charlie).post(f"/waiting-room/{game.public_id}/take/")

    assert answer.status == 409
    assert "This game is no longer available." in answer.text


def test_ones_own_game_cannot_be_taken(window: Open, alice: User) -> None:
    game = make_offer(alice)

    answer = window(alice).post(f"/waiting-room/{game.public_id}/take/")

    assert answer.status == 403
    assert "This is your own game. Somebody else has to join it." in answer.text


def test_the_creator_withdraws_and_nobody_else(window: Open, alice: User, bob: User) -> None:
    game = make_offer(alice)

    assert window(bob).post(f"/waiting-room/{game.public_id}/withdraw/").status == 403
    assert fresh(game).status == "waiting"
    answer = window(alice).post(f"/waiting-room/{game.public_id}/withdraw/", follow=True)

    assert "The game has been withdrawn." in answer.text
    assert fresh(game).status == "withdrawn"


def test_a_visitor_who_has_signed_up_to_take_a_game_comes_back_to_it(window: Open, alice: User) -> None:
    game = make_offer(alice, rated=True)
    guest = window()

    answer = guest.post(f"/waiting-room/{game.public_id}/take/")

    assert answer.location == f"/accounts/signup/?next=%2Fwaiting-room%2F{game.public_id}%2Ftake%2F"
    assert guest.get(f"/waiting-room/{game.public_id}/take/").location == f"/games/{game.public_id}/"
    assert fresh(game).status == "waiting"


def test_the_game_that_a_guest_took_is_remembered_through_sign_up(window: Open, alice: User) -> None:
    game = make_offer(alice, rated=True)
    guest, taken = window(), f"/waiting-room/{game.public_id}/take/"

    sign_in = guest.post(taken, follow=True)
    account = {"username": "eve", "email": "eve@stranger.example", "password1": PASSWORD, "next": taken}
    signed_up = guest.post("/accounts/signup/", account)
    found = guest.get(guest.get(signed_up.location).location)

    assert "then join the game" in sign_in.text
    assert f'value="{taken}"' in sign_in.html
    assert signed_up.location == taken
    assert "This is the game you wanted to join." in found.text
    assert f'action="{taken}"' in found.html


def test_an_unknown_game_is_not_found(window: Open, alice: User) -> None:
    answer = window(alice).post("/waiting-room/nowhere/take/")

    assert answer.status == 404
    assert "not found" in answer.text.casefold()
