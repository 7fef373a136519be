"""What happens here when something happens below: an account is closed."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core.events import on
from crownhead.server.problems import services


@on(AccountClosed)
def forget_closed_account(event: AccountClosed) -> None:
    """Delete what is known of the solver; a job deletes what they have tried."""
    services.forget(user_id=event.user_id)
