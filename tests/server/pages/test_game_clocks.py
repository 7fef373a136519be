"""Clocks on the page of a game: at three paces, running, standing still, out."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.play.games.options import BankClock, LiveClock
from crownhead.server.play.vacation import services as vacation_services
from tests.server.pages.conftest import Open
from tests.server.pages.window import View
from tests.server.play.factories import DAY, NOW, make_game, play_moves

SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)
LIVE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=300, increment=3)}
BANK: dict[str, Any] = {"days_per_move": None, "clock": BankClock(time=72, bonus=12, limit=96)}
_CLOCK_TIME = re.compile(r'<span class="clock-time"(?P<attributes>[^>]*)>(?P<text>[^<]*)</span>')


def faces(page: View) -> list[tuple[str, str]]:
    """What the upper and the lower clock show, and the milliseconds from which they run, if they run."""
    found = []
    for face in _CLOCK_TIME.finditer(page.html):
        left = re.search(r'data-left="(\d+)"', face["attributes"])
        found.append((face["text"], left[1] if left else ""))
    return found


def test_both_clocks_of_a_live_game_are_told_by_the_second_and_one_runs(
    window: Open, alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob, **LIVE), "11-15", now=NOW + 30 * SECOND)

    with clock.stopped(NOW + 80 * SECOND):
        page = window(alice).get(f"/games/{game.public_id}/")

    assert faces(page) == [("4:30", "270000"), ("4:53", "")]
    assert "5 min + 3 s" in page.text


def test_the_last_seconds_of_a_live_game_are_marked(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)

    with clock.stopped(NOW + 301 * SECOND):
        page = window(bob).get(f"/games/{game.public_id}/")

    assert faces(page)[0] == ("0:19", "19000")
    assert page.html.count('class="clock" data-short') == 1


def test_a_bank_of_hours_is_put_into_words_and_its_last_hour_by_the_second(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, **BANK)
    address = f"/games/{game.public_id}/"

    page = window(alice).get(address)
    with clock.stopped(NOW + 71 * HOUR + 30 * SECOND):
        late = window(alice).get(address)

    assert faces(page) == [("3 days", ""), ("3 days", str(72 * 3_600_000))]
    assert "72 h + 12 h per move, at most 96 h" in page.text
    assert faces(late)[1] == ("59:30", "3570000")


def test_weekends_off_are_reported_and_the_clock_does_not_run(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, weekends_off=True)  # on a Sunday

    page = window(alice).get(f"/games/{game.public_id}/")

    assert faces(page) == [("3 days", ""), ("3 days", "")]
    assert "It's the weekend: the clock is stopped." in page.text
    assert "3 days per move, weekends off" in page.text


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (3 * DAY - SECOND, "3 days"),
        (3 * DAY - 31 * 60 * SECOND, "2 days 23 hours"),
        (DAY, "1 day"),
        (DAY - SECOND, "23 hours 59 minutes"),
        (2 * HOUR - SECOND, "1 hour 59 minutes"),
    ],
)
def test_a_clock_shows_the_nearest_hour_and_below_a_day_never_more_than_there_is(
    window: Open, alice: User, bob: User, left: timedelta, text: str
) -> None:
    game = make_game(alice, bob)

    with clock.stopped(NOW + 3 * DAY - left):
        assert faces(window(alice).get(f"/games/{game.public_id}/"))[1][0] == text


def test_a_players_vacation_is_sent_to_everybody_with_its_end(window: Open, alice: User, bob: User) -> None:
    vacation_services.plan(user=alice, begins=NOW + HOUR, ends=NOW + 2 * DAY, now=NOW)
    game = make_game(alice, bob, vacation=True)

    with clock.stopped(NOW + 3 * HOUR):
        page = window().get(f"/games/{game.public_id}/")

    assert "alice is on vacation until 3 March 2026, 12:00 UTC." in page.text
    assert faces(page)[1] == ("2 days 23 hours", "")


def test_hours_of_vacation_used_as_the_time_ran_out_are_reported(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, days_per_move=1, vacation=True)

    with clock.stopped(NOW + DAY + 90 * 60 * SECOND):
        page = window().get(f"/games/{game.public_id}/")

    assert "2 hours of vacation have been added to this turn." in page.text


def test_a_clock_that_waits_for_the_first_move_says_for_how_long(
    window: Open, alice: User, bob: User
) -> None:
    game = make_game(alice, bob, **LIVE)

    with clock.stopped(NOW + 5 * SECOND):
        page = window(alice).get(f"/games/{game.public_id}/")

    assert faces(page)[1] == ("5:00", "300000")
    assert page.html.count('data-waits="15000"') == 1


def test_the_final_clocks_of_a_live_game_stay(window: Open, alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)

    with clock.stopped(NOW + 320 * SECOND):
        page = window(alice).get(f"/games/{game.public_id}/")

    assert faces(page) == [("5:00", ""), ("0:00", "")]
    assert "You lost on time." in page.text
    assert "Not counted: each side must make at least two moves." in page.text
