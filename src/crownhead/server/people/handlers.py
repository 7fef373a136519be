"""What follows when a friend is told, an archive is asked for, or somebody leaves."""

from __future__ import annotations

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.core.events import after, on
from crownhead.server.people.events import ArchiveAsked, FriendTold
from crownhead.server.people.services import closing, friends
from crownhead.server.people.tasks import make_archive


@after(FriendTold)
def send_letter(event: FriendTold) -> None:
    """By e-mail; one that cannot be sent is logged."""
    friends.send(event)


@on(ArchiveAsked)
def have_it_made(event: ArchiveAsked) -> None:
    """By the worker, to whom the task is given in the same transaction."""
    make_archive.enqueue(event.archive_id)


@on(AccountClosed)
def forget_who_left(event: AccountClosed) -> None:
    """Nothing of his is kept here."""
    closing.forget(event)
