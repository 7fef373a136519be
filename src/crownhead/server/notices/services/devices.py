"""The browsers that take push messages."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import Credential, hold_member
from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.notices.models import Device
from crownhead.server.notices.selectors.devices import devices_of
from crownhead.server.notices.validators import check_endpoint, check_keys

MAX_DEVICES = 20  # of one person; the oldest is removed


def note_device(
    *,
    user: User,
    endpoint: str,
    p256dh: str,
    auth: str,
    name: str,
    credential: Credential | None,
    now: datetime,
) -> Device:
    """Add a browser for this user; if another user had added it, it is no longer theirs.

    ``credential``: the session or token by which it is added; the browser is forgotten when that ends. Raises
    ``NotSignedIn`` if it has ended meanwhile.
    """
    check_endpoint(endpoint)
    check_keys(p256dh, auth)
    columns = {
        "user": user,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
        "name": name[:60],
        "credential": "" if credential is None else credential.name,
    }
    with transaction.atomic():
        hold_member(user, by=credential)
        device, _ = Device.objects.update_or_create(
            digest=digest_of(endpoint), defaults=columns, create_defaults=columns | {"created_at": now}
        )
        newest = list(devices_of(user, now).values_list("pk", flat=True)[:MAX_DEVICES])
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


def forget_devices_of(*, user_id: int, credentials: Collection[str]) -> None:
    """Remove the browsers that sessions or tokens of a user have added."""
    Device.objects.filter(user=user_id, credential__in=credentials).delete()


def forget_endpoint(*, user: User, endpoint: str) -> None:
    """Remove a browser by its endpoint, if it is there."""
    Device.objects.filter(user=user, digest=digest_of(endpoint)).delete()


def digest_of(endpoint: str) -> str:
    """Return the hash by which an endpoint is found."""
    return hashlib.sha256(endpoint.encode("utf-8", "surrogatepass")).hexdigest()
