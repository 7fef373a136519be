"""Locking accounts for a while: nobody can sign in, and nothing is lost."""

from __future__ import annotations

from django.db import transaction

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.revocation import end_access


def lock(*, user: User) -> None:
    """Sign the user out everywhere, end their tokens and streams, and refuse their password and keys."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(is_active=False)
        end_access(user=user)


def unlock(*, user: User) -> None:
    """Let the user sign in again; a closed account stays closed, and a guest a guest."""
    User.objects.filter(pk=user.pk, closed_at=None, is_guest=False).update(is_active=True)
