"""What follows when a friend is told or an archive is asked for."""

from __future__ import annotations

from crownhead.server.core.events import after, on
from crownhead.server.people import friends
from crownhead.server.people.events import ArchiveAsked, FriendTold
from crownhead.server.people.tasks import make_archive


@after(FriendTold)
def send_letter(event: FriendTold) -> None:
    """By e-mail; one that cannot be sent is logged."""
    friends.send(event)


@on(ArchiveAsked)
def have_it_made(event: ArchiveAsked) -> None:
    """By the worker, to whom the task is given in the same transaction."""
    make_archive.enqueue(event.archive_id)
