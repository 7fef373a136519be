"""Sessions in which the second factors of an account were shown."""

from __future__ import annotations

from types import SimpleNamespace

from allauth.mfa.models import Authenticator
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.accounts.security.access import note_proven


def show_factors(browser: Client, user: User) -> None:
    """Note in the session of a browser that all were shown."""
    session = browser.session
    for factor in Authenticator.objects.filter(user=user):
        note_proven(SimpleNamespace(session=session), user, factor)  # type: ignore[arg-type]
    session.save()
