"""Handlers of events from below: what players ask the engine, and accounts that are closed."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.analysis.events import EngineRefused
from crownhead.server.core.events import on
from crownhead.server.fair_play import services


@on(EngineRefused)
def keep_request(event: EngineRefused) -> None:
    """Keep it for the staff."""
    services.keep_request(event)


@on(AccountClosed)
def forget_closed_account(event: AccountClosed) -> None:
    """Delete what is known about the member; a job deletes what may be much."""
    services.forget(user_id=event.user_id)
