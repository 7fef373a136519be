"""What the front page of guests asks for again while somebody looks at it: all that goes on in the club."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import LiveClock
from crownhead.server.web import page_cache
from tests.server.competitions.factories import make_tournament
from tests.server.play.factories import NOW, make_game, make_offer, play_moves

pytestmark = pytest.mark.django_db

LIVE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=300, increment=3)}
LATER = NOW + timedelta(seconds=page_cache.MAX_AGE)  # when counts of players are counted again
Change = Callable[[User, User], object]


def asked(client: Client | None = None, *, has: str = "") -> Any:
    """The part, as a page asks for it that ``has`` an earlier one."""
    headers = {"HX-Request": "true"} | ({"If-None-Match": has} if has else {})
    return (client or Client()).get("/now/", headers=headers)


def test_nothing_comes_again_while_nothing_changes_and_hardly_anything_is_asked(alice: User) -> None:
    make_offer(alice)
    with clock.stopped(NOW):
        validator = asked().headers["ETag"]
        with CaptureQueriesContext(
            connection,
        ) as asked_of_the_database:
            again = asked(has=validator)

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["ETag"] == validator
    assert len(asked_of_the_database) <= 5


@pytest.mark.parametrize(
    "change",
    [
        lambda alice, _bob: make_offer(alice),
        lambda alice, bob: make_game(alice, bob),
        lambda alice, _bob: make_tournament(alice),
        lambda alice, _bob: User.objects.filter(pk=alice.pk).update(last_seen_at=LATER),
    ],
    ids=["an offer", "a game", "a tournament", "somebody who is here"],
)
def test_what_goes_on_comes_when_it_changes(alice: User, bob: User, change: Change) -> None:
    with clock.stopped(NOW):
        validator = asked().headers["ETag"]
    change(alice, bob)

    with clock.stopped(LATER):
        assert asked(has=validator).status_code == 200


def test_each_move_of_the_game_on_the_board_comes_at_once(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    with clock.stopped(NOW):
        validator = asked().headers["ETag"]
        play_moves(game, "11-15")
        answer = asked(has=validator)

    assert answer.status_code == 200
    assert re.search(rf'data-small-board="{game.public_id}"\s+data-version="1"', answer.content.decode())


def test_only_a_live_game_is_followed_by_the_stream_and_only_by_those_who_stay(
    alice: User, bob: User
) -> None:
    slow = make_game(alice, bob)
    with clock.stopped(NOW):
        assert "/events?game=" not in asked().content.decode()
        live = play_moves(make_game(alice, bob, **LIVE), "11-15", "22-18", "15x22", "25x18")
        stream = f"/events?game={live.public_id}"
        assert stream in asked().content.decode()
        assert stream not in Client().get("/").content.decode()
        resign(user=alice, game_id=live.public_id, now=NOW)
        assert slow.public_id in asked().content.decode()
        assert stream not in asked().content.decode()


def test_the_line_of_those_who_are_here_takes_the_place_of_the_one_before(alice: User) -> None:
    with clock.stopped(NOW):
        assert '<p class="pulse" hidden>' in " ".join(Client().get("/").content.decode().split())
        assert '<p class="pulse" hidden hx-swap-oob="outerHTML:.pulse">' in asked().content.decode()
    User.objects.filter(pk=alice.pk).update(last_seen_at=LATER)
    with clock.stopped(LATER):
        assert '<p class="pulse" hx-swap-oob="outerHTML:.pulse">' in asked().content.decode()


def test_every_reader_has_a_token_of_their_own_and_no_cache_keeps_it(alice: User) -> None:
    make_offer(alice)
    token = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
    with clock.stopped(NOW):
        answers = [asked(), asked()]

    assert len({token.findall(answer.content.decode())[0] for answer in answers}) == 2
    assert len({answer.headers["ETag"] for answer in answers}) == 1
    assert "no-store" in answers[0].headers["Cache-Control"]


def test_a_member_or_a_guest_who_plays_gets_it_only_when_it_changes_too(alice: User, bob: User) -> None:
    client = Client()
    client.force_login(alice)
    User.objects.update(last_seen_at=NOW)
    with clock.stopped(NOW):
        validator = asked(client).headers["ETag"]
        assert asked(client, has=validator).status_code == 304
        make_offer(bob)
        assert asked(client, has=validator).status_code == 200
