"""The notifications of an account that is closed: gone for everybody at once, deleted a few at a time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.selectors import CLOSED_LATELY
from crownhead.server.accounts.services import leftovers
from crownhead.server.accounts.services.closing import close
from crownhead.server.core import jobs as core_jobs
from crownhead.server.notices import jobs
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Notice
from tests.server.conftest import make_user
from tests.server.notices.factories import DAY, MINUTE, letters, make_notice, set_timing
from tests.server.play.factories import NOW
from tests.server.test_query_bounds import counted

pytestmark = pytest.mark.django_db

LATE = 81 * DAY  # after the account was closed


def fill(user: User, count: int, *, age: timedelta = timedelta()) -> None:
    """Let a user have many notifications."""
    Notice.objects.bulk_create(
        Notice(user=user, kind=Kind.TROPHY, key=f"n{number}", subject="So", link="/", created_at=NOW + age)
        for number in range(count)
    )


def test_nothing_is_sent_or_listed_any_more_and_a_job_deletes_it(alice: User, bob: User) -> None:
    for user in (alice, bob):
        set_timing(user, Kind.TROPHY, Channel.MAIL, Timing.NOW)
        make_notice(user, "The hall is heated")
    Delivery.objects.filter(user=alice).update(trouble="554 alice@example.com is unknown")
    close(user=alice, now=NOW)
    assert letters(NOW + MINUTE) == ["bob: [Crownhead] The hall is heated"]
    host = Client()
    host.force_login(make_user("dora", is_staff=True, is_superuser=True))
    page = host.get("/staff/notices/delivery/").content.decode()
    assert "bob" in page
    assert "alice@example.com" not in page
    jobs.delete_old(NOW)
    assert list(Notice.objects.values_list("user", flat=True)) == [bob.pk]
    assert list(Delivery.objects.values_list("user", flat=True)) == [bob.pk]


def test_closing_an_account_costs_the_same_however_many_notifications_it_has() -> None:
    found = []
    for count in (1, 2000):
        user = make_user(f"member{count}")
        fill(user, count)
        with counted() as statements:
            close(user=user, now=NOW)
        assert not [sql for sql in statements if sql.startswith('DELETE FROM "notices_notice"')]
        found.append(len(statements))
    assert found[0] == found[1]


def test_the_job_deletes_some_at_a_time_and_asks_once_where_there_is_nothing_to_do(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core_jobs, "AT_ONCE", 3)
    monkeypatch.setattr(core_jobs, "_PAUSE", 0)
    fill(alice, 10)
    close(user=alice, now=NOW)
    with counted() as statements:
        jobs.delete_old(NOW)
    assert sum(sql.startswith('DELETE FROM "notices_notice"') for sql in statements) == 4
    assert not Notice.objects.exists()
    with counted() as statements:
        jobs.delete_old(NOW)
    assert sum("accounts_user" in sql for sql in statements) == len(statements) - 2 == 1


def test_the_log_warns_once_of_what_soon_nothing_tries_to_delete(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(leftovers, "sweep", lambda _rows: 0)
    for user in (alice, bob):
        fill(user, 3, age=LATE)
        close(user=user, now=NOW)
    for late, warnings in ((LATE - 2 * DAY, 0), (LATE, 1), (CLOSED_LATELY, 0)):
        caplog.clear()
        jobs.delete_old(NOW + late)
        assert len(caplog.messages) == warnings
        assert all("notices.Notice" in text for text in caplog.messages)
    monkeypatch.undo()
    caplog.clear()
    jobs.delete_old(NOW + LATE)
    assert not Notice.objects.exists()
    assert caplog.messages == []
