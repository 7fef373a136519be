"""A guest from the first game to the account that keeps the games, or to the end."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.accounts.models import User
from crownhead.server.accounts.validators import GUEST
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit

_SHORTEST, _LONGEST = 4, 13  # digits of the number: as few as find one that is free
_MAX_CLOSED = 200  # in one round of the sweeper


def begin(*, now: datetime) -> User:
    """Make the row of somebody who begins to play: without a password, an address, or a way to sign in."""
    for digits in range(_SHORTEST, _LONGEST):
        least = 10 ** (digits - 1)
        name = f"{GUEST}{least + secrets.randbelow(9 * least)}"
        try:
            with transaction.atomic():
                guest = User(username=name, is_guest=True, is_active=False, last_seen_at=now, date_joined=now)
                guest.set_unusable_password()
                guest.save(force_insert=True)
                return guest
        except IntegrityError:  # the number is somebody's: one digit more
            continue
    raise RuntimeError("expected a free number for a guest, found none")


def become_member(*, guest: User, now: datetime) -> User | None:
    """Make of a guest's row that of a member, with all games; name, address and password are the form's.

    The row is not saved here, but held until it is; what opened it for the guest opens nothing then. None if
    the guest has been closed meanwhile.
    """
    held = User.objects.select_for_update(no_key=True).filter(pk=guest.pk, is_guest=True, closed_at=None)
    member = held.first()
    if member is None:
        return None
    member.is_guest, member.is_active = False, True
    member.date_joined = now
    return member


def close(*, guest_id: int, now: datetime) -> None:
    """End a guest for good; their games are ended as those of a closed account, and keep the name.

    Closing again changes nothing.
    """
    with transaction.atomic():
        rows = User.objects.select_for_update(no_key=True)  # games may refer to it, which are waited for
        guest = rows.filter(pk=guest_id, is_guest=True, closed_at=None).first()
        if guest is None:
            return
        guest.closed_at, guest.last_seen_at = now, None
        guest.save(update_fields=["closed_at", "last_seen_at"])
        emit(AccountClosed(user_id=guest.pk, name=guest.username, at=now))


def close_idle(*, now: datetime) -> int:
    """Close the guests who have not been here for the days that the host says; returns how many."""
    since = now - timedelta(days=settings.GUEST_DAYS)
    rows = User.objects.filter(is_guest=True, closed_at=None, last_seen_at__lt=since).order_by("last_seen_at")
    idle = list(rows.values_list("pk", flat=True)[:_MAX_CLOSED])

    def end(guest_id: int) -> int:
        close(guest_id=guest_id, now=now)
        return 1

    return one_by_one(idle, end, failing="guest %s cannot be closed")
