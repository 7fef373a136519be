"""The decisions that allauth's second factor leaves to us: names, and how secrets are stored."""

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
    """Accounts are shown by name; secrets are encrypted with the club's secret key."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": _("Wrong code. The app shows a new one every 30 seconds."),
    }

    def get_totp_label(self, user: User) -> str:
        """Return what an authenticator app shows next to the club's name."""
        return user.username

    def get_totp_issuer(self) -> str:
        """Return the club's name."""
        return settings.CLUB_NAME

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """Return what the browser shows when it asks for a passkey."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.username, "display_name": user.username}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the club, by the host that the visitor sees."""
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return {**entity, "name": settings.CLUB_NAME}

    def encrypt(self, text: str) -> str:
        """Return a secret as it is stored."""
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a stored secret; one that fits no code if the secret key has changed."""
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
