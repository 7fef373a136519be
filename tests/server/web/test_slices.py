"""Lists on pages come in slices that no new row shifts."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.http import QueryDict

from crownhead.server.accounts.models import User
from crownhead.server.core import pagination
from crownhead.server.core.pagination import Part
from crownhead.server.play.models import Game, Games
from crownhead.server.web.slices import Slice, keyed, numbered, sought, top_slice
from tests.server.play.factories import NOW, make_offer

pytestmark = pytest.mark.django_db

ORDER = ("-created_at", "-id")


def cursor(moment: str) -> str:
    """Of a row made at that moment, as a link has it."""
    return urlsafe_b64encode(json.dumps([moment, 1]).encode()).decode().rstrip("=")


@pytest.fixture
def names(alice: User) -> dict[int, str]:
    """Seven games in pairs of the same age; what they are called by their keys, the newest "a"."""
    made = [make_offer(alice, now=NOW - timedelta(hours=hour // 2)).pk for hour in range(7)]
    ordered = Game.objects.filter(pk__in=made).order_by(*ORDER).values_list("pk", flat=True)
    return dict(zip(ordered, "abcdefg", strict=True))


def _slice(query: str, *, arms: tuple[Games, ...] | None = None) -> Slice[Game]:
    return keyed(*(arms or (Game.objects.all(),)), order=ORDER, query=QueryDict(query), limit=3)


def _read(found: Slice[Game], names: dict[int, str]) -> str:
    return "".join(names[game.pk] for game in found)


def test_older_and_newer_lead_through_the_list_and_back(names: dict[int, str]) -> None:
    first = _slice("")
    second = _slice(first.older[1:])
    third = _slice(second.older[1:])
    back = _slice(third.newer[1:])

    assert [_read(found, names) for found in (first, second, third, back)] == ["abc", "def", "g", "def"]
    assert (first.newer, third.older) == ("", "")
    assert _read(_slice(back.newer[1:]), names) == "abc"
    assert not _slice(back.newer[1:]).newer


def test_a_new_row_shifts_nothing(names: dict[int, str], bob: User) -> None:
    older = _slice("").older
    make_offer(bob, now=NOW + timedelta(hours=1))
    assert _read(_slice(older[1:]), names) == "def"


def test_two_arms_make_one_list(names: dict[int, str]) -> None:
    even = Game.objects.filter(pk__in=[pk for pk in names if pk % 2])
    arms = (even, Game.objects.exclude(pk__in=even))
    first = _slice("", arms=arms)
    second = _slice(first.older[1:], arms=arms)

    assert _read(first, names) + _read(second, names) == "abcdef"
    assert _read(_slice(second.newer[1:], arms=arms), names) == "abc"


@pytest.mark.parametrize("cursor", ["nonsense", "WzFd", cursor("2026-03-01"), ""])
@pytest.mark.parametrize("name", ["after", "before"])
def test_a_cursor_without_sense_leads_to_the_top(name: str, cursor: str, names: dict[int, str]) -> None:
    found = _slice(f"{name}={cursor}")
    assert _read(found, names) == "abc"
    assert not found.newer


def test_other_parts_of_the_query_are_kept(names: dict[int, str]) -> None:
    assert names
    assert _slice("variant=mule&before=x").older.startswith("?variant=mule&after=")


def test_behind_the_last_row_the_way_leads_back(names: dict[int, str]) -> None:
    end = _slice(f"variant=mule&after={cursor('2000-01-01T00:00:00+00:00')}")
    assert names
    assert (len(end), end.newer) == (0, "?variant=mule")


def test_where_less_than_a_slice_is_newer_the_list_begins_at_its_top(names: dict[int, str]) -> None:
    ages = Game.objects.order_by(*ORDER).values_list("created_at", flat=True)
    found = _slice(f"before={cursor(ages[0].isoformat())}")
    assert (_read(found, names), found.newer) == ("abc", "")


@pytest.mark.parametrize("looked_at", [1, 2, 100])
def test_what_is_rare_is_found_from_slice_to_slice(
    looked_at: int, names: dict[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", looked_at)
    rare = [key for key, name in names.items() if name in "bf"]
    parts = [Part(Game.objects.all(), Game.objects.filter(pk__in=rare))]
    read, query, slices = "", "", 0
    while slices < 10:
        found = sought(parts, Game.objects.all(), order=ORDER, query=QueryDict(query), limit=3)
        read, query, slices = read + _read(found, names), found.older[1:], slices + 1
        if not query:
            break
    assert (read, slices) == ("bf", {1: 7, 2: 4, 100: 1}[looked_at])


def test_from_an_empty_slice_the_way_leads_back_to_the_top(
    names: dict[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pagination, "LOOKED_AT", 2)
    last = next(key for key, name in names.items() if name == "g")
    parts = [Part(Game.objects.all(), Game.objects.filter(pk=last))]

    def slice_of(query: str) -> Slice[Game]:
        return sought(parts, Game.objects.all(), order=ORDER, query=QueryDict(query), limit=3)

    second = slice_of(slice_of("").older[1:])
    assert (len(second), second.newer) == (0, "?")
    end = slice_of(slice_of(second.older[1:]).older[1:])
    assert _read(end, names) == "g"
    assert not slice_of(end.newer[1:]).newer


def test_numbered_slices_end(names: dict[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def part(query: str) -> Slice[Game]:
        return numbered(Game.objects.order_by(*ORDER), query=QueryDict(query), limit=3)

    assert (_read(part(""), names), part("").older, part("").newer) == ("abc", "?page=2", "")
    assert (_read(part("page=3"), names), part("page=3").older, part("page=3").newer) == ("g", "", "?page=2")
    assert [_read(part(f"page={text}"), names) for text in ("0", "-1", "x", "²")] == ["abc"] * 4
    monkeypatch.setattr("crownhead.server.web.slices.MAX_NUMBERED", 2)
    assert part("page=2").older == ""
    assert _read(part("page=99999999999"), names) == "def"
    assert _read(part(f"page={'9' * 5000}"), names) == "def"


def test_slices_end_where_their_rows_are_large_together(names: dict[int, str]) -> None:
    """Of each kind, there and back."""
    rows, size = Game.objects.all(), {key: 5 if name in "bf" else 2 for key, name in names.items()}

    def parts(look: Callable[..., Slice[Game]]) -> str:
        query, found = "", []
        while True:
            part = look(
                order=ORDER, query=QueryDict(query), limit=3, size_of=lambda game: size[game.pk], most=6
            )
            found.append(_read(part, names))
            if not part.older:
                return f"{' '.join(found)}, {part.newer and _read(look_back(look, part), names)}"
            query = part.older[1:]

    def look_back(look: Callable[..., Slice[Game]], part: Slice[Game]) -> Slice[Game]:
        back = QueryDict(part.newer[1:])
        return look(order=ORDER, query=back, limit=3, size_of=lambda game: size[game.pk], most=6)

    assert parts(partial(keyed, rows)) == "a b cde f g, f"
    assert parts(partial(sought, [Part(rows)], rows)) == "a b cde f g, f"
    top = top_slice(
        list(rows.order_by(*ORDER)[:4]),
        order=ORDER,
        query=QueryDict(""),
        limit=3,
        size_of=lambda game: size[game.pk],
        most=6,
    )
    assert (_read(top, names), _read(_slice(top.older[1:]), names)) == ("a", "bcd")
