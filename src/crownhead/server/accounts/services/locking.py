"""Locking accounts for a while: nobody can sign in, and nothing is lost."""

from __future__ import annotations

from django.db import transaction

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.revocation import end_access


def lock(*, user: User) -> bool:
    """Sign the user out everywhere, end their tokens and streams, and refuse their password and keys.

    Returns whether the account was open: one that the host has shut is not to be opened with the lock.
    """
    with transaction.atomic():
        was_open = bool(User.objects.filter(pk=user.pk, is_active=True).update(is_active=False))
        end_access(user=user)
    return was_open


def unlock(*, user: User) -> None:
    """Let the user sign in again; a closed account stays closed, and a guest a guest."""
    User.objects.filter(pk=user.pk, closed_at=None, is_guest=False).update(is_active=True)
