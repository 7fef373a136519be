"""The numbers beside the links of the menu: how many of each thing wait for a member.

An app registers in its `handlers.py` which rows count, and `navigation.html` shows how many there are:
`invitations`, `messages`, `notices`. Every page needs all of them, so they are counted by one query, each by
an index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import IntegerField, QuerySet, Subquery
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from crownhead.server.core import clock
from crownhead.server.core.queries.prepared import Prepared

Rows = Callable[[Any, datetime], QuerySet[Any]]

_rows: dict[str, Rows] = {}
_less: dict[str, Callable[[int], int]] = {}


class _Counted(Subquery):
    """How many rows a query has."""

    template = "(SELECT COUNT(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def badge(name: str, *, less: Callable[[int], int] | None = None) -> Callable[[Rows], Rows]:
    """Register the rows of this name: a query of a user and the time, of the same shape for everybody.

    ``less``: of a user's key, how many of the rows count no longer, since that waits to be stored.
    """

    def register(rows: Rows) -> Rows:
        _rows[name] = rows
        if less is not None:
            _less[name] = less
        return rows

    return register


def badges(user: AbstractBaseUser | AnonymousUser | None) -> Mapping[str, int]:
    """All counts of a member; empty for a guest."""
    if user is None or not user.is_authenticated:
        return {}
    counts = _ALL.first(user_id=user.pk, now=clock.now())
    found = dict(zip(_rows, counts, strict=True)) if counts else dict.fromkeys(_rows, 0)
    for name, less in _less.items():
        if found[name]:
            found[name] = max(found[name] - less(user.pk), 0)
    return found


def _all(user_id: int, now: datetime) -> QuerySet[Any, Any]:
    members = get_user_model()
    counts = {
        f"badge_{name}": _Counted(rows(members(pk=user_id), now).values("pk")) for name, rows in _rows.items()
    }
    return members._default_manager.filter(pk=user_id).values_list(*counts.values())  # noqa: SLF001 # of any model of users


_ALL = Prepared(_all, user_id=int, now=datetime)


@require_safe
def view(request: HttpRequest) -> JsonResponse:
    """The counts by name, for pages that refresh only these."""
    response = JsonResponse(dict(badges(request.user)))
    response.headers["Cache-Control"] = "private, no-store"
    return response
