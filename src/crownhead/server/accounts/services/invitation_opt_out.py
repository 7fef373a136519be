"""Invitation opt-out: addresses that get no invitations from this club, stored as hashes."""

from __future__ import annotations

from datetime import datetime

from django.core import signing
from django.utils.translation import gettext as _

from crownhead.server.accounts.addresses.selectors import digest
from crownhead.server.accounts.models import InvitationOptOut
from crownhead.server.core.problems import NotFound

_SALT = "crownhead.no-more"


def opt_out(*, token: str, now: datetime) -> None:
    """Send no more invitations to the address of a link; doing so again changes nothing.

    Raises ``NotFound`` for a link that was not made here.
    """
    InvitationOptOut.objects.get_or_create(digest=_read(token), defaults={"created_at": now})


def token_for(address: str) -> str:
    """The token of the opt-out link."""
    return signing.dumps(digest(address), salt=_SALT)


def headers(stop: str) -> dict[str, str]:
    """The headers for one-click unsubscribing in a mail program (RFC 8058); ``stop``: the link."""
    return {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def check(token: str) -> None:
    """Raise ``NotFound`` unless the token is one that was made here."""
    _read(token)


def _read(token: str) -> str:
    try:
        return str(signing.loads(token, salt=_SALT))
    except signing.BadSignature as error:
        raise NotFound(_("This link is incomplete, or is not from this club.")) from error
