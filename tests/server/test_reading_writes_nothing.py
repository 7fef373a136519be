"""Looking at a page writes nothing while it is made: what it leaves behind is buffered, and written later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.db import connection, transaction
from django.test import Client
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.background import write_buffers
from crownhead.server.lobby.models import Visit
from crownhead.server.notices.selectors.reading import unread_count
from crownhead.server.social.models import NewsRead
from tests.server.conftest import clear_caches
from tests.server.notices.factories import make_notice
from tests.server.play.factories import NOW
from tests.server.security import requests
from tests.server.security.visitors import Visitors, make_club

pytestmark = pytest.mark.django_db

_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "WITH")


@contextmanager
def written() -> Iterator[list[str]]:
    """The statements within that change rows."""
    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if sql.startswith(_WRITES):
            statements.append(sql)
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        yield statements


@pytest.fixture
def club(settings: Settings, tmp_path: Path) -> Iterator[Visitors]:
    """One of everything; all have been here, a while ago."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1000000/m")
    settings.DATA = tmp_path
    with clock.stopped(NOW):
        made = make_club()
    User.objects.update(last_seen_at=NOW - timedelta(days=1))
    later = NOW + timedelta(minutes=1)
    with clock.stopped(later):
        yield made


@pytest.mark.parametrize("kind", ["guest", "owner"])
def test_no_page_writes_while_it_is_made(club: Visitors, kind: str) -> None:
    browser, found, shown = club.browser(kind), {}, 0
    for ask in requests.pages(club.facts):
        if ask.method != "GET":
            continue
        clear_caches()
        with transaction.atomic(), write_buffers.buffering():
            with written() as statements:
                shown += ask.from_browser(browser).status_code == 200
            if statements:
                found[ask.row] = statements
            write_buffers.clear()
            transaction.set_rollback(True)
    assert shown > 60
    assert found == {}


def test_what_was_buffered_is_written_at_the_end(alice: User) -> None:
    browser = Client()
    browser.force_login(alice)
    with clock.stopped(NOW), write_buffers.buffering():
        browser.get("/")
        browser.get("/news/")
        assert User.objects.get(pk=alice.pk).last_seen_at is None
        assert not Visit.objects.exists()
    assert User.objects.get(pk=alice.pk).last_seen_at == NOW
    assert Visit.objects.get(user=alice).seen_at == NOW
    assert UserSession.objects.get(user=alice).session_key == browser.session.session_key


def test_news_that_was_read_is_not_new_while_that_waits_to_be_written(club: Visitors) -> None:
    browser = club.browser("owner")
    User.objects.update(date_joined=NOW - timedelta(days=30))
    with write_buffers.buffering():
        browser.get("/news/")
        assert not NewsRead.objects.exists()
        assert 'data-state="fresh"' not in browser.get("/news/").content.decode()
    assert NewsRead.objects.exists()


def test_a_notification_that_was_seen_is_not_unread_while_that_waits_to_be_written(alice: User) -> None:
    with clock.stopped(NOW):
        seen, followed = make_notice(alice, "The hall is heated"), make_notice(alice, "The bar is open")
        make_notice(alice, "The door is shut")
    seen.link = "/rules/"
    seen.save()
    browser = Client()
    browser.force_login(alice)
    with clock.stopped(NOW + timedelta(minutes=1)), write_buffers.buffering():
        browser.get("/rules/")
        browser.get(f"/notices/{followed.public_id}/")
        seen.refresh_from_db()
        assert seen.read_at is None
        assert browser.get("/badges/").json()["notices"] == 1
        assert browser.get("/notices/").content.decode().count("data-unread") == 1
        told = browser.get("/api/v1/notices").json()
        assert told["unread"] == 1
        assert sum(item["read_at"] is None for item in told["items"]) == 1
        assert len(browser.get("/api/v1/notices?unread=true").json()["items"]) == 1
    for notice in (seen, followed):
        notice.refresh_from_db()
        assert notice.read_at == NOW + timedelta(minutes=1)
    assert unread_count(alice) == 1
    assert browser.get("/badges/").json()["notices"] == 1


def test_a_session_that_ended_meanwhile_is_not_listed_again(alice: User) -> None:
    browser = Client()
    browser.force_login(alice)
    with clock.stopped(NOW), write_buffers.buffering():
        browser.get("/")
        browser.session.flush()
        UserSession.objects.all().delete()
    assert not UserSession.objects.exists()
