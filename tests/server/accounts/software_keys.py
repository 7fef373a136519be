"""Passkeys made in software, as a browser would send them."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.webauthn import AttestedCredentialData, AuthenticatorData

_PRESENT_AND_VERIFIED = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def new_key(challenge: str, **more: Any) -> dict[str, Any]:
    """What a key made in software answers to a challenge."""
    public = ES256.from_cryptography_key(  # type: ignore[no-untyped-call]
        ec.generate_private_key(ec.SECP256R1()).public_key()
    )
    made = AttestedCredentialData.create(bytes(16), os.urandom(32), public)
    site = hashlib.sha256(b"localhost").digest()
    data = AuthenticatorData.create(site, _PRESENT_AND_VERIFIED, 0, made)
    client = {"type": "webauthn.create", "challenge": challenge, "origin": "http://localhost"}
    return {
        "id": text(made.credential_id),
        "rawId": text(made.credential_id),
        "type": "public-key",
        "response": {
            "clientDataJSON": text(json.dumps(client).encode()),
            "attestationObject": text(cbor.encode({"fmt": "none", "attStmt": {}, "authData": bytes(data)})),
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    } | more
