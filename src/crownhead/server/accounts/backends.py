"""Loads the user of a session with their preferences, and checks a password as often for everybody."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from django.http import HttpRequest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.security.throttle import note_success, passwords_for, users_to_try
from crownhead.server.core import clock
from crownhead.server.core.queries.prepared import Prepared

_ACTIVE = Prepared(
    lambda key: User.objects.select_related("preferences").filter(pk=key, is_active=True), key=int
)


class ClubBackend(AuthenticationBackend):  # type: ignore[misc]
    """The backend of allauth, for a table of a million users."""

    def get_user(self, user_id: Any) -> User | None:
        """Return the user of a session with their preferences; None if they are not active."""
        return _ACTIVE.first(key=int(user_id))

    def _authenticate(self, request: HttpRequest | None, **credentials: Any) -> User | None:
        """Check the password of whom the name or address means; nobody takes as long as somebody.

        A name comes before an address where both are given. An address may also be meant by who gave it last,
        for they shall not find out that it is somebody else's. So two passwords are checked for every
        address, one for a name, whatever comes of it.
        """
        login = str(credentials.get("username") or credentials.get("email") or "")
        password = str(credentials.get("password") or "")
        users = users_to_try(request=request, login=login, now=clock.now())
        checked = [self._check_password(user, password) for user in users]
        for _nobody in range(passwords_for(login) - len(users)):
            self._mitigate_timing_attack(password)
        self._did_check_password = True
        found = next(filter(None, checked), None)
        if request is not None and found is not None:
            note_success(request=request, user=found)
        return found
