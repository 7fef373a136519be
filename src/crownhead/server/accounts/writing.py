"""Who may write to others: who knows a reason against it names it here, who lets people write asks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from crownhead.server.accounts.models import User

Check = Callable[[User, datetime], None]

_checks: list[Check] = []


def against(check: Check) -> Check:
    """Have a function of a user and the time raise ``Forbidden`` where he may not write."""
    if check not in _checks:
        _checks.append(check)
    return check


def expect_may_write(*, user: User, now: datetime) -> None:
    """Raise ``Forbidden``, with the reason, while something keeps the user from writing to others."""
    for check in _checks:
        check(user, now)
