"""What a stream may follow is looked up at once, however many games it names."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.analysis.models import Study
from crownhead.server.analysis.studies import services as studies
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.config.asgi import Application, is_crowded
from crownhead.server.core import clock
from crownhead.server.core.problems import BadRequest
from crownhead.server.ops.processes.connections import TimedProtocol
from crownhead.server.play.games.options import LiveClock
from tests.server.competitions.factories import make_tournament
from tests.server.play.factories import NOW, make_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def watchable() -> Callable[..., object]:
    """The hook of the site."""
    return Application().stream.hooks.watchable


def make_study(number: int) -> Study:
    """A study of the start."""
    query = AnalysisRequest(variant="russian", seconds=1)
    return studies.create_study(user=None, caller=f"address:192.0.2.{number}", query=query, now=NOW)


def test_twenty_games_take_as_many_queries_as_one(
    watchable: Callable[..., object], alice: User, bob: User
) -> None:
    keys = [make_game(alice, bob).public_id for _ in range(20)]
    counts = []
    for user_id in (None, alice.pk):
        for some in (keys[:1], keys, [*keys[1:], "nonsense"]):
            with clock.stopped(NOW), CaptureQueriesContext(connection) as queries:
                assert watchable(some, user_id) == {*some} - {"nonsense"}
            counts.append(len(queries))
    assert max(counts) <= 6


def test_games_tournaments_and_analyses_are_found_together(
    watchable: Callable[..., object], alice: User, bob: User
) -> None:
    hidden = make_game(alice, bob, hidden=True).public_id
    keys = {
        make_game(alice, bob).public_id,
        make_tournament(alice, name="Cup").public_id,
        make_study(1).public_id,
    }
    assert watchable([*keys, hidden, "\0", "nonsense"], None) == keys
    assert watchable([*keys, hidden], bob.pk) == keys | {hidden}


def test_a_stream_follows_three_analyses_at_most(watchable: Callable[..., object], alice: User) -> None:
    keys = [make_study(number).public_id for number in range(4)]
    assert watchable(keys[:3], None) == set(keys[:3])
    with pytest.raises(BadRequest, match="at most 3 analyses"):
        watchable(keys, alice.pk)


def test_the_positions_of_analyses_are_not_replayed_for_guests(
    watchable: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def replay(_self: Study) -> None:
        raise AssertionError("a study was replayed for a guest")

    key = make_study(1).public_id
    monkeypatch.setattr(Study, "replay", replay)
    assert watchable([key], None) == {key}


def test_an_address_is_crowded_that_has_nearly_all_its_connections(settings: Settings) -> None:
    settings.CONNECTIONS_PER_ADDRESS = 10
    connections = TimedProtocol.open_connections
    connections.add("192.0.2.77", 9)
    try:
        assert is_crowded("192.0.2.77")
        assert not is_crowded("192.0.2.78")
        settings.PROXIES = 1  # then all connections are the proxy's
        assert not is_crowded("192.0.2.77")
        settings.PROXIES, settings.CONNECTIONS_PER_ADDRESS = 0, 0
        assert not is_crowded("192.0.2.77")
    finally:
        connections.add("192.0.2.77", -9)


def test_the_site_reports_who_has_left_and_is_heard_again(alice: User, bob: User) -> None:
    hooks = Application().stream.hooks
    make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300))
    with clock.stopped(NOW):
        hooks.here(alice.pk, False)
        assert set(hooks.absent()) == {alice.pk}
        hooks.here(alice.pk, True)
        assert hooks.absent() == {}
