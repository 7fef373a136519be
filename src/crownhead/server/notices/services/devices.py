"""The browsers that take push messages."""

from __future__ import annotations

import base64
import binascii
import hashlib
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.notices.models import Device
from crownhead.server.notices.selectors.devices import devices_of

MOST_DEVICES = 20  # of one person; the oldest is removed
LONGEST_ENDPOINT = 2000
_AUTH_BYTES = 16


def note_device(
    *, user: User, endpoint: str, p256dh: str, auth: str, name: str, credential: str, now: datetime
) -> Device:
    """Add a browser for this user; if another user had added it, it is no longer theirs.

    ``credential``: the session or token by which it is added; the browser is forgotten when that ends.
    """
    check_endpoint(endpoint)
    _check_keys(p256dh, auth)
    columns = {
        "user": user,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
        "name": name[:60],
        "credential": credential,
    }
    with transaction.atomic():
        device, _ = Device.objects.update_or_create(
            digest=digest_of(endpoint), defaults=columns, create_defaults=columns | {"created_at": now}
        )
        newest = list(devices_of(user).values_list("pk", flat=True)[:MOST_DEVICES])
        Device.objects.filter(user=user).exclude(pk__in=newest).delete()
    return device


def forget_device(*, user: User, public_id: str) -> None:
    """Remove a browser; raises ``NotFound`` if it is not the user's."""
    deleted, _by_model = Device.objects.filter(user=user, public_id=public_id).delete()
    if not deleted:
        raise NotFound(_("You have no device %(given)s.") % {"given": repr(public_id[:40])})


def forget_devices(*, user_id: int) -> None:
    """Remove all browsers of a user."""
    Device.objects.filter(user=user_id).delete()


def forget_devices_of(*, user_id: int, credential: str) -> None:
    """Remove the browsers that a session or token of a user has added."""
    Device.objects.filter(user=user_id, credential=credential).delete()


def forget_endpoint(*, user: User, endpoint: str) -> None:
    """Remove a browser by its endpoint, if it is there."""
    Device.objects.filter(user=user, digest=digest_of(endpoint)).delete()


def check_endpoint(endpoint: str) -> None:
    """Refuse addresses that do not belong to a push service, so that the server calls nothing else."""
    if len(endpoint) > LONGEST_ENDPOINT:
        raise Unprocessable(
            "endpoint: "
            + _("Use at most %(longest_endpoint)s characters, not %(count)s.")
            % {"longest_endpoint": LONGEST_ENDPOINT, "count": len(endpoint)}
        )
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise Unprocessable(
            "endpoint: " + _("Give an https address, not %(given)s.") % {"given": repr(endpoint[:80])}
        ) from error
    if parts.scheme != "https" or parts.username or port not in {None, 443} or not endpoint.isascii():
        raise Unprocessable(
            "endpoint: " + _("Give an https address, not %(given)s.") % {"given": repr(endpoint[:80])}
        )
    host = (parts.hostname or "").rstrip(".")
    if not any(host == service or host.endswith(f".{service}") for service in settings.PUSH_SERVICES):
        raise Unprocessable(
            "endpoint: "
            + _("This club doesn't support the push service %(given)s.") % {"given": repr(host[:80])}
        )


def digest_of(endpoint: str) -> str:
    """Return the hash by which an endpoint is found."""
    return hashlib.sha256(endpoint.encode("utf-8", "surrogatepass")).hexdigest()


def _check_keys(p256dh: str, auth: str) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec  # takes a while, and is hardly ever needed

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes_of(p256dh))
    except (ValueError, binascii.Error) as error:
        raise Unprocessable("keys.p256dh: " + _("Give a point on P-256 in base64url.")) from error
    try:
        right = len(_bytes_of(auth)) == _AUTH_BYTES
    except (ValueError, binascii.Error):
        right = False
    if not right:
        raise Unprocessable(
            "keys.auth: " + _("Give %(auth_bytes)s bytes in base64url.") % {"auth_bytes": _AUTH_BYTES}
        )


def _bytes_of(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
