"""The numbers beside the links of the menu: how much of each thing waits for a member.

An app that knows of something names it here, in its `handlers.py`, and `navigation.html` has a place for it:
`invitations`, `messages`, `notices`. Every page asks for all of them, so each must cost one indexed question.
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
    """Have a function of a user tell the number that stands in the places of this name."""

    def register(count: Count) -> Count:
        _counts[name] = count
        return count

    return register


def badges(user: AbstractBaseUser | AnonymousUser | None) -> Mapping[str, int]:
    """All the numbers of a member; none of a guest."""
    if user is None or not user.is_authenticated:
        return {}
    return {name: count(user) for name, count in _counts.items()}


@require_GET
def view(request: HttpRequest) -> JsonResponse:
    """The numbers by name, for a page that shows nothing else that changes."""
    answer = JsonResponse(dict(badges(request.user)))
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
