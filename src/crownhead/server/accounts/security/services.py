"""What keeps an account safe: second factor, sessions, tokens; what there is of each, and what ends it."""

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
    """How an account is kept."""

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
        """Whether a password alone does not let anybody in."""
        return self.has_app or self.keys > 0


def standing(user: User) -> Standing:
    """How the user's account is kept."""
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
    """The user's tokens, the newest first."""
    return ApiToken.objects.filter(user=user).order_by("-created_at", "-pk")


def new_token(*, user: User, now: datetime, name: str = "") -> str:
    """A token for a program of the user's, told this once; raises ``Conflict`` where he has too many."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with transaction.atomic():
        User.objects.select_for_update().only("pk").get(pk=user.pk)
        if tokens_of(user).count() >= MOST_TOKENS:
            raise Conflict(
                _("You can have at most %(most_tokens)s tokens. Revoke one that you no longer use.")
                % {"most_tokens": MOST_TOKENS}
            )
        kept = " ".join(name.split())[:LONGEST_NAME]
        ApiToken.objects.create(user=user, digest=digest(token), name=kept, created_at=now)
    return token


def end_token(*, user: User, token_id: int) -> None:
    """End one of the user's tokens; raises ``NotFound``."""
    ended, _rows = ApiToken.objects.filter(user=user, pk=token_id).delete()
    if not ended:
        raise NotFound(_("There is no such token, or it has already been revoked."))


def end_tokens(*, user: User) -> None:
    """End all of the user's tokens."""
    ApiToken.objects.filter(user=user).delete()


def forget(*, user_id: int) -> None:
    """Remove every second factor and the list of sessions of an account that is closed."""
    Authenticator.objects.filter(user=user_id).delete()
    UserSession.objects.filter(user=user_id).delete()
