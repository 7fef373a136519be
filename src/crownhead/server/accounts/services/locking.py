"""Accounts that are shut for a while: nobody can sign in to them, and nothing is lost; for the apps above."""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.db import transaction

from crownhead.server.accounts.models import User


def lock(*, user: User) -> None:
    """Sign somebody out everywhere and let him in no more, by password, key or token."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(is_active=False)
        for session in UserSession.objects.filter(user=user):
            session.end()


def unlock(*, user: User) -> None:
    """Let somebody in again, with all that he had; an account that he has closed stays so."""
    User.objects.filter(pk=user.pk, closed_at=None).update(is_active=True)
