"""Cursor pagination."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from crownhead.server.accounts.models import User
from crownhead.server.core.pagination import page
from crownhead.server.core.problems import BadRequest

pytestmark = pytest.mark.django_db

ORDER = ("-date_joined", "id")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def players(count: int) -> list[User]:
    """Some players, several of them having joined at the same time."""
    return [
        User.objects.create(username=f"player-{number:02}x", date_joined=NOON + timedelta(hours=number // 3))
        for number in range(count)
    ]


def names(limit: int) -> list[str]:
    """All names, page by page."""
    loaded: list[str] = []
    cursor = None
    while True:
        part = page(User.objects.all(), order=ORDER, cursor=cursor, limit=limit)
        assert len(part.items) <= limit
        loaded += [user.username for user in part.items]
        if (cursor := part.next) is None:
            return loaded


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 10, 11, 50])
def test_the_pages_together_are_the_whole_list(limit: int) -> None:
    players(10)
    assert names(limit) == [user.username for user in User.objects.order_by(*ORDER)]


def test_a_new_row_does_not_shift_the_next_page() -> None:
    players(6)
    first = page(User.objects.all(), order=ORDER, limit=3)
    User.objects.create(username="newcomer", date_joined=NOON + timedelta(days=1))
    second = page(User.objects.all(), order=ORDER, cursor=first.next, limit=3)
    assert not {user.pk for user in first.items} & {user.pk for user in second.items}
    assert len(second.items) == 3


def test_an_empty_list_is_one_page() -> None:
    part = page(User.objects.all(), order=ORDER)
    assert (part.items, part.next) == ([], None)


@pytest.mark.parametrize(
    "cursor", ["", "x", "%%%", "bnVsbA", "W10", "WzEsMl0", "WyJ4IiwxXQ", "W251bGwsbnVsbF0", "é"]
)
def test_an_invalid_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(BadRequest, match="cursor"):
        page(User.objects.all(), order=ORDER, cursor=cursor)


@pytest.mark.parametrize("text", ["a\0", "a\ud800"])
def test_a_cursor_of_what_no_database_stores_is_refused(text: str) -> None:
    cursor = urlsafe_b64encode(json.dumps([text]).encode()).decode()
    with pytest.raises(BadRequest, match="cursor"):
        page(User.objects.all(), order=("folded",), cursor=cursor)


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_cursor_may_name_any_moment(moment: str) -> None:
    players(3)
    cursor = urlsafe_b64encode(json.dumps([moment, 1]).encode()).decode()
    part = page(User.objects.all(), order=ORDER, cursor=cursor)
    assert len(part.items) == (3 if moment.startswith("9999") else 0)


@hypothesis_settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=40))
def test_a_cursor_raises_only_bad_request(cursor: str) -> None:
    with suppress(BadRequest):
        page(User.objects.all(), order=ORDER, cursor=cursor)
