"""Handlers that turn events into notifications, and the number of unread ones in the menu."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module

from django.db.models import QuerySet

from crownhead.server.accounts import events as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import on
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.notices.models import Notice, Reader
from crownhead.server.notices.selectors.reading import counted_in_menu, uncounted
from crownhead.server.notices.services.devices import forget_devices, forget_devices_of
from crownhead.server.notices.services.reading import forget
from crownhead.server.web.badges import badge
from crownhead.server.web.first_steps import done_by

for _part in ("games", "ladders", "social", "teams", "tournaments"):
    import_module(f"crownhead.server.notices.handlers.{_part}")


@badge("notices", less=uncounted)
def _unread(user: User, _now: datetime) -> QuerySet[Notice]:
    return counted_in_menu(user)


@done_by("notices")
def _has_chosen(user: User) -> bool:
    return bool(_READER.rows(user_id=user.pk))


_READER = Prepared(lambda user_id: Reader.objects.filter(user=user_id).values_list("pk"), user_id=int)


@on(accounts.AccessEnded)
def forget_browsers(event: accounts.AccessEnded) -> None:
    """Send no more push messages to browsers that were added before."""
    forget_devices(user_id=event.user_id)


@on(accounts.CredentialsEnded)
def forget_browsers_of_sessions(event: accounts.CredentialsEnded) -> None:
    """Send no more push messages to browsers that a session or token had added that has ended."""
    forget_devices_of(user_id=event.user_id, credentials=event.credentials)


@on(accounts.AccountClosed)
def delete_closed_account(event: accounts.AccountClosed) -> None:
    """Delete what is stored for a closed account; a job deletes its notifications."""
    forget(user_id=event.user_id)
