"""A time in which nobody could play, and a clock that jumps, cost nobody a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import override_settings

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.background.throttling import in_background
from crownhead.server.notices.models import Notice
from crownhead.server.ops.processes.timekeeper import Timekeeper, outages_are_over
from crownhead.server.play.clocks.timing import FIRST_MOVE, time_info
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.games.services.deadlines import end_overdue_games, expire_waiting, send_reminders
from crownhead.server.play.models import Game, Heartbeat, OutageRow
from crownhead.server.play.outages import selectors, services
from tests.server.conftest import make_user
from tests.server.core.test_clock_jumps import Machine
from tests.server.play.factories import DAY, NOW, columns, fresh, make_game, make_offer, play_moves
from tests.server.play.test_at_once import at_once, in_a_file

__all__ = ["in_a_file"]

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
LIVE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=300, increment=3)}
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_open() -> Iterator[None]:
    """What a process knows of open outages belongs to one test."""
    yield
    services._open = ()  # noqa: SLF001


def outage(begins: datetime, ends: datetime) -> None:
    """Signs of life with nothing between."""
    services.beat(now=begins)
    services.beat(now=ends)


def sweep(now: datetime) -> None:
    """What the sweeper does, if it may."""
    if outages_are_over(now):
        end_overdue_games(now=now)
        expire_waiting(now=now)
        send_reminders(now=now)


@pytest.mark.parametrize("length", [timedelta(minutes=3), HOUR, DAY, 40 * DAY])
def test_deadlines_are_extended_by_an_outage(alice: User, bob: User, length: timedelta) -> None:
    game, offer = make_game(alice, bob), make_offer(alice)
    outage(NOW + HOUR, NOW + HOUR + length)
    sweep(NOW + HOUR + length)
    assert fresh(game).deadline_at == game.deadline_at + length  # type: ignore[operator]
    assert fresh(game).remind_at == game.remind_at + length  # type: ignore[operator]
    assert fresh(offer).expires_at == offer.expires_at + length
    assert OutageRow.objects.get().games == 1


def test_the_first_sign_of_life_and_short_silences_are_no_outages(alice: User, bob: User) -> None:
    before = columns(make_game(alice, bob))
    for second in (0, 5, 60, 179):
        assert services.beat(now=NOW + timedelta(seconds=second)) is None
    sweep(NOW + 3 * MINUTE)
    assert columns(Game.objects.get()) == before


def test_nothing_ends_before_the_outage_is_made_up_for(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    services.beat(now=NOW)
    late = NOW + 5 * DAY
    assert end_overdue_games(now=late) == 1  # looked at, and left
    assert fresh(game).status == "playing"
    services.beat(now=late)
    assert end_overdue_games(now=late) == 1
    assert fresh(game).status == "playing"
    sweep(late)
    assert fresh(game).deadline_at == game.deadline_at + (late - NOW)  # type: ignore[operator]


def test_who_comes_to_a_game_before_the_sweeper_finds_its_clock_set_right(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    outage(NOW + MINUTE, NOW + HOUR)
    moved = play_moves(game, "11-15", now=NOW + HOUR + MINUTE)
    assert moved.status == "playing"
    assert moved.first_left == 3 * MINUTE + timedelta(seconds=3) + FIRST_MOVE


def test_live_clocks_stand_still_in_an_outage(alice: User, bob: User) -> None:
    game = make_game(alice, bob, **LIVE)
    outage(NOW + MINUTE, NOW + DAY)
    sweep(NOW + DAY)
    rest = 4 * MINUTE + FIRST_MOVE
    assert time_info(fresh(game), NOW + DAY).left["first"] == rest
    sweep(NOW + DAY + rest - timedelta(seconds=1))
    assert fresh(game).status == "playing"
    for minute in range(5):
        services.beat(now=NOW + DAY + minute * MINUTE)
    sweep(NOW + DAY + rest)
    assert fresh(game).status == "finished"


def test_a_director_who_stopped_the_clock_for_longer_is_obeyed(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    Game.objects.update(adjourned=[[(NOW + HOUR).isoformat(), (NOW + 2 * DAY).isoformat()]])
    outage(NOW + 2 * HOUR, NOW + DAY)
    sweep(NOW + DAY)
    assert fresh(game).adjourned == [[(NOW + HOUR).isoformat(), (NOW + 2 * DAY).isoformat()]]


def test_the_staff_is_told_once(alice: User, bob: User) -> None:
    make_game(alice, bob)
    ada = make_user("ada", is_staff=True)
    outage(NOW, NOW + HOUR)
    sweep(NOW + HOUR)
    sweep(NOW + HOUR)
    notice = Notice.objects.get(user=ada)
    assert notice.subject == "The club was down for a while"
    assert "in 1 game." in notice.text


def test_a_worker_that_dies_leaves_the_rest_to_the_next(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [make_game(alice, bob) for _ in range(5)]
    monkeypatch.setattr(services, "ROWS_AT_ONCE", 2)
    outage(NOW, NOW + HOUR)
    steps = iter(range(2))

    def die(_seconds: float) -> None:
        if next(steps, None) is None:
            raise SystemExit

    with pytest.raises(SystemExit), in_background(die):
        services.compensate(now=NOW + HOUR)
    assert not selectors.is_over(NOW + HOUR)
    sweep(NOW + HOUR)
    assert [fresh(game).deadline_at for game in games] == [game.deadline_at + HOUR for game in games]  # type: ignore[operator]
    assert OutageRow.objects.get().games == 5


def test_two_workers_at_once_extend_every_deadline_once(in_a_file: Callable[[], None]) -> None:
    alice, bob = make_user("alice"), make_user("bob")
    games = [make_game(alice, bob) for _ in range(4)]
    offers = [make_offer(alice) for _ in range(4)]
    in_a_file()
    outage(NOW, NOW + HOUR)
    at_once([lambda: sweep(NOW + HOUR)] * 2)
    assert [fresh(game).deadline_at for game in games] == [game.deadline_at + HOUR for game in games]  # type: ignore[operator]
    assert [fresh(offer).expires_at for offer in offers] == [offer.expires_at + HOUR for offer in offers]


def test_two_outages_are_both_made_up_for(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    outage(NOW, NOW + HOUR)
    services.beat(now=NOW + 3 * HOUR)
    sweep(NOW + 3 * HOUR)
    assert fresh(game).deadline_at == game.deadline_at + 3 * HOUR  # type: ignore[operator]


def test_a_clock_ahead_when_the_site_starts_and_then_set_back_leaves_no_game_stuck(
    alice: User, bob: User
) -> None:
    game = make_game(alice, bob)
    services.beat(now=NOW)
    ahead = NOW + 4 * DAY
    services.beat(now=ahead)
    sweep(ahead)
    moved = make_game(alice, bob, now=ahead)
    services.beat(now=NOW + MINUTE)
    sweep(NOW + MINUTE)
    assert fresh(game).deadline_at == game.deadline_at + MINUTE  # type: ignore[operator]
    assert fresh(moved).turn_since == NOW + MINUTE
    assert fresh(moved).deadline_at == NOW + MINUTE + 3 * DAY


@pytest.mark.parametrize("jump", [4 * DAY, -4 * DAY])
def test_a_jump_of_the_clock_ends_no_game_and_is_an_outage_if_it_stays(
    alice: User, bob: User, jump: timedelta
) -> None:
    game = make_game(alice, bob, **LIVE)
    machine = Machine()
    machine.wall = NOW
    watch = clock.DoubtfulClock(lambda: machine.wall, lambda: machine.seconds)
    keeper = Timekeeper(beats=True, watch=watch, reference=lambda: machine.wall)
    keeper.tick()
    machine.wall += jump
    for _ in range(3):
        machine.passes(MINUTE)
        keeper.tick()
        sweep(keeper.now())
    assert fresh(game).status == "playing"
    assert not OutageRow.objects.exists()
    with override_settings(CLOCK_MINUTES=3):
        for _ in range(2):
            machine.passes(MINUTE / 2)
            keeper.tick()
            sweep(keeper.now())
    row = OutageRow.objects.get()
    assert abs(row.ends_at - row.begins_at - jump) <= MINUTE
    assert fresh(game).status == "playing"
    assert time_info(fresh(game), keeper.now()).left["first"] > timedelta(0)


def test_a_process_that_starts_again_on_the_same_machine_notices_that_the_clock_was_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clock, "boot", lambda: "this start")
    monkeypatch.setattr(clock, "steady_seconds", lambda: 1000.0)
    services.beat(now=NOW)
    monkeypatch.setattr(clock, "steady_seconds", lambda: 1060.0)
    assert selectors.expected_time() == NOW + MINUTE
    monkeypatch.setattr(clock, "boot", lambda: "another start")
    assert selectors.expected_time() is None
    assert Heartbeat.objects.count() == 1
