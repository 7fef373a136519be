"""What a member's passkeys and security keys may be: so many, each no larger than its parts that are used."""

from __future__ import annotations

import struct
from typing import Any

from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from crownhead.server.accounts.models import User

MOST = 10  # of one member; every sign-in by one of them reads them all
LONGEST = 16_000  # characters of what a browser says of a new one; most take a thousand
_LONGEST_WORD = 40
_NOT_READ = (AttributeError, LookupError, RecursionError, TypeError, ValueError, struct.error)
_STATE = "mfa.webauthn.state"  # of a session: the challenge that allauth has given


def has_challenge(session: Any) -> bool:
    """Whether a browser has asked for a challenge that it may answer now."""
    return _STATE in session


def expect_room(user: User) -> None:
    """Raise ``ValidationError`` for a member who has as many keys as one may have."""
    if Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).count() >= MOST:
        raise ValidationError(
            _("You already have %(most)s keys. Remove one, then add another.") % {"most": MOST}
        )


def essential(credential: Any) -> dict[str, Any]:
    """What is kept of a new key: what signing in needs, and nothing else that was sent along.

    Raises ``ValidationError`` for what no browser sends.
    """
    try:
        response = credential["response"]
        key = {name: credential[name] for name in ("id", "rawId", "type")}
        answer = {name: response[name] for name in ("clientDataJSON", "attestationObject")}
        results = credential.get("clientExtensionResults") or {}
        is_passkey = (results.get("credProps") or {}).get("rk")
        attachment = str(credential.get("authenticatorAttachment") or "")[:_LONGEST_WORD]
    except _NOT_READ as error:
        raise no_key() from error
    if not all(isinstance(text, str) for text in (*key.values(), *answer.values())):
        raise no_key()
    kept = {
        **key,
        "response": answer,
        **({"authenticatorAttachment": attachment} if attachment else {}),
        "clientExtensionResults": {"credProps": {"rk": is_passkey}} if isinstance(is_passkey, bool) else {},
    }
    from fido2.webauthn import RegistrationResponse  # with cryptography, which a start does without

    try:
        made = RegistrationResponse.from_dict(kept).response.attestation_object.auth_data.credential_data
    except _NOT_READ as error:
        raise no_key() from error
    if made is None:
        raise no_key()
    return kept


def essential_answer(credential: Any) -> dict[str, Any]:
    """What counts of the answer of a key to a challenge; raises ``ValidationError`` for what none sends.

    Where a text is expected, a number would be taken for so many bytes.
    """
    try:
        response = credential["response"]
        key = {name: credential[name] for name in ("id", "rawId", "type")}
        answer = {name: response[name] for name in ("clientDataJSON", "authenticatorData", "signature")}
        handle = response.get("userHandle") or ""
    except _NOT_READ as error:
        raise no_key() from error
    if not all(isinstance(text, str) for text in (*key.values(), *answer.values(), handle)):
        raise no_key()
    kept = {**key, "response": answer | ({"userHandle": handle} if handle else {})}
    from fido2.webauthn import AuthenticationResponse

    try:
        AuthenticationResponse.from_dict(kept)
    except _NOT_READ as error:
        raise no_key() from error
    return kept


def no_key() -> ValidationError:
    """What was sent is no key, or not the answer to the challenge that was given."""
    return ValidationError(_("Your browser sent something that isn't a key. Try again."))
