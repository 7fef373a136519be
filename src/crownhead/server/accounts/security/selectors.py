"""Account security: second factors, sessions and tokens, what there is."""

from __future__ import annotations

from dataclasses import dataclass

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from crownhead.server.accounts.models import User
from crownhead.server.accounts.security.sessions import standing_sessions
from crownhead.server.accounts.tokens.selectors import tokens_of


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
        sessions=standing_sessions(user).count(),
        tokens=tokens_of(user).count(),
    )
