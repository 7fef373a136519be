"""Closing an account: `accounts.events.AccountClosed` does most of it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from crownhead.server.accounts.access import Credential, hold_member
from crownhead.server.accounts.events import AccountClosed
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services import closing
from crownhead.server.people.models import ToldFriend


def close_confirmed(*, user: User, now: datetime, by: Credential | None = None) -> None:
    """End the account of somebody who has just said who they are.

    Each app gives up what it keeps for the user alone, in the same transaction, such as settings. Tasks end
    games in progress and offers, and leave tournaments, ladders and teams. What may be much, such as
    messages, is left to repeated jobs: nobody sees it meanwhile. Raises ``NotSignedIn`` where another
    password is set in that moment, or the session or token ended ``by`` which they have said
    so.
    """
    with transaction.atomic():
        hold_member(user, by=by)
        closing.close(user=user, now=now)


def forget(event: AccountClosed) -> None:
    """Delete whom a closed account invited; ``data_export.tidy`` deletes its archives, which may be large."""
    ToldFriend.objects.filter(user=event.user_id).delete()
