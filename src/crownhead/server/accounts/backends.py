"""Loads the user of a session with their preferences, and looks up names by an index."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend

from crownhead.server.accounts.models import User
from crownhead.server.accounts.validators import folded


class ClubBackend(AuthenticationBackend):  # type: ignore[misc]
    """The backend of allauth, for a table of a million users."""

    def get_user(self, user_id: Any) -> User | None:
        """Return the user of a session with their preferences; None if they are not active."""
        return User.objects.select_related("preferences").filter(pk=user_id, is_active=True).first()

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        """Look the name up by its index; an unknown name takes as long as a known one."""
        user = User.objects.filter(folded=folded(username)).first()
        checked: User | None = self._check_password(user, password)
        return checked
