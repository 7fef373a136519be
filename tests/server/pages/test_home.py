"""The home page: an introduction for guests, their games for members."""

from __future__ import annotations

from datetime import timedelta

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.play.chat import services as chat_services
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import BankClock, LiveClock
from tests.server.pages.conftest import Open
from tests.server.play.factories import NOW, make_game, make_offer, play_moves


def test_a_guest_is_told_what_this_is_and_shown_a_board(window: Open) -> None:
    page = window().get("/")

    assert page.status == 200
    assert "Checkers at your own pace" in page.text
    assert "Sign up and play" in page.text
    assert 'class="diagram"' in page.html
    assert "No open games right now." in page.text


def test_a_guest_sees_who_waits_for_an_opponent(window: Open, alice: User) -> None:
    make_offer(alice)

    page = window().get("/")

    assert "alice American checkers 3 days per move you play White" in page.text


def test_a_new_member_is_told_what_to_do_next(window: Open, alice: User) -> None:
    page = window(alice).get("/")

    assert "You have no games yet." in page.text
    assert 'href="/waiting-room/"' in page.html
    assert 'href="/new/"' in page.html


def test_games_on_turn_come_first_by_time_left(window: Open, alice: User, bob: User) -> None:
    slow = make_game(alice, bob, days_per_move=9)
    quick = make_game(alice, bob, days_per_move=2)
    theirs = play_moves(make_game(alice, bob, days_per_move=1), "11-15")

    page = window(alice).get("/")

    places = [page.html.index(f"/games/{game.public_id}/") for game in (quick, slow, theirs)]
    assert places == sorted(places)
    assert page.text.startswith("(2) My games · Crownhead")
    assert "Your opponent's turn" in page.text
    assert "2 days left" in page.text


def test_waiting_room_entries_of_mine_can_be_withdrawn(window: Open, alice: User) -> None:
    mine = make_offer(alice)

    page = window(alice).get("/")

    assert f'action="/waiting-room/{mine.public_id}/withdraw/"' in page.html
    assert "expires in 14 days" in page.text


def test_finished_games_tell_their_result(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    resign(user=bob, game_id=game.public_id, now=NOW + timedelta(hours=1))

    page = window(alice).get("/")

    assert "Recently finished" in page.text
    assert "You won by resignation." in page.text


def test_games_that_ended_since_the_last_visit_are_marked(window: Open, alice: User, bob: User) -> None:
    early, late = make_game(alice, bob), make_game(alice, bob)
    resign(user=bob, game_id=early.public_id, now=NOW)
    member = window(alice)
    member.get("/")
    with clock.stopped(NOW + timedelta(hours=5)):
        resign(user=bob, game_id=late.public_id, now=clock.now())
    with clock.stopped(NOW + timedelta(hours=9)):
        page, again = member.get("/"), member.get("/")

    for shown in (page, again):
        assert shown.html.count('<span class="turn-mark">new</span>') == 1
        assert shown.html.index(late.public_id) < shown.html.index("turn-mark")
        assert shown.html.index("turn-mark") < shown.html.index(early.public_id)


def test_all_that_ended_since_the_last_visit_is_shown(window: Open, alice: User, bob: User) -> None:
    member = window(alice)
    member.get("/")
    games = [make_game(alice, bob) for _ in range(7)]
    with clock.stopped(NOW + timedelta(hours=9)):
        for game in games:
            resign(user=bob, game_id=game.public_id, now=clock.now())
        page = member.get("/")

    assert all(game.public_id in page.html for game in games)


def test_a_line_tells_my_side_the_rating_and_whether_i_keep_a_note(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, variant="russian", rated=True)
    chat_services.write_note(user=alice, game_id=game.public_id, text="trap on the left")

    assert "bob Russian draughts White move 1 3 days per move rated has a note" in window(alice).get("/").text
    assert "has a note" not in window(bob).get("/").text


def test_clocks_tell_what_is_left_of_them(window: Open, alice: User, bob: User) -> None:
    make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300, increment=3))
    make_game(alice, bob, days_per_move=None, clock=BankClock(time=72, bonus=12, limit=96))

    with clock.stopped(NOW + timedelta(seconds=53)):
        page = window(alice).get("/")

    assert "5 min + 3 s 4:07 left" in page.text
    assert "72 h + 12 h per move, at most 96 h 2 days 23 hours left" in page.text


def test_only_the_content_is_sent_where_only_that_is_asked_for(window: Open, alice: User) -> None:
    page = window(alice).get("/", fragment=True)

    assert "<html" not in page.html
    assert "My games" in page.text
    assert "HX-Request" in page.headers["Vary"]
