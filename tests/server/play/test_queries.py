"""Lists ask as many questions of the database for many games as for few."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.play import selectors
from crownhead.server.play.chat.services import write_note
from crownhead.server.play.clocks import timing
from crownhead.server.play.draws.services import resign
from crownhead.server.play.vacation import services as vacation_services
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, make_offer, play_moves

pytestmark = pytest.mark.django_db


def _asked(act: Callable[[], object]) -> int:
    act()  # what is asked only once has been asked
    cache.clear()
    with CaptureQueriesContext(
        connection,
    ) as found:
        act()
    return len(found)


def _more(alice: User, bob: User) -> None:
    """One more game of each kind that lists show."""
    play_moves(make_game(alice, bob, vacation=True, weekends_off=True), "11-15")
    make_game(alice, bob, vacation=True, games=2)
    over = make_game(alice, bob, vacation=True)
    write_note(user=alice, game_id=over.public_id, text="A note.")
    resign(user=bob, game_id=over.public_id, now=NOW)
    make_offer(alice, min_rating=1000)
    make_offer(bob, min_rating=1400, max_rating=1800)


@pytest.mark.parametrize("path", ["/", "/waiting-room/", "/watch/", "/games/finished/", "/invitations/"])
def test_a_page_with_many_games_asks_no_more_than_one_with_few(alice: User, bob: User, path: str) -> None:
    client = Client()
    client.force_login(alice)
    vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + 2 * DAY, now=NOW)
    _more(alice, bob)
    few = _asked(lambda: client.get(path))
    for _ in range(4):
        _more(alice, bob)
    assert _asked(lambda: client.get(path)) <= few


@pytest.mark.parametrize("path", ["/games", "/games?mine=1", "/waiting-room", "/invitations"])
def test_a_list_of_the_api_asks_no_more_for_many_games_than_for_few(
    alice: User, bob: User, path: str
) -> None:
    door = api_of(alice)
    _more(alice, bob)
    few = _asked(lambda: door.get(path))
    for _ in range(4):
        _more(alice, bob)
    assert _asked(lambda: door.get(path)) <= few


def test_vacations_looked_up_for_many_are_those_of_each(alice: User, bob: User, charlie: User) -> None:
    vacation_services.plan(user=alice, begins=NOW, ends=NOW + DAY, now=NOW)
    vacation_services.plan(user=charlie, begins=NOW + DAY, ends=NOW + 3 * DAY, now=NOW)
    games = [
        make_game(alice, bob, vacation=True),
        make_game(charlie, alice, vacation=True),
        make_game(alice, bob),
    ]
    for later in (timedelta(0), timedelta(hours=3), 2 * DAY):
        now = NOW + later
        alone = [timing.time_info(fresh(game), now) for game in games]
        together = [timing.time_info(game, now) for game in selectors.prefetch_vacations(map(fresh, games))]
        assert together == alone
    with clock.stopped(NOW):
        assert selectors.prefetch_vacations([]) == []
