"""Handlers for invitations of friends, archives and closed accounts."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core.events import on
from crownhead.server.people.events import ArchiveRequested, FriendInvited
from crownhead.server.people.services import closing, friends
from crownhead.server.people.tasks import make_archive


@on(FriendInvited)
def send_invitation(event: FriendInvited) -> None:
    """Store the mail in the same transaction."""
    friends.send(event)


@on(ArchiveRequested)
def enqueue_archive(event: ArchiveRequested) -> None:
    """Give the task to the worker, in the same transaction."""
    make_archive.enqueue(event.archive_id)


@on(AccountClosed)
def forget_who_left(event: AccountClosed) -> None:
    """Delete what is stored for a closed account."""
    closing.forget(event)
