"""When notices leave: the hour of a digest in any zone, and how long to wait after failures."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead.server.notices.channels.schedule import first_try, next_digest, next_try
from crownhead.server.notices.kinds import Channel, Kind, Timing
from tests.server.play.factories import NOW

ZONES = ["UTC", "Europe/Amsterdam", "America/St_Johns", "Asia/Kathmandu", "Pacific/Apia"]


@given(
    minutes=st.integers(0, 15 * 365 * 24 * 60),
    zone=st.sampled_from(ZONES),
    hour=st.integers(0, 23),
)
def test_a_digest_comes_within_a_day_at_its_hour(minutes: int, zone: str, hour: int) -> None:
    moment = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    found = next_digest(moment, zone=ZoneInfo(zone), hour=hour)
    assert moment < found <= moment + timedelta(hours=26)
    here = found.astimezone(ZoneInfo(zone))
    turned = (found - timedelta(hours=2)).astimezone(ZoneInfo(zone)).utcoffset() != here.utcoffset()
    assert here.hour == hour or turned


@pytest.mark.parametrize(
    ("zone", "hour", "expected"),
    [
        ("UTC", 8, datetime(2026, 3, 2, 8, tzinfo=UTC)),
        ("UTC", 13, datetime(2026, 3, 1, 13, tzinfo=UTC)),
        ("UTC", 12, datetime(2026, 3, 2, 12, tzinfo=UTC)),  # at that very moment: the next day's
        ("Asia/Kathmandu", 18, datetime(2026, 3, 1, 12, 15, tzinfo=UTC)),
        ("America/New_York", 8, datetime(2026, 3, 1, 13, tzinfo=UTC)),
    ],
)
def test_a_digest_comes_at_the_hour_of_your_own_day(zone: str, hour: int, expected: datetime) -> None:
    assert next_digest(NOW, zone=ZoneInfo(zone), hour=hour) == expected


def test_mail_gathers_for_a_minute_and_waits_longer_for_who_may_be_here() -> None:
    def after(timing: Timing, channel: Channel) -> timedelta:
        return first_try(timing, channel, now=NOW, zone=UTC, hour=8) - NOW

    assert after(Timing.NOW, Channel.MAIL) == timedelta(minutes=1)
    assert after(Timing.AWAY, Channel.MAIL) == timedelta(minutes=5)
    assert after(Timing.NOW, Channel.PUSH) == timedelta(0)
    assert after(Timing.DAILY, Channel.MAIL) == timedelta(hours=20)


def test_what_fails_is_tried_again_at_growing_distances_and_given_up() -> None:
    waits = [moment - NOW for tries in range(1, 7) if (moment := next_try(tries, now=NOW))]
    assert waits == sorted(waits)
    assert len(waits) == 6
    assert next_try(7, now=NOW) is None


def test_news_come_by_mail_only_to_who_asks_for_them() -> None:
    assert Kind.NEWS.default(Channel.MAIL) is Kind.NEWS.default(Channel.PUSH) is Timing.NEVER
