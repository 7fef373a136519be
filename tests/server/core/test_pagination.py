"""Cursor pagination."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from crownhead.server.accounts.models import User
from crownhead.server.core import pagination
from crownhead.server.core.pagination import Part, page, shortened, sifted
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


def rare(number: int) -> list[Part[User]]:
    """In two parts, the players whose keys have this remainder by ten."""
    even, odd = (User.objects.alias(half=F("pk") % 2, last=F("pk") % 10).filter(half=half) for half in (0, 1))
    return [Part(even, even.filter(last=number)), Part(odd, odd.filter(last=number))]


@pytest.mark.parametrize("limit", [1, 2, 50])
@pytest.mark.parametrize("looked_at", [1, 2, 5, 100])
def test_pages_of_what_is_rare_are_together_the_whole_list(
    limit: int, looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", looked_at)
    made = players(40)
    for number in (0, 3, 8):  # of either part
        found: list[User] = []
        cursor, pages = None, 0
        while pages == 0 or cursor is not None:
            part = sifted(rare(number), User.objects.all(), order=ORDER, cursor=cursor, limit=limit)
            assert len(part.items) <= limit
            found += part.items
            cursor, pages = part.next, pages + 1
        wanted = {user.pk for user in made if user.pk % 10 == number}
        assert [user.pk for user in found] == [
            user.pk for user in User.objects.order_by(*ORDER) if user.pk in wanted
        ]


def test_a_page_of_what_is_rare_looks_at_so_many_rows_and_names_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 7)
    players(40)
    everybody, order = User.objects.all(), ("-id",)
    latest = User.objects.latest("pk").pk
    first = sifted([Part(everybody, everybody.filter(username=""))], everybody, order=order, limit=5)
    assert first.items == []
    rest = page(everybody, order=order, cursor=first.next, limit=200)
    assert [user.pk for user in rest.items] == list(range(latest - 7, latest - 40, -1))


def test_a_part_of_which_all_is_wanted_may_be_read_further(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 2)
    made = players(12)
    found = sifted([Part(User.objects.all())], User.objects.all(), order=("-id",), limit=10)
    assert [user.pk for user in found.items] == [user.pk for user in made[:1:-1]]


@pytest.mark.parametrize("most", [0, 9, 21, 40, 10_000])
def test_pages_that_end_where_their_rows_are_large_are_together_the_whole_list(most: int) -> None:
    players(10)
    loaded: list[str] = []
    cursor = None
    while True:
        part = page(User.objects.all(), order=ORDER, cursor=cursor, limit=7)
        part = shortened(part, lambda user: len(user.username), most=most)
        sizes = [len(user.username) for user in part.items]
        assert len(sizes) == 1 or sum(sizes) <= most
        loaded += [user.username for user in part.items]
        if (cursor := part.next) is None:
            break
    assert loaded == [user.username for user in User.objects.order_by(*ORDER)]


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
