"""How a session's user is loaded and a name is looked up: by an index, with what he chose at hand."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend

from crownhead.server.accounts.models import User
from crownhead.server.accounts.validators import folded


class ClubBackend(AuthenticationBackend):  # type: ignore[misc]
    """allauth's, for a table of a million people."""

    def get_user(self, user_id: Any) -> User | None:
        """The user of a session, with his preferences; None if he may act no more."""
        return User.objects.select_related("preferences").filter(pk=user_id, is_active=True).first()

    def _authenticate_by_username(self, username: str, password: str) -> User | None:
        """As allauth's, which compares every name there is; an unknown name takes as long as a known one."""
        user = User.objects.filter(folded=folded(username)).first()
        checked: User | None = self._check_password(user, password)
        return checked
