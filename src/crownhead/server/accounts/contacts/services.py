"""Services of contacts: buddies with notes, and blocked players."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import hold_member
from crownhead.server.accounts.contacts.validators import checked_note
from crownhead.server.accounts.models import Buddy, Ignored, User
from crownhead.server.accounts.services.leftovers import sweep_closed
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable

MOST = 500  # of each kind


def add_buddy(*, user: User, other: User, now: datetime, note: str | None = None) -> Buddy:
    """Add a buddy, or change the note if one is given; nobody is notified.

    Raises ``Unprocessable`` for yourself, a long note or a full list, ``Conflict`` for a blocked player.
    """
    _check_not_self(user, other)
    text = None if note is None else checked_note(note)
    with transaction.atomic():
        hold_member(user)
        if Ignored.objects.filter(user=user, ignored=other).exists():
            raise Conflict(
                _("You have blocked %(username)s. Unblock them first.") % {"username": other.username}
            )
        buddy = Buddy.objects.filter(user=user, buddy=other).first()
        if buddy is None:
            _check_room(Buddy.objects.filter(user=user).count(), "buddies")
            return Buddy.objects.create(user=user, buddy=other, note=text or "", created_at=now)
        if text is not None and text != buddy.note:
            buddy.note = text
            buddy.save(update_fields=["note"])
    return buddy


def write_note(*, user: User, other: User, note: str) -> Buddy:
    """Save a note about a buddy; raises ``NotFound`` for anybody else."""
    text = checked_note(note)
    if not Buddy.objects.filter(user=user, buddy=other).update(note=text):
        raise NotFound(_("%(username)s is not one of your buddies.") % {"username": other.username})
    return Buddy.objects.select_related("buddy").get(user=user, buddy=other)


def remove_buddy(*, user: User, other: User) -> None:
    """Remove a buddy; does nothing if they are not one."""
    Buddy.objects.filter(user=user, buddy=other).delete()


def block(*, user: User, other: User, now: datetime) -> Ignored:
    """Block a player, who is then no longer a buddy; nobody is notified.

    Raises ``Unprocessable`` for yourself and for a full list.
    """
    _check_not_self(user, other)
    with transaction.atomic():
        hold_member(user)
        Buddy.objects.filter(user=user, buddy=other).delete()
        existing = Ignored.objects.filter(user=user, ignored=other).first()
        if existing is not None:
            return existing
        _check_room(Ignored.objects.filter(user=user).count(), "blocked players")
        return Ignored.objects.create(user=user, ignored=other, created_at=now)


def unblock(*, user: User, other: User) -> None:
    """Unblock a player; does nothing if they are not blocked."""
    Ignored.objects.filter(user=user, ignored=other).delete()


def forget_closed(*, now: datetime) -> int:
    """Delete the contacts that were added while one of the two closed their account; returns how many."""
    return sum(
        sweep_closed(rows, now=now, user=user)
        for rows, other in ((Buddy.objects.all(), "buddy"), (Ignored.objects.all(), "ignored"))
        for user in ("user", other)
    )


def _check_not_self(user: User, other: User) -> None:
    if user.pk == other.pk:
        raise Unprocessable(_("You can't choose yourself."))


def _check_room(count: int, what: str) -> None:
    if count >= MOST:
        raise Unprocessable(
            _("You can have at most %(most)s %(what)s. Remove somebody from your list first.")
            % {"most": MOST, "what": what}
        )
