"""Questions about accounts."""

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest

from crownhead.server.accounts.models import ApiToken
from crownhead.server.accounts.models import User as User  # for the apps above, which see no rows
from crownhead.server.accounts.services import digest

__all__ = ["User", "email_is_confirmed", "player", "token_in_use", "user", "user_of_session"]


def token_in_use(token: str) -> ApiToken | None:
    """The token with its user, if it is one and the user may still act."""
    return ApiToken.objects.select_related("user").filter(digest=digest(token), user__is_active=True).first()


def user_of_session(key: str) -> User | None:
    """Who is signed in to a session; None when it has ended or the password was changed since."""
    request = HttpRequest()
    request.session = SessionStore(key)
    found = get_user(request)
    return found if isinstance(found, User) and found.is_active else None


def user(key: int) -> User | None:
    """The user of a primary key, if he may act."""
    return User.objects.filter(pk=key, is_active=True).first()


def player(name: str) -> User | None:
    """The player of that name, in whatever case, if he may act."""
    return User.objects.filter(username__iexact=name.strip(), is_active=True).first()


def email_is_confirmed(user: User) -> bool:
    """Whether the user has shown that the address is his."""
    return bool(EmailAddress.objects.filter(user=user, email=user.email, verified=True).exists())
