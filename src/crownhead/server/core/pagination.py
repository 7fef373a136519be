"""Cursor pagination: a cursor names the last row of a page, so new rows shift nothing."""

import base64
import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from operator import attrgetter
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.db.models.functions import Coalesce

from crownhead.server.core import clock
from crownhead.server.core.problems import BadRequest
from crownhead.server.core.texts import is_storable

DEFAULT_LIMIT, MAX_LIMIT = 50, 200
LOOKED_AT = 1000  # rows of an index for a page, where not all of them are wanted
LONGEST_TEXTS = 50_000  # characters in all, of the texts that members write, on one page

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Some rows of a list by ``order``, and the cursor of the next page; None on the last."""

    items: list[M]
    next: str | None
    order: Sequence[str] = ()

    def after(self, row: M) -> str:
        """The cursor of a page that begins behind one of its rows."""
        return cursor_of(row, self.order)


@dataclass(frozen=True, slots=True)
class Part(Generic[M]):
    """A part of a list: all rows ``along`` an index, and those of them that are ``wanted``; None: all are."""

    along: QuerySet[M]
    wanted: QuerySet[M] | None = None


def page(
    rows: QuerySet[M], *, order: Sequence[str], cursor: str | None = None, limit: int = DEFAULT_LIMIT
) -> Page[M]:
    """One page of `rows` by `order`: names of columns, `-` for descending, together unique and never null.

    Raises `BadRequest` on an invalid cursor.
    """
    return merged([rows], order=order, cursor=cursor, limit=max(1, min(limit, MAX_LIMIT)))


def merged(
    arms: Sequence[QuerySet[M]], *, order: Sequence[str], cursor: str | None = None, limit: int
) -> Page[M]:
    """A page of a list in several parts without a row in common, for each of which there is an index."""
    loaded: list[M] = []
    for arm in arms:
        rows = arm.order_by(*order)
        if cursor is not None:
            rows = rows.filter(_after(order, _decode(cursor, rows, order)))
        loaded += rows[: limit + 1]
    if len(arms) > 1:
        _sort(loaded, order)
    items = loaded[:limit]
    return Page(items, cursor_of(items[-1], order) if len(loaded) > limit else None, order)


def sifted(
    parts: Sequence[Part[M]],
    rows: QuerySet[M],
    *,
    order: Sequence[str],
    cursor: str | None = None,
    limit: int,
) -> Page[M]:
    """A page where an index knows the order of a part, and not which of its rows are wanted.

    It looks at ``LOOKED_AT`` rows of each part; it may then have few, or none, and still a following page.
    Only keys, the last column of ``order``, are put in order; the rows themselves are read from ``rows``.
    """
    keys: list[Any] = []
    stops: list[Any] = []  # the last row of a part that was looked at, where it goes on
    for part in parts:
        along = _keys(part.along, order, cursor)
        if part.wanted is None:
            keys += along[: limit + 1]
            continue
        stop = list(along[LOOKED_AT - 1 : LOOKED_AT + 1])
        wanted = _keys(part.wanted, order, cursor)
        if len(stop) == 2:
            stops.append(stop[0])
            wanted = wanted.filter(_not_beyond(order, stop[0]))
        keys += wanted[: limit + 1]
    found, ends = [*keys, *stops], set(map(id, stops))  # a row comes before a stop at the same place
    _sort(found, order)
    items: list[Any] = []
    following = None
    unique = order[-1].removeprefix("-")
    for key in found:
        is_stop = id(key) in ends
        if is_stop or len(items) == limit:
            following = cursor_of(key if is_stop else items[-1], order)
            break
        items.append(key)
    found_keys = [getattr(key, unique) for key in items]
    loaded = rows.in_bulk(found_keys)
    return Page([loaded[key] for key in found_keys if key in loaded], following, order)


def shortened(found: Page[M], size_of: Callable[[M], int], *, most: int = LONGEST_TEXTS) -> Page[M]:
    """A page that ends where its rows are large enough together, and goes on there."""
    some = first_of(found.items, size_of, most=most)
    return found if len(some) == len(found.items) else Page(some, found.after(some[-1]), found.order)


def first_of(rows: list[M], size_of: Callable[[M], int], *, most: int) -> list[M]:
    """The first of some rows, up to such a size in all, but at least one."""
    return rows[: max(bisect_right(list(accumulate(map(size_of, rows))), most), 1)]


def _sort(rows: list[Any], order: Sequence[str]) -> None:
    for name in reversed(order):
        rows.sort(key=attrgetter(name.removeprefix("-")), reverse=name.startswith("-"))


def _keys(rows: QuerySet[M], order: Sequence[str], cursor: str | None) -> QuerySet[Any, Any]:
    """The columns of the order alone, of those after the cursor."""
    if cursor is not None:
        rows = rows.filter(_after(order, _decode(cursor, rows, order)))
    columns = [name.removeprefix("-") for name in order]
    return rows.select_related(None).order_by(*order).values_list(*columns, named=True)


def _not_beyond(order: Sequence[str], row: Any) -> Q:
    """The rows up to this one, and perhaps some more with the same value in the first column."""
    column = order[0].removeprefix("-")
    return Q(**{f"{column}__{'gte' if order[0].startswith('-') else 'lte'}": getattr(row, column)})


def reverse(order: Sequence[str]) -> tuple[str, ...]:
    """The order from the other end."""
    return tuple(name[1:] if name.startswith("-") else f"-{name}" for name in order)


def beside(column: str) -> Coalesce:
    """A column of which no index is sought: a condition to check on rows that come in another one's order.

    SQLite would rather narrow the rows by an index, and sort the many that are left.
    """
    return Coalesce(column, column)


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    """The rows after `values`: later in the first column, or equal there and later in the second, etc.

    The bound of the first column is told apart, for only that is sought in an index.
    """
    after, equal = Q(), Q()
    for name, value in zip(order, values, strict=True):
        column = name.removeprefix("-")
        step = "lt" if name.startswith("-") else "gt"
        after |= equal & Q(**{f"{column}__{step}": value})
        equal &= Q(**{column: value})
    first = order[0].removeprefix("-")
    return Q(**{f"{first}__{'lte' if order[0].startswith('-') else 'gte'}": values[0]}) & after


def cursor_of(row: Model, order: Sequence[str]) -> str:
    """The cursor of the rows that come after this one."""
    values = [getattr(row, name.removeprefix("-")) for name in order]
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


def _decode(cursor: str, rows: QuerySet[M], order: Sequence[str]) -> list[Any]:
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        fields: list[Any] = [rows.model._meta.get_field(name.removeprefix("-")) for name in order]
        if not isinstance(values, list) or len(values) != len(fields) or not all(map(_is_plain, values)):
            raise ValueError
        found = [field.to_python(value) for field, value in zip(fields, values, strict=True)]
        if any(isinstance(value, datetime) and value.tzinfo is None for value in found):
            raise ValueError
        return [clock.in_utc(value) if isinstance(value, datetime) else value for value in found]
    except (ValueError, TypeError, ValidationError, RecursionError) as error:
        raise BadRequest("invalid cursor", cursor=cursor[:80]) from error


def _is_plain(value: object) -> bool:
    """Whether it is a text or a number that a database takes."""
    if isinstance(value, str):
        return is_storable(value)
    return isinstance(value, int) and abs(value) < 2**63
