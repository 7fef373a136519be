"""Browsers that subscribe to push messages, and the services that pass messages on to them."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

import http_ece
import requests
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from crownhead.server.accounts.models import User
from crownhead.server.notices.models import Device
from crownhead.server.notices.services import devices
from tests.server.play.factories import NOW


def text(data: bytes) -> str:
    """Base64url without padding, as browsers write it."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@dataclass(slots=True)
class Browser:
    """A browser with keys of its own, which alone can read what is sent to it."""

    name: str = "one"
    secret: bytes = b"sixteen bytes on"
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    @property
    def endpoint(self) -> str:
        """Where messages to it go."""
        return f"https://updates.push.services.mozilla.com/wpush/v2/{self.name}"

    @property
    def p256dh(self) -> str:
        """Its public key."""
        return text(self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def subscription(self) -> dict[str, Any]:
        """What ``PushSubscription.toJSON()`` gives."""
        keys = {"p256dh": self.p256dh, "auth": text(self.secret)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys, "name": "Firefox, Linux"}

    def subscribe(self, user: User) -> Device:
        """The browser takes messages for somebody."""
        return devices.note_device(
            user=user,
            endpoint=self.endpoint,
            p256dh=self.p256dh,
            auth=text(self.secret),
            name="Firefox, Linux",
            credential=None,
            now=NOW,
        )

    def read(self, body: bytes) -> dict[str, Any]:
        """A message as the browser decrypts it (RFC 8291)."""
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        message: dict[str, Any] = json.loads(plain)
        return message


@dataclass(slots=True)
class Service(requests.Session):
    """A push service that takes notes; ``answers`` are the statuses to come, 201 after those."""

    answers: list[int | Exception] = field(default_factory=list)
    taken: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        requests.Session.__init__(self)

    def post(self, url: Any, data: Any = None, json: Any = None, **options: Any) -> requests.Response:  # noqa: ARG002
        """Answer as the test says."""
        answer = self.answers.pop(0) if self.answers else 201
        if isinstance(answer, Exception):
            raise answer
        self.taken.append((url, dict(options["headers"]), data))
        response = requests.Response()
        response.status_code = answer
        return response

    @property
    def last(self) -> tuple[str, dict[str, str], bytes]:
        """The message taken last: address, headers, body."""
        return self.taken[-1]


def is_signed(header: str) -> bool:
    """Whether an ``Authorization`` header carries a signature by the key that it names (RFC 8292)."""
    return bool(Vapid02.verify(header))
