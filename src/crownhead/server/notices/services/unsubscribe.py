"""The links by which mail of one kind is stopped without signing in (RFC 8058)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext as _

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.notices.channels.addresses import address_of
from crownhead.server.notices.kinds import Kind

_SALT = "crownhead.notices.stop"


@dataclass(frozen=True, slots=True)
class Stop:
    """Whose mail of which kinds a link stops."""

    user: User
    kinds: tuple[Kind, ...]


def link_to_stop(*, user: User, kinds: Iterable[Kind]) -> str:
    """An address that belongs to one person and to some kinds; it holds as long as the account."""
    token = signing.dumps([user.pk, *(kind.value for kind in kinds)], salt=_SALT)
    return address_of(reverse("notices:stop", args=[token]))


def read(token: str) -> Stop:
    """What a link stops; raises ``NotFound`` for one that this club did not make."""
    try:
        key, *kinds = signing.loads(token, salt=_SALT)
        user = accounts.user(key)
        wanted = tuple(Kind(kind) for kind in kinds)
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise NotFound(_("This link is incomplete, or is not from this club.")) from error
    if user is None or not wanted:
        raise NotFound(_("The account behind this link is closed."))
    return Stop(user, wanted)
