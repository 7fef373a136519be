"""Handlers that turn events into notifications, and the number of unread ones in the menu."""

from __future__ import annotations

from importlib import import_module

from crownhead.server.accounts import events as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import on
from crownhead.server.notices.services.devices import forget_devices
from crownhead.server.notices.services.reading import forget, unread_count
from crownhead.server.web.badges import badge

for _part in ("games", "ladders", "social", "teams", "tournaments"):
    import_module(f"crownhead.server.notices.handlers.{_part}")


@badge("notices")
def _unread(user: User) -> int:
    return unread_count(user)


@on(accounts.AccessEnded)
def forget_browsers(event: accounts.AccessEnded) -> None:
    """Send no more push messages to browsers that were added before."""
    forget_devices(user_id=event.user_id)


@on(accounts.AccountClosed)
def delete_closed_account(event: accounts.AccountClosed) -> None:
    """Delete everything stored for a closed account."""
    forget(user_id=event.user_id)
