"""Loads the user of a session with their preferences, and checks one password per attempt."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.security.throttle import user_of


class ClubBackend(AuthenticationBackend):  # type: ignore[misc]
    """The backend of allauth, for a table of a million users."""

    def get_user(self, user_id: Any) -> User | None:
        """Return the user of a session with their preferences; None if they are not active."""
        return User.objects.select_related("preferences").filter(pk=user_id, is_active=True).first()

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:  # noqa: ARG002
        """Check the password of the one user that is meant; an unknown one takes as long as a known one.

        A name comes before an address where both are given.
        """
        user = user_of(credentials.get("username") or credentials.get("email") or "")
        checked: User | None = self._check_password(user, credentials.get("password") or "")
        return checked
