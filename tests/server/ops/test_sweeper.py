"""The sweeper."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.sessions.models import Session

from crownhead.server.core.jobs import Job
from crownhead.server.live.models import Outbox
from crownhead.server.ops.sweeper import Sweeper

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_each_job_is_done_when_it_is_due() -> None:
    done: list[str] = []
    jobs = (
        Job("often", timedelta(seconds=2), lambda _now: done.append("often")),
        Job("seldom", timedelta(minutes=1), lambda _now: done.append("seldom")),
    )
    sweeper = Sweeper(jobs)
    for second in range(0, 61, 1):
        sweeper.sweep(NOON + timedelta(seconds=second))
    assert done.count("often") == 31
    assert done.count("seldom") == 2


def test_a_job_that_fails_is_logged_and_tried_again_and_stops_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[datetime] = []

    def fail(_now: datetime) -> None:
        raise OSError("disk")

    sweeper = Sweeper(
        (Job("bad", timedelta(seconds=1), fail), Job("good", timedelta(seconds=1), done.append))
    )
    sweeper.sweep(NOON)
    sweeper.sweep(NOON + timedelta(seconds=1))
    assert done == [NOON, NOON + timedelta(seconds=1)]
    assert caplog.text.count("could not do its job: bad") == 2


def test_the_thread_works_until_it_is_stopped() -> None:
    worked = threading.Event()
    sweeper = Sweeper((Job("work", timedelta(0), lambda _now: worked.set()),), pause=0.01)
    sweeper.start()
    assert worked.wait(5)
    sweeper.stop()
    worked.clear()
    assert not worked.wait(0.05)


@pytest.mark.django_db
def test_the_clubs_own_jobs_forget_what_is_old_and_keep_the_rest() -> None:
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=NOON + timedelta(days=days))
    for days in (-9, -1, 0):
        Outbox.objects.create(topic="game:a", kind="game", payload={}, created_at=NOON + timedelta(days=days))
    Sweeper().sweep(NOON)
    assert [session.session_key for session in Session.objects.all()] == ["new"]
    assert Outbox.objects.count() == 2
