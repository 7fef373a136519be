"""What the club's events set off here; and the number of unread notices in the menu."""

from __future__ import annotations

from importlib import import_module

from crownhead.server.accounts import events as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import on
from crownhead.server.notices.services.reading import forget, unread_count
from crownhead.server.web.badges import badge

for _part in ("games", "ladders", "social", "teams", "tournaments"):
    import_module(f"crownhead.server.notices.handlers.{_part}")


@badge("notices")
def _unread(user: User) -> int:
    return unread_count(user)


@on(accounts.AccountClosed)
def forget_who_left(event: accounts.AccountClosed) -> None:
    """There is nobody to tell any more."""
    forget(user_id=event.user_id)
