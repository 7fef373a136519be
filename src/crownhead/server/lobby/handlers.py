"""What happens here when something happens below: an account is closed."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core.events import on
from crownhead.server.lobby.services import visits


@on(AccountClosed)
def forget_closed_account(event: AccountClosed) -> None:
    """Delete when they were here."""
    visits.forget(user_id=event.user_id)
