"""When users were last online: stored to the minute, by one cheap update."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.db.models import Q

from crownhead.server.accounts.models import User

log = logging.getLogger(__name__)

NOTED_EVERY = timedelta(minutes=1)


def note_presence(*, user: User, now: datetime) -> None:
    """Remember that the user made a request; what is less than a minute old is left as it is.

    A database that is too busy for this stops nobody.
    """
    if user.last_seen_at is not None and now - user.last_seen_at < NOTED_EVERY:
        return
    stale = Q(last_seen_at=None) | Q(last_seen_at__lte=now - NOTED_EVERY)
    try:
        User.objects.filter(stale, pk=user.pk, is_active=True).update(last_seen_at=now)
    except DatabaseError as error:
        log.warning("that %s is here could not be noted: %s", user.username, error)
    else:
        user.last_seen_at = now
