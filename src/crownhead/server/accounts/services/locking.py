"""Locking accounts for a while: nobody can sign in, and nothing is lost."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.db import transaction

from crownhead.server.accounts.models import User


def lock(*, user: User) -> None:
    """Sign the user out everywhere and refuse their password, keys and tokens."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(is_active=False)
        for session in UserSession.objects.filter(user=user):
            session.end()


def unlock(*, user: User) -> None:
    """Let the user sign in again; a closed account stays closed."""
    User.objects.filter(pk=user.pk, closed_at=None).update(is_active=True)
