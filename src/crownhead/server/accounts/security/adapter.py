"""What allauth's second factor asks us to decide: what an account is called there, how secrets are kept."""

from __future__ import annotations

import base64
import logging
import secrets
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.models import User

log = logging.getLogger(__name__)

_PURPOSE = b"crownhead second factor"
_UNUSABLE_BYTES = 20


class SecurityAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Accounts go by their names; secrets are unreadable without the club's secret key."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("Wrong code. The app shows a new one every 30 seconds."),
    }

    def get_totp_label(self, user: User) -> str:
        """What an authenticator app shows beside the club's name."""
        return user.username

    def get_totp_issuer(self) -> str:
        """The club's name."""
        return settings.CLUB_NAME

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """What the browser shows when it asks which passkey to take."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.username, "display_name": user.username}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The club, by the name of the host that the visitor sees."""
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return {**entity, "name": settings.CLUB_NAME}

    def encrypt(self, text: str) -> str:
        """A secret as it is kept."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """A secret that was kept; one that fits no code where the club's secret key is not what it was."""
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            log.error("a second factor cannot be read: it was kept under another secret key")
            return base64.b32encode(secrets.token_bytes(_UNUSABLE_BYTES)).decode()


def _cipher() -> MultiFernet:
    return MultiFernet([_key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _key(secret: str | bytes) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(force_bytes(secret))
    return Fernet(base64.urlsafe_b64encode(derived))
