"""The numbers beside the links of the menu: how much of each thing waits for a member.

An app that knows of something names it here, in its `handlers.py`, and `navigation.html` has a place for it:
`invitations`, `messages`, `notices`. Every page asks for all of them, so each must cost one indexed question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_GET

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.play import invitations, selectors

Count = Callable[[User], int]

_counts: dict[str, Count] = {}


def badge(name: str) -> Callable[[Count], Count]:
    """Have a function of a user tell the number that stands in the places of this name."""

    def register(count: Count) -> Count:
        _counts[name] = count
        return count

    return register


def badges(user: User | AnonymousUser | None) -> Mapping[str, int]:
    """All the numbers of a member; none of a guest."""
    if not isinstance(user, User):
        return {}
    return {name: count(user) for name, count in _counts.items()}


@require_GET
def view(request: HttpRequest) -> JsonResponse:
    """The numbers by name, for a page that shows nothing else that changes."""
    answer = JsonResponse(dict(badges(request.user)))
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@badge("on_turn")
def _games_on_turn(user: User) -> int:
    return selectors.games_to_move_count(user=user)


@badge("invitations")
def _invitations(user: User) -> int:
    return invitations.received(user=user, now=clock.now()).count()
