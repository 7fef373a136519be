"""Who plays in a request: the member who is signed in, or the guest of this browser.

A guest is known by a key of their own in the session, never by what signs members in: for every page
`request.user` is nobody, and the API and the back office know no guests. Only what asks here gets one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest

from crownhead.server.accounts.guests import services
from crownhead.server.accounts.models import User
from crownhead.server.accounts.problems import TooManyGuests
from crownhead.server.core import clock
from crownhead.server.core.limits import address, spend
from crownhead.server.core.problems import NotSignedIn, TooMany
from crownhead.server.core.queries.prepared import Prepared

SESSION_KEY = "playing_guest"  # of the session: the primary key of the guest

_KNOWN = "_playing_guest"  # what a request carries once it has been asked
_GUEST = Prepared(
    lambda key: User.objects.select_related("preferences").filter(pk=key, is_guest=True, closed_at=None),
    key=int,
)


def guest_of(request: HttpRequest) -> User | None:
    """Return the guest who plays in this browser; None if there is none, or a member is signed in."""
    if not hasattr(request, _KNOWN):
        setattr(request, _KNOWN, _found(request))
    guest: User | None = getattr(request, _KNOWN)
    return guest


def guest(key: int) -> User | None:
    """Return the guest with a primary key who plays here."""
    return _GUEST.first(key=key)


def viewer(request: HttpRequest) -> User | AnonymousUser:
    """Return for whom a page of games is drawn: the member, the guest who plays, or nobody."""
    if isinstance(request.user, User):
        return request.user
    return guest_of(request) or AnonymousUser()


def player(request: HttpRequest) -> User:
    """Return the member or the guest who plays; raises ``NotSignedIn``."""
    known = viewer(request)
    if not isinstance(known, User):
        raise NotSignedIn
    _keep_session(request)
    return known


@contextmanager
def new_player(request: HttpRequest) -> Iterator[User]:
    """The player, or else a new guest, who stays only if what is done within succeeds.

    Raises ``NotSignedIn`` where the club has no guests, ``TooMany`` for too many of one address.
    """
    known = viewer(request)
    if isinstance(known, User):
        yield player(request)
        return
    if not settings.GUESTS:
        raise NotSignedIn
    try:
        spend(scope="guests", who=address(request))
    except TooMany as problem:
        raise TooManyGuests(problem.text, seconds=int(problem.headers["Retry-After"])) from problem
    with transaction.atomic():
        guest = services.begin(now=clock.now())
        yield guest
    request.session.cycle_key()
    request.session[SESSION_KEY] = guest.pk
    setattr(request, _KNOWN, guest)


def forget_guest(request: HttpRequest) -> None:
    """Let the browser be no guest's any more: it is a member's now."""
    setattr(request, _KNOWN, None)
    request.session.pop(SESSION_KEY, None)


def guest_id_of_session(session: dict[str, object]) -> int | None:
    """Return the key of the guest that the data of a session name."""
    key = session.get(SESSION_KEY)
    return key if isinstance(key, int) else None


def _found(request: HttpRequest) -> User | None:
    key = None if isinstance(request.user, User) else request.session.get(SESSION_KEY)
    return _GUEST.first(key=key) if isinstance(key, int) else None


def _keep_session(request: HttpRequest) -> None:
    """Who plays on is not forgotten in the middle of a game: a month counts from the last move."""
    if SESSION_KEY in request.session and request.method == "POST":
        request.session.modified = True
