"""Account security: second factors, sessions and tokens, what there is and how to end it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.models import ApiToken, User
from crownhead.server.accounts.services import digest
from crownhead.server.core.problems import Conflict, NotFound

MOST_TOKENS = 50
LONGEST_NAME = 60
_TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How an account is protected."""

    address: str
    address_is_confirmed: bool
    has_password: bool
    has_app: bool
    keys: int
    codes_left: int | None
    sessions: int
    tokens: int

    @property
    def has_second_factor(self) -> bool:
        """Whether a password alone is not enough to sign in."""
        return self.has_app or self.keys > 0


def standing(user: User) -> Standing:
    """Return how the user's account is protected."""
    factors = list(Authenticator.objects.filter(user=user))
    codes = next((row for row in factors if row.type == Authenticator.Type.RECOVERY_CODES), None)
    confirmed = EmailAddress.objects.filter(user=user, email=user.email, verified=True)
    return Standing(
        address=user.email,
        address_is_confirmed=confirmed.exists(),
        has_password=user.has_usable_password(),
        has_app=any(row.type == Authenticator.Type.TOTP for row in factors),
        keys=sum(row.type == Authenticator.Type.WEBAUTHN for row in factors),
        codes_left=len(codes.wrap().get_unused_codes()) if codes else None,
        sessions=len(UserSession.objects.purge_and_list(user)),
        tokens=tokens_of(user).count(),
    )


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the user's tokens, the newest first."""
    return ApiToken.objects.filter(user=user).order_by("-created_at", "-pk")


def new_token(*, user: User, now: datetime, name: str = "") -> str:
    """Create a token for a program, shown only once; raises ``Conflict`` if the user has too many."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with transaction.atomic():
        User.objects.select_for_update().only("pk").get(pk=user.pk)
        if tokens_of(user).count() >= MOST_TOKENS:
            raise Conflict(
                _("You can have at most %(most_tokens)s tokens. Revoke one that you no longer use.")
                % {"most_tokens": MOST_TOKENS}
            )
        cleaned_name = " ".join(name.split())[:LONGEST_NAME]
        ApiToken.objects.create(user=user, digest=digest(token), name=cleaned_name, created_at=now)
    return token


def end_token(*, user: User, token_id: int) -> None:
    """Revoke a token of the user; raises ``NotFound``."""
    ended, _rows = ApiToken.objects.filter(user=user, pk=token_id).delete()
    if not ended:
        raise NotFound(_("There is no such token, or it has already been revoked."))


def end_tokens(*, user: User) -> None:
    """Revoke all tokens of the user."""
    ApiToken.objects.filter(user=user).delete()


def forget(*, user_id: int) -> None:
    """Delete all second factors and sessions of a closed account."""
    Authenticator.objects.filter(user=user_id).delete()
    UserSession.objects.filter(user=user_id).delete()
