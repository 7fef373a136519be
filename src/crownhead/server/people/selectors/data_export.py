"""Archives of a user's data that can be downloaded."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.people.models import Archive, Piece


def archives_of(user: User, now: datetime) -> list[Archive]:
    """Return those that can be downloaded or are being made, the latest first."""
    return list(Archive.objects.filter(user=user, expires_at__gt=now).order_by("-asked_at"))


def fetch(*, user: User, public_id: str, now: datetime) -> Archive:
    """Return an archive of the user that is ready; raises ``NotFound``."""
    rows = Archive.objects.filter(user=user, public_id=public_id, expires_at__gt=now)
    archive = rows.exclude(ready_at=None).first()
    if archive is None:
        raise NotFound(_("This archive does not exist, or has expired."))
    return archive


def content(archive: Archive) -> Iterator[bytes]:
    """Yield the file in pieces, each by a query of its own: several threads may ask for them."""
    pieces = Piece.objects.filter(archive=archive)
    for number in range(pieces.count()):
        yield bytes(pieces.get(number=number).content)
