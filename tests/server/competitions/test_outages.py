"""Tournaments and ladders after a time in which nobody could play."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs
from crownhead.server.competitions.models import Pairing, Round, Tournament
from crownhead.server.competitions.selectors import to_release
from crownhead.server.competitions.services import outages
from crownhead.server.core.background.outages import Outage
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.services import founding
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.outages import services
from tests.server.competitions.factories import (
    LIVE,
    advance,
    end,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
)
from tests.server.play.factories import NOW

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "_open", ())


def compensate_for(length: timedelta) -> None:
    """An outage that begins now, and is made up for."""
    services.beat(now=NOW)
    services.beat(now=NOW + length)
    services.compensate(now=NOW + length)


def test_deadlines_of_rounds_are_extended_and_missed_appointments_moved(alice: User) -> None:
    make_running_tournament(alice, 4, game=LIVE, appointment_days=5)
    first, second = Pairing.objects.order_by("pk")[:2]
    Pairing.objects.filter(pk=first.pk).update(starts_at=NOW + 12 * HOUR, reminded_at=NOW)
    Pairing.objects.filter(pk=second.pk).update(starts_at=NOW + 3 * DAY)
    compensate_for(DAY)
    assert Round.objects.get().deadline == NOW + 6 * DAY
    first.refresh_from_db()
    assert (first.starts_at, first.reminded_at) == (NOW + 36 * HOUR, None)
    second.refresh_from_db()
    assert second.starts_at == NOW + 3 * DAY


def test_an_arena_lasts_as_much_longer(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, format="arena", game=LIVE, minutes=60)
    compensate_for(HOUR)
    tournament.refresh_from_db()
    assert tournament.ends_at == NOW + 2 * HOUR


def test_a_start_that_nobody_could_attend_is_moved(alice: User) -> None:
    missed = make_tournament(alice, start="date", starts_at=NOW + HOUR)
    later = make_tournament(alice, name="Autumn cup", start="date", starts_at=NOW + 3 * DAY)
    compensate_for(DAY)
    dates = dict(Tournament.objects.values_list("pk", "starts_at"))
    assert dates == {missed.pk: NOW + HOUR + DAY, later.pk: NOW + 3 * DAY}
    assert Tournament.objects.get(pk=missed.pk).due_at == NOW + HOUR + DAY


@pytest.mark.parametrize("is_backward", [False, True])
def test_a_break_that_an_outage_moved_is_no_notice_of_a_director(alice: User, is_backward: bool) -> None:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, format="swiss", pause_minutes=60)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=Seat.FIRST, by=alice)
    advance(tournament)
    minutes = timedelta(minutes=10)
    end_of_break = Round.objects.get(number=2).starts_at
    assert end_of_break == NOW + HOUR
    if is_backward:
        outages.extend(Outage(begins=NOW, ends=NOW - minutes), 0)
    else:
        outages.extend(Outage(begins=end_of_break - minutes, ends=end_of_break + minutes), 0)
    now = NOW - minutes if is_backward else end_of_break + minutes
    assert Round.objects.get(number=2).starts_at not in {None, end_of_break}
    assert to_release(fresh(tournament), now) == []


def test_nobody_is_a_no_show_because_of_an_outage(alice: User) -> None:
    make_running_tournament(alice, 4, game=LIVE, no_show_minutes=3)
    compensate_for(4 * timedelta(minutes=1))
    assert jobs.forfeit_no_shows(NOW + timedelta(minutes=6)) == 0
    assert Game.objects.filter(status="playing").count() == 2
    assert jobs.forfeit_no_shows(NOW + timedelta(minutes=7)) == 2


def test_nobody_is_idle_because_of_an_outage(alice: User) -> None:
    founding.ensure_defaults(now=NOW - 30 * DAY)
    ladder = Ladder.objects.order_by("pk")[0]
    member = Member.objects.create(ladder=ladder, user=alice, step=2, joined_at=NOW, active_at=NOW - 2 * DAY)
    compensate_for(10 * DAY)
    member.refresh_from_db()
    assert member.active_at == NOW + 8 * DAY
