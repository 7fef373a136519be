"""Finding the token of a request: whether it is in use, and allows what the request does."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.events import credential_of_token
from crownhead.server.accounts.models import ApiToken
from crownhead.server.accounts.problems import OutOfScope, TokenExpired
from crownhead.server.accounts.services import digest
from crownhead.server.core.problems import NotSignedIn
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.live.access import Grant

_IN_USE = Prepared(
    lambda digest: ApiToken.objects.select_related("user__preferences").filter(
        digest=digest, user__is_active=True
    ),
    digest=str,
)


def access_token(token: str, *, needed: Scope | None, now: datetime) -> ApiToken:
    """Return a token with its user; ``needed``: None for what any token allows.

    Raises ``NotSignedIn`` for a token that is unknown or revoked or whose user is not active,
    ``TokenExpired``, and ``OutOfScope``.
    """
    row = _IN_USE.first(digest=digest(token.strip()))
    if row is None:
        raise NotSignedIn(_("This token is unknown or was revoked. Create a new one."))
    if row.expires_at is not None and row.has_expired(now):
        raise TokenExpired(
            _("This token expired on %(day)s. Create a new one.") % {"day": date_format(row.expires_at)}
        )
    if needed is not None:
        expect_scope(row, needed)
    if settings.STAFF_SECOND_FACTOR and not row.with_factor:
        row.user.act_as_member()
    return row


def expect_scope(row: ApiToken, needed: Scope) -> None:
    """Raise ``OutOfScope`` for what a token does not allow."""
    if needed not in row.granted:
        raise OutOfScope(
            _("This needs a token with the scope %(scope)s; yours has: %(scopes)s.")
            % {"scope": needed.value, "scopes": row.scopes},
            scope=needed.value,
        )


def token_grant(row: ApiToken) -> Grant:
    """Return what the streams of a token are bound to."""
    name = credential_of_token(row.pk)
    return Grant(row.user_id, name, row.expires_at, as_member=not row.user.acts_as_staff)
