"""The home page: an introduction for guests, their games for members."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from crownhead import VARIANTS
from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_preferences
from crownhead.server.accounts.services.computers import computer
from crownhead.server.core import clock
from crownhead.server.pages.views.home import MAX_GAMES
from crownhead.server.play.chat import services as chat_services
from crownhead.server.play.draws.services import offer_draw, resign
from crownhead.server.play.games.options import BankClock, LiveClock
from crownhead.server.social.models import News
from tests.server.competitions.factories import make_tournament
from tests.server.conftest import make_user
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


def test_the_front_page_of_an_empty_club_invites(window: Open) -> None:
    page = window().get("/")

    assert "This club has just opened. Be its first member" in page.text
    assert "No tournaments right now." in page.text
    assert "Live now" not in page.text
    assert "here now" not in page.text


def test_a_club_of_members_who_do_not_show_when_they_were_here_has_not_just_opened(
    window: Open, alice: User
) -> None:
    page = window().get("/")

    assert "This club has just opened." not in page.text
    assert "Members All players" in page.text


def test_the_front_page_of_a_young_club_lists_its_members(window: Open, alice: User, bob: User) -> None:
    User.objects.filter(pk=alice.pk).update(last_seen_at=NOW - timedelta(days=2))
    User.objects.filter(pk=bob.pk).update(last_seen_at=NOW)

    page = window().get("/")

    assert "Members bob alice All players" in page.text


def test_the_front_page_shows_a_running_game_and_prefers_a_live_one(
    window: Open, alice: User, bob: User
) -> None:
    clock_of: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=3600)}
    quiet = make_game(alice, bob)
    assert f'href="/games/{quiet.public_id}/"' in window().get("/").html

    with clock.stopped(NOW + timedelta(minutes=1)):
        live = play_moves(
            make_game(bob, alice, now=clock.now(), **clock_of), "11-15", "23-19", now=clock.now()
        )
        hidden = make_game(bob, alice, now=clock.now(), hidden=True)
        page = window().get("/")

    assert "Live now alice to move bob to move American checkers move 2" in page.text
    seats = re.findall(
        r'<p class="seat" data-colour="\w+"( data-to-move)?>.*?<b>(\w+)</b>', page.html, re.DOTALL
    )
    assert seats == [("", "alice"), (" data-to-move", "bob")], "only one mark is seen"
    assert "2 games in progress" in page.text
    assert f'class="board-link" href="/games/{live.public_id}/"' in page.html
    assert hidden.public_id not in page.html


def test_the_front_page_names_those_who_are_here_and_show_it(
    window: Open, alice: User, bob: User, charlie: User
) -> None:
    User.objects.filter(pk__in=[alice.pk, bob.pk]).update(last_seen_at=NOW)
    set_preferences(user=bob, changes={"show_here": False})

    page = window().get("/")

    assert "1 player here now" in page.text
    assert page.html.count("data-here") == 1


def test_the_front_page_shows_tournaments_and_every_variant_with_its_board(window: Open, alice: User) -> None:
    cup = make_tournament(alice)

    page = window().get("/")

    assert f'href="/tournaments/{cup.public_id}/"' in page.html
    cards = page.html[page.html.index('class="variants"') :]
    assert cards.count("<svg") == cards.count('class="stretched-link" href="/rules/') == len(VARIANTS)


def test_a_new_member_is_told_what_to_do_next(window: Open, alice: User) -> None:
    page = window(alice).get("/")

    assert "You have no games yet." in page.text
    assert 'href="/waiting-room/"' in page.html
    assert 'href="/new/"' in page.html


def test_a_member_whose_games_are_over_reads_about_those_in_progress_alone(
    window: Open, alice: User, bob: User
) -> None:
    resign(user=bob, game_id=make_game(alice, bob).public_id, now=NOW)

    page = window(alice).get("/")

    assert "You have no games in progress." in page.text
    assert "You have no games yet." not in page.text
    assert "not counted" in page.text
    assert "annulled" not in page.text


def test_a_member_is_reminded_of_the_problem_of_the_day(window: Open, alice: User) -> None:
    page = window(alice).get("/")
    assert '<a href="/problems/">Solve the problem of the day</a>' in page.html
    assert "Problem of the day" in window(alice).get("/problems/").text


def test_the_installed_club_is_told_which_problems_a_member_would_like_offline(
    window: Open, alice: User, bob: User
) -> None:
    assert 'data-problems="/problems/practice/?variant=american"' in window(alice).get("/").html
    for variant in ("russian", "frisian", "russian"):
        make_game(alice, bob, variant=variant)
    page = window(alice).get("/").html
    assert 'data-problems="/problems/practice/?variant=russian"' in page
    assert 'data-computer-page="/computer/?variant=russian"' in page


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

    with clock.stopped(NOW + timedelta(seconds=73)):
        page = window(alice).get("/")

    assert "5 min + 3 s 4:07 left" in page.text
    assert "72 h + 12 h per move, at most 96 h 3 days left" in page.text


def test_only_the_content_is_sent_where_only_that_is_asked_for(window: Open, alice: User) -> None:
    page = window(alice).get("/", fragment=True)

    assert "<html" not in page.html
    assert "My games" in page.text
    assert "HX-Request" in page.headers["Vary"]


def test_a_line_says_what_is_to_be_answered_besides_the_move(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    offer_draw(user=bob, game_id=game.public_id, now=NOW)
    assert "draw offered" in window(alice).get("/").text
    assert "you offered a draw" in window(bob).get("/").text
    chat_services.send_message(user=bob, game_id=game.public_id, text="Hello.", now=NOW)
    assert "new message" in window(alice).get("/").text
    assert "new message" not in window(bob).get("/").text
    chat_services.send_message(user=alice, game_id=game.public_id, text="Hello, Bob.", now=NOW)
    assert "new message" not in window(alice).get("/").text
    assert "new message" in window(bob).get("/").text


def test_a_new_member_sees_three_steps_until_they_are_done(window: Open, bob: User) -> None:
    newcomer = make_user("newcomer", date_joined=NOW)
    member = window(newcomer)
    assert "Three first steps" in member.get("/").text

    make_game(newcomer, bob)
    page = member.get("/")
    assert "Find an opponent (done)" in page.text
    assert "Play the computer (done)" not in page.text

    make_game(newcomer, computer(1))
    member.post("/notices/preferences/", {"digest_hour": "8"})

    assert "Three first steps" not in member.get("/").text


def test_what_waits_for_an_answer_comes_before_the_first_steps_and_the_news(window: Open, bob: User) -> None:
    newcomer = make_user("newcomer", date_joined=NOW)
    times = {"written_at": NOW, "changed_at": NOW, "published_at": NOW}
    News.objects.create(title="New boards", text="", author=bob, **times)
    calm = window(newcomer).get("/").text
    assert calm.index("New boards") < calm.index("Three first steps") < calm.index("Your turn")

    make_game(newcomer, bob)

    page = window(newcomer).get("/").text
    assert page.index("Your turn", page.index("My games")) < page.index("New boards")
    assert page.index("New boards") < page.index("Three first steps")


def test_the_steps_can_be_hidden_and_end_with_the_first_weeks(window: Open) -> None:
    newcomer = make_user("newcomer", date_joined=NOW)
    member, other_device = window(newcomer), window(newcomer)

    assert "Three first steps" not in member.post("/first-steps/hide/", follow=True).text
    assert "Three first steps" in other_device.get("/").text
    with clock.stopped(NOW + timedelta(days=15)):
        assert "Three first steps" not in other_device.get("/").text


def test_games_beyond_the_most_urgent_are_a_click_away(window: Open, alice: User, bob: User) -> None:
    for _ in range(MAX_GAMES + 2):
        make_game(bob, alice)  # Bob begins

    page = window(alice).get("/")

    assert "And 2 more with more time left." in page.text
    (address,) = re.findall(r'href="([^"]+)">\s*And 2 more', page.html)
    running = window(alice).get(address)
    assert running.status == 200
    assert "bob" in running.text
