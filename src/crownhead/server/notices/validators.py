"""What people may choose of notifications, and which browsers may take push messages."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping

from django.conf import settings
from django.utils.translation import gettext as _

from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import expect_one_of
from crownhead.server.notices.kinds import TIMINGS, Channel, Kind, Timing

LONGEST_ENDPOINT = 2000
_AUTH_BYTES = 16
# So strict that every library takes the same for the host: some end it at a backslash, others do not.
_ENDPOINT = re.compile(r"https://(?P<host>[a-z0-9.-]+)(:443)?([/?][!-\[\]-~]*)?", re.IGNORECASE | re.ASCII)

Timings = Mapping[tuple[Kind, Channel], Timing]


def check_choices(timings: Timings, digest_hour: int | None) -> None:
    """Raise ``Unprocessable`` for a time that a channel does not have, or an hour beyond 23."""
    for (kind, channel), timing in timings.items():
        expect_one_of(f"{kind.value}.{channel.value}", timing.value, TIMINGS[channel])
    if digest_hour is not None and not 0 <= digest_hour <= 23:
        raise Unprocessable(
            _("Choose an hour from 0 to 23, not %(digest_hour)s.") % {"digest_hour": digest_hour},
            field="digest_hour",
        )


def check_endpoint(endpoint: str) -> None:
    """Refuse addresses that do not belong to a push service, so that the server calls nothing else."""
    if len(endpoint) > LONGEST_ENDPOINT:
        raise Unprocessable(
            _("Use at most %(longest_endpoint)s characters, not %(count)s.")
            % {"longest_endpoint": LONGEST_ENDPOINT, "count": len(endpoint)},
            field="endpoint",
        )
    parts = _ENDPOINT.fullmatch(endpoint)
    if parts is None:
        raise Unprocessable(
            _("Give an https address, not %(given)s.") % {"given": repr(endpoint[:80])}, field="endpoint"
        )
    host = parts["host"].lower().rstrip(".")
    if not any(host == service or host.endswith(f".{service}") for service in settings.PUSH_SERVICES):
        raise Unprocessable(
            _("This club doesn't support the push service %(given)s.") % {"given": repr(host[:80])},
            field="endpoint",
        )


def check_keys(p256dh: str, auth: str) -> None:
    """Raise ``Unprocessable`` unless these are the keys of a subscription, in base64url."""
    from cryptography.hazmat.primitives.asymmetric import ec  # takes a while, and is hardly ever needed

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes_of(p256dh))
    except (ValueError, binascii.Error) as error:
        raise Unprocessable(_("Give a point on P-256 in base64url."), field="keys.p256dh") from error
    try:
        right = len(_bytes_of(auth)) == _AUTH_BYTES
    except (ValueError, binascii.Error):
        right = False
    if not right:
        raise Unprocessable(
            _("Give %(auth_bytes)s bytes in base64url.") % {"auth_bytes": _AUTH_BYTES}, field="keys.auth"
        )


def _bytes_of(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
