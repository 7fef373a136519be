"""Parts of long lists on pages: by the row where one ends, so that none is counted and all cost the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import QueryDict

from crownhead.server.core import pagination
from crownhead.server.core.pagination import Page, Part
from crownhead.server.core.problems import BadRequest

M = TypeVar("M", bound=Model)

AFTER, BEFORE, NUMBER = "after", "before", "page"
MAX_NUMBERED = 40  # pages of a list in an order that no index has


@dataclass(frozen=True, slots=True)
class Slice(Generic[M]):
    """Some rows of a list; ``newer`` and ``older``: the queries of its neighbours, empty for none."""

    items: list[M]
    newer: str = ""
    older: str = ""

    def __iter__(self) -> Iterator[M]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


def top_slice(
    rows: Sequence[M],
    *,
    order: Sequence[str],
    query: QueryDict,
    limit: int,
    size_of: Callable[[M], int] | None = None,
    most: int = pagination.LONGEST_TEXTS,
) -> Slice[M]:
    """The first slice of a list, of at least one row more than ``limit`` of it, if there are so many.

    ``size_of`` and ``most``: see ``keyed``.
    """
    some = list(rows[:limit])
    if size_of is not None:
        some = pagination.first_of(some, size_of, most=most)
    older = pagination.cursor_of(some[-1], order) if len(rows) > len(some) else ""
    return Slice(some, older=_link(query, AFTER, older) if older else "")


def keyed(
    *arms: QuerySet[M],
    order: Sequence[str],
    query: QueryDict,
    limit: int,
    size_of: Callable[[M], int] | None = None,
    most: int = pagination.LONGEST_TEXTS,
) -> Slice[M]:
    """The slice that the query of a page asks for, of rows in ``order``; see ``core.pagination.page``.

    With ``size_of`` it ends before its rows are larger than ``most`` in all. Several ``arms`` hold the parts
    of one list, without a row in common: each has an index to be read along. A cursor that makes no sense, or
    before which there is less than a page, leads to the top of the list.
    """
    find = _short_enough(partial(pagination.merged, arms), size_of, most)
    return _found(find, order=order, query=query, limit=limit)


def sought(
    parts: Sequence[Part[M]],
    rows: QuerySet[M],
    *,
    order: Sequence[str],
    query: QueryDict,
    limit: int,
    size_of: Callable[[M], int] | None = None,
    most: int = pagination.LONGEST_TEXTS,
) -> Slice[M]:
    """A slice of rows that no index knows; ``core.pagination.sifted`` says how few are looked at.

    The slice may be empty and have neighbours. ``size_of`` and ``most``: see ``keyed``.
    """
    find = _short_enough(partial(pagination.sifted, parts, rows), size_of, most)
    return _found(find, order=order, query=query, limit=limit)


def _short_enough(
    find: Callable[..., Page[M]], size_of: Callable[[M], int] | None, most: int
) -> Callable[..., Page[M]]:
    """The same search, of whose rows those are kept that are small enough together."""
    if size_of is None:
        return find
    return lambda **wanted: pagination.shortened(find(**wanted), size_of, most=most)


def _found(find: Callable[..., Page[M]], *, order: Sequence[str], query: QueryDict, limit: int) -> Slice[M]:
    before, after = query.get(BEFORE), query.get(AFTER)
    try:
        if before is not None:
            found = find(order=pagination.reverse(order), cursor=before, limit=limit)
            if found.items and found.next is not None:
                older = pagination.cursor_of(found.items[0], order)
                newer, older = _link(query, BEFORE, found.next), _link(query, AFTER, older)
                return Slice(found.items[::-1], newer, older)
            after = None
        found = find(order=order, cursor=after, limit=limit)
    except BadRequest:
        after, found = None, find(order=order, limit=limit)
    newer = ""
    if after:
        first = pagination.cursor_of(found.items[0], order) if found.items else ""
        newer = _link(query, BEFORE if first else None, first)
    return Slice(found.items, newer, _link(query, AFTER, found.next) if found.next else "")


def numbered(rows: QuerySet[M], *, query: QueryDict, limit: int) -> Slice[M]:
    """The slice by its number, for the first pages of a short list in any order."""
    asked = query.get(NUMBER, "")
    number = min(max(int(asked[:4]), 1), MAX_NUMBERED) if asked.isascii() and asked.isdigit() else 1
    first = (number - 1) * limit
    items = list(rows[first : first + limit + 1])
    older = len(items) > limit and number < MAX_NUMBERED
    return Slice(
        items[:limit],
        newer=_link(query, NUMBER, str(number - 1)) if number > 1 else "",
        older=_link(query, NUMBER, str(number + 1)) if older else "",
    )


def _link(query: QueryDict, name: str | None, value: str) -> str:
    """The query with one cursor or number in the place of any other."""
    changed = query.copy()
    for key in (AFTER, BEFORE, NUMBER):
        changed.pop(key, None)
    if name is not None:
        changed[name] = value
    return f"?{changed.urlencode()}"
