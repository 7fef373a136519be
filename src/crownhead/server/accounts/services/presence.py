"""When users were last online: stored to the minute, together with others."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.db.models import Q

from crownhead.server.accounts.models import User
from crownhead.server.core.background.write_buffers import WriteBuffer
from crownhead.server.core.queries.prepared import PreparedUpdate

log = logging.getLogger(__name__)

NOTED_EVERY = timedelta(minutes=1)


def note_presence(*, user: User, now: datetime) -> None:
    """Remember that the user made a request; what is less than a minute old is left as it is.

    A database that is too busy for this stops nobody.
    """
    if user.last_seen_at is not None and now - user.last_seen_at < NOTED_EVERY:
        return
    try:
        _SEEN.put(user.pk, now)
    except DatabaseError as error:
        log.warning("that %s is here could not be noted: %s", user.username, error)
    else:
        user.last_seen_at = now


def _write(seen: Mapping[int, datetime]) -> None:
    for user_id, now in seen.items():
        _SEE.run(user_id=user_id, now=now, stale=now - NOTED_EVERY)


_SEE = PreparedUpdate(
    lambda user_id, now, stale: (
        User.objects.filter(
            Q(last_seen_at=None) | Q(last_seen_at__lte=stale),
            Q(is_active=True) | Q(is_guest=True),
            pk=user_id,
        ),
        {"last_seen_at": now},
    ),
    user_id=int,
    now=datetime,
    stale=datetime,
)
_SEEN = WriteBuffer("presence", _write)
