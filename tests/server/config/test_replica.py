"""Pages of people without a session are read from a replica, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.config import replica as reading
from crownhead.server.core import clock
from crownhead.server.live.selectors import position
from crownhead.server.live.services import number_committed
from crownhead.server.play.outages.services import beat
from tests.server.play.factories import make_game, play_moves

pytestmark = pytest.mark.django_db(transaction=True)

Copy = Callable[[], BaseDatabaseWrapper]


@pytest.fixture
def copied(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Copy]:
    """Let the replica be as the database is now, and stay so; call it again for it to catch up."""
    monkeypatch.setattr(reading, "LOOKED_AT_EVERY", 0.0)
    monkeypatch.setitem(settings.DATABASES, reading.REPLICA, connection.settings_dict)
    primary = connections["default"]
    made: list[BaseDatabaseWrapper] = []

    def copy() -> BaseDatabaseWrapper:
        other: BaseDatabaseWrapper | Any = primary.copy()
        if primary.vendor == "sqlite":
            name = str(tmp_path / f"replica{len(made)}.sqlite3")
            other.settings_dict = {**primary.settings_dict, "NAME": name}
            other.ensure_connection()
            primary.connection.backup(other.connection)
        else:  # what a standby shows that has stopped: the rows of one moment, and no writing
            other.set_autocommit(False)
            with other.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                cursor.execute("SELECT 1 FROM accounts_user")
        connections[reading.REPLICA] = other
        made.append(other)
        return other

    yield copy
    for other in made:
        other.close()
    del connections[reading.REPLICA]


@pytest.fixture
def lagging(copied: Copy, alice: User, bob: User) -> str:
    """The id of a game that has begun since the replica stopped."""
    beat(now=clock.now())
    copied()
    game = make_game(alice, bob)
    play_moves(game, "11-15")
    return str(game.public_id)


def watched(client: Client, **headers: str) -> str:
    """The list of running games."""
    answer = client.get("/watch/", headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_visitor_is_shown_what_the_replica_has(lagging: str) -> None:
    assert lagging not in watched(Client())


def test_the_next_visitor_sees_what_has_arrived_since(lagging: str, copied: Copy) -> None:
    assert lagging not in watched(Client())
    copied()
    assert lagging in watched(Client())


def test_a_member_who_may_have_written_something_is_shown_what_the_primary_has(
    lagging: str, alice: User
) -> None:
    member = Client()
    member.force_login(alice)
    assert lagging in watched(member)


def test_what_the_replica_does_not_have_yet_the_primary_is_asked_for(lagging: str) -> None:
    assert Client().get(f"/games/{lagging}/").status_code == 200
    assert Client().get("/games/nosuchgame12/").status_code == 404


def test_what_a_page_fetches_is_not_older_than_the_event_that_made_it_fetch(lagging: str) -> None:
    assert lagging in watched(Client(), HX_Request="true")
    assert lagging in watched(Client(), Sec_Fetch_Mode="cors")


@pytest.mark.usefixtures("lagging")
def test_the_stream_of_a_page_goes_on_from_where_the_replica_was() -> None:
    number_committed()
    page = watched(Client())
    places = [int(place) for place in re.findall(r'data-from="(\d+)"', page)]
    assert places, "expected a page with a stream"
    assert max(places) < position()


def test_a_replica_that_is_far_behind_is_not_asked(lagging: str, monkeypatch: pytest.MonkeyPatch) -> None:
    later = clock.now() + timedelta(minutes=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert lagging in watched(Client())


def test_a_replica_that_is_away_is_done_without(
    lagging: str, copied: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = copied()
    away.close()
    monkeypatch.setattr(away, "get_new_connection", _lost)
    assert lagging in watched(Client())


def test_a_replica_that_breaks_off_in_the_middle_is_done_without(
    lagging: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(*_arguments: object) -> bool:
        connections[reading.REPLICA].close()
        monkeypatch.setattr(connections[reading.REPLICA], "get_new_connection", _lost)
        return True

    monkeypatch.setattr(reading, "_is_fit", break_off)
    assert lagging in watched(Client(raise_request_exception=False))


def _lost(*_arguments: object) -> None:
    raise OperationalError("server closed the connection unexpectedly")


def test_afterwards_this_thread_reads_from_the_primary_again(lagging: str) -> None:
    primary = connections["default"]
    watched(Client())
    assert connections["default"] is primary
    assert connections[reading.REPLICA].execute_wrappers == []


def test_a_club_without_a_replica_has_nothing_to_choose_from(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    assert str(game.public_id) in watched(Client())
