"""The start page: for a guest what this is, for a member his games."""

from __future__ import annotations

from datetime import timedelta

from crownhead.server.accounts.models import User
from crownhead.server.play import services
from tests.server.pages.conftest import Open
from tests.server.play.table import NOW, begin, offer, play


def test_a_guest_is_told_what_this_is_and_shown_a_board(window: Open) -> None:
    page = window().get("/")

    assert page.status == 200
    assert "Checkers at your own pace" in page.text
    assert "Sign up and play" in page.text
    assert 'class="diagram"' in page.html
    assert "Nobody waits at the moment." in page.text


def test_a_guest_sees_who_waits_for_an_opponent(window: Open, alice: User) -> None:
    offer(alice)

    page = window().get("/")

    assert "alice American checkers 3 days per move you play White" in page.text


def test_a_new_member_is_told_what_to_do_next(window: Open, alice: User) -> None:
    page = window(alice).get("/")

    assert "You are not playing yet." in page.text
    assert 'href="/waiting-room/"' in page.html
    assert 'href="/new/"' in page.html


def test_games_on_turn_come_first_by_time_left(window: Open, alice: User, bob: User) -> None:
    slow = begin(alice, bob, days_per_move=9)
    quick = begin(alice, bob, days_per_move=2)
    his = play(begin(alice, bob, days_per_move=1), "11-15")

    page = window(alice).get("/")

    places = [page.html.index(f"/games/{game.public_id}/") for game in (quick, slow, his)]
    assert places == sorted(places)
    assert page.text.startswith("(2) My games · Crownhead")
    assert "Your opponent's turn" in page.text
    assert "2 days left" in page.text


def test_waiting_room_entries_of_mine_can_be_withdrawn(window: Open, alice: User) -> None:
    mine = offer(alice)

    page = window(alice).get("/")

    assert f'action="/waiting-room/{mine.public_id}/withdraw/"' in page.html
    assert "expires in 14 days" in page.text


def test_finished_games_tell_their_result(window: Open, alice: User, bob: User) -> None:
    game = begin(alice, bob)
    services.resign(user=bob, game_id=game.public_id, now=NOW + timedelta(hours=1))

    page = window(alice).get("/")

    assert "Finished lately" in page.text
    assert "Red wins: White resigned." in page.text


def test_the_number_of_games_on_turn_is_told_bare(window: Open, alice: User, bob: User) -> None:
    begin(alice, bob)

    assert window(alice).get("/on-turn/").html == "1"
    assert window(bob).get("/on-turn/").html == "0"
    assert window().get("/on-turn/").location == "/accounts/login/?next=/on-turn/"


def test_only_the_content_is_sent_where_only_that_is_asked_for(window: Open, alice: User) -> None:
    page = window(alice).get("/", fragment=True)

    assert "<html" not in page.html
    assert "My games" in page.text
    assert "HX-Request" in page.headers["Vary"]
