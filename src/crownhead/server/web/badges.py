"""The numbers beside the links of the menu: how many of each thing wait for a member.

An app registers its count in its `handlers.py`, and `navigation.html` shows it:
`invitations`, `messages`, `notices`. Every page needs all of them, so each count must be one indexed query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

Count = Callable[[Any], int]

_counts: dict[str, Count] = {}


def badge(name: str) -> Callable[[Count], Count]:
    """Register a function of a user as the count of this name."""

    def register(count: Count) -> Count:
        _counts[name] = count
        return count

    return register


def badges(user: AbstractBaseUser | AnonymousUser | None) -> Mapping[str, int]:
    """All counts of a member; empty for a guest."""
    if user is None or not user.is_authenticated:
        return {}
    return {name: count(user) for name, count in _counts.items()}


@require_GET
def view(request: HttpRequest) -> JsonResponse:
    """The counts by name, for pages that refresh only these."""
    response = JsonResponse(dict(badges(request.user)))
    response.headers["Cache-Control"] = "private, no-store"
    return response
