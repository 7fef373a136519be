"""What a request may do: whether somebody is signed in, and whether they may write to others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.http import HttpRequest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import NotSignedIn

Check = Callable[[User, datetime], None]

_checks: list[Check] = []


def against(check: Check) -> Check:
    """Register a check that raises ``Forbidden`` for users who may not write to others."""
    if check not in _checks:
        _checks.append(check)
    return check


def check_may_write(*, user: User, now: datetime, text: str | None = None, before: str = "") -> None:
    """Raise ``Forbidden``, with the reason, if the user may not write what others can read.

    The one rule for messages, chat, profiles, and the texts of teams and contests. ``text``: what is to be
    stored; nothing at all, or what stood there ``before``, can always be.
    """
    if text is not None and text.strip() in {"", before.strip()}:
        return
    for check in _checks:
        check(user, now)


def signed_in(request: HttpRequest) -> User:
    """Return the user who is signed in to the page; raises ``NotSignedIn``."""
    if not isinstance(request.user, User):
        raise NotSignedIn
    return request.user
