"""Cursor pagination: a cursor names the last row of a page, so new rows shift nothing."""

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet

from crownhead.server.core.problems import BadRequest

DEFAULT_LIMIT, MAX_LIMIT = 50, 200

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """Some rows of a list, and the cursor of the next page; None on the last."""

    items: list[M]
    next: str | None


def page(
    rows: QuerySet[M], *, order: Sequence[str], cursor: str | None = None, limit: int = DEFAULT_LIMIT
) -> Page[M]:
    """One page of `rows` by `order`: names of columns, `-` for descending, together unique and never null.

    Raises `BadRequest` on an invalid cursor.
    """
    limit = max(1, min(limit, MAX_LIMIT))
    rows = rows.order_by(*order)
    if cursor is not None:
        rows = rows.filter(_after(order, _decode(cursor, rows, order)))
    loaded = list(rows[: limit + 1])
    items = loaded[:limit]
    return Page(items, _encode(items[-1], order) if len(loaded) > limit else None)


def _after(order: Sequence[str], values: Sequence[Any]) -> Q:
    """The rows after `values`: later in the first column, or equal there and later in the second, etc."""
    after, equal = Q(), Q()
    for name, value in zip(order, values, strict=True):
        column = name.removeprefix("-")
        step = "lt" if name.startswith("-") else "gt"
        after |= equal & Q(**{f"{column}__{step}": value})
        equal &= Q(**{column: value})
    return after


def _encode(row: Model, order: Sequence[str]) -> str:
    values = [getattr(row, name.removeprefix("-")) for name in order]
    plain = [value.isoformat() if isinstance(value, datetime) else value for value in values]
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


def _decode(cursor: str, rows: QuerySet[M], order: Sequence[str]) -> list[Any]:
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        fields: list[Any] = [rows.model._meta.get_field(name.removeprefix("-")) for name in order]
        if not isinstance(values, list) or len(values) != len(fields) or not all(map(_is_plain, values)):
            raise ValueError
        return [field.to_python(value) for field, value in zip(fields, values, strict=True)]
    except (ValueError, TypeError, ValidationError, RecursionError) as error:
        raise BadRequest("invalid cursor", cursor=cursor[:80]) from error


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int) and not (isinstance(value, int) and abs(value) >= 2**63)
