"""Links that unsubscribe from a kind of e-mail without signing in (RFC 8058)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.notices.channels.addresses import absolute_url
from crownhead.server.notices.kinds import Kind

_SALT = "crownhead.notices.stop"


@dataclass(frozen=True, slots=True)
class Stop:
    """Whose e-mail of which kinds a link turns off."""

    user: User
    kinds: tuple[Kind, ...]


def unsubscribe_link(*, user: User, kinds: Iterable[Kind]) -> str:
    """Return an address for one user and some kinds; it works as long as the account exists."""
    token = signing.dumps([user.pk, *(kind.value for kind in kinds)], salt=_SALT)
    return absolute_url(reverse("notices:stop", args=[token]))


def read(token: str) -> Stop:
    """Return what a link turns off; raises ``NotFound`` for a link of another club."""
    try:
        key, *kinds = signing.loads(token, salt=_SALT)
        user = accounts.user(key)
        wanted = tuple(Kind(kind) for kind in kinds)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise NotFound(_("This link is incomplete, or is not from this club.")) from error
    if user is None or not wanted:
        raise NotFound(_("The account behind this link is closed."))
    return Stop(user, wanted)
