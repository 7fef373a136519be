"""The security log: sign-ins, good and bad, refusals, changes to what opens an account, acts of the staff.

Its lines name members by their number, and visitors by their network, never by a whole address; nothing that
somebody typed is in them. Each is counted in the metrics as well.
"""

from __future__ import annotations

import logging
from enum import StrEnum
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from crownhead.server.core.http import client_address, household
from crownhead.server.core.monitoring.metrics import SECURITY_EVENTS

log = logging.getLogger("crownhead.security")

REFUSALS = frozenset({401, 403, 429})
"""The statuses of answers that refuse what was asked for."""

_REFUSALS_SECONDS = 60  # in which the same refusal of the same visitor is written once
_NETWORK_BITS = {4: 24, 6: 48}


class SecurityEvent(StrEnum):
    """What happened; programs that read the log find it in ``event``."""

    SIGNED_IN = "signed-in"
    SIGN_IN_FAILED = "sign-in-failed"
    SIGN_IN_THROTTLED = "sign-in-throttled"
    SECOND_FACTOR_FAILED = "second-factor-failed"
    SIGNED_OUT = "signed-out"
    CONFIRMATION_ASKED = "confirmation-asked"
    CONFIRMATION_FAILED = "confirmation-failed"
    ACCOUNT_MADE = "account-made"
    ACCOUNT_CLOSED = "account-closed"
    PASSWORD_CHANGED = "password-changed"
    PASSWORD_RESET = "password-reset"
    EMAIL_CHANGE_ASKED = "email-change-asked"
    EMAIL_CHANGE_TAKEN_BACK = "email-change-taken-back"
    EMAIL_CHANGED = "email-changed"
    EMAIL_CONFIRMED = "email-confirmed"
    SECOND_FACTOR_ADDED = "second-factor-added"
    SECOND_FACTOR_REMOVED = "second-factor-removed"
    RECOVERY_CODES_RENEWED = "recovery-codes-renewed"
    TOKEN_MADE = "token-made"
    CREDENTIAL_ENDED = "credential-ended"
    ACCESS_ENDED = "access-ended"
    REFUSED = "refused"
    STAFF_ACTION = "staff-action"


_FAILURES = frozenset(
    {
        SecurityEvent.SIGN_IN_FAILED,
        SecurityEvent.SIGN_IN_THROTTLED,
        SecurityEvent.SECOND_FACTOR_FAILED,
        SecurityEvent.CONFIRMATION_FAILED,
        SecurityEvent.REFUSED,
    }
)


def record(
    event: SecurityEvent,
    *,
    user_id: int | None = None,
    request: HttpRequest | None = None,
    **facts: Any,
) -> None:
    """Write and count an event. ``user_id``: whom it is about, or who did it; ``facts``: words of our own."""
    known: dict[str, Any] = {"event": event.value}
    if user_id is not None:
        known["user"] = user_id
    if request is not None:
        known["network"] = network(client_address(request))
    known |= facts
    SECURITY_EVENTS.labels(event.value).inc()
    level = logging.WARNING if event in _FAILURES else logging.INFO
    sentence = " ".join(f"{name}={value}" for name, value in known.items())
    log.log(level, "%s", sentence, extra={"facts": known})


def record_change(event: SecurityEvent, *, user_id: int, **facts: Any) -> None:
    """Record what changes a row, once that has committed."""
    transaction.on_commit(partial(record, event, user_id=user_id, **facts), robust=True)


def record_refusal(request: HttpRequest, answer: HttpResponseBase, *, method: str, route: str) -> None:
    """Write that a request was refused, of the same visitor and place once a minute; all are counted."""
    user = getattr(request, "auth", None) or getattr(request, "user", None)
    user_id = getattr(user, "pk", None)
    who = household(client_address(request)) if user_id is None else user_id
    # Not among the limits: one visitor makes an entry for each address of the site.
    if cache.add(f"refused:{answer.status_code}:{route}:{who}", 1, _REFUSALS_SECONDS):
        facts = {"status": answer.status_code, "method": method, "route": route}
        record(SecurityEvent.REFUSED, user_id=user_id, request=request, **facts)
    else:
        SECURITY_EVENTS.labels(SecurityEvent.REFUSED.value).inc()


def network(address: str) -> str:
    """The network of an address, of 24 bits or for IPv6 of 48; ``unknown`` for what is no address.

    >>> network("203.0.113.77"), network("2001:db8:1:2::3")
    ('203.0.113.0/24', '2001:db8:1::/48')
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return "unknown"
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed
    return str(ip_network((parsed, _NETWORK_BITS[parsed.version]), strict=False))
