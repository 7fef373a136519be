"""Who makes an API request: the bearer of a token, or the session of a signed-in page."""

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from crownhead.server.accounts.models import User
from crownhead.server.accounts.selectors import active_token
from crownhead.server.accounts.services import note_use
from crownhead.server.core import clock
from crownhead.server.core.problems import Forbidden, NotSignedIn


class Bearer(HttpBearer):
    """`Authorization: Bearer <token>`; a token that is not in use is refused, not passed over."""

    def authenticate(self, _request: HttpRequest, token: str) -> User:
        """The user whose token it is."""
        token_row = active_token(token.strip())
        if token_row is None:
            raise NotSignedIn("the token is not, or no longer, in use")
        note_use(token=token_row, now=clock.now())
        return token_row.user


class Session(APIKeyCookie):
    """The session cookie; requests that change something must carry the CSRF token."""

    param_name = settings.SESSION_COOKIE_NAME

    def __call__(self, request: HttpRequest) -> User | None:
        """The user who is signed in, if any."""
        if not isinstance(request.user, User):
            return None
        if check_csrf(request):
            raise Forbidden("expected the page's CSRF token in the header X-CSRFToken")
        return request.user

    def authenticate(self, request: HttpRequest, _key: str | None) -> User | None:
        """Not a question of the cookie alone: see `__call__`."""
        return self(request)


class Guest:
    """Everybody else."""

    def __call__(self, _request: HttpRequest) -> AnonymousUser:
        """Nobody in particular."""
        return AnonymousUser()


SIGNED_IN: list[Any] = [Bearer(), Session()]
ANYONE: list[Any] = [Bearer(), Session(), Guest()]


def viewer(request: HttpRequest) -> User | None:
    """The user who makes the request; None for a guest."""
    user = getattr(request, "auth", None)
    return user if isinstance(user, User) else None


def signed_in(request: HttpRequest) -> User:
    """The user who makes the request, behind `SIGNED_IN`."""
    user = viewer(request)
    if user is None:
        raise NotSignedIn
    return user
