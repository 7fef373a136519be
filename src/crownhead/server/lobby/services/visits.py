"""When a member last visited: a visit ends after half an hour without a look at the home page."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.accounts.selectors import User
from crownhead.server.lobby.models import Visit

_GAP, _ROUGHLY = timedelta(minutes=30), timedelta(minutes=5)


def last_visit(user: User, now: datetime) -> datetime | None:
    """When the visit before this one ended, None on the first; records that the user is here now.

    It is stored with the account, so it is the same on every device.
    """
    visit = Visit.objects.filter(user=user).first()
    if visit is None:
        Visit.objects.get_or_create(user=user, defaults={"seen_at": now})
        return None
    before = visit.seen_at if now - visit.seen_at > _GAP else visit.before_at
    if now - visit.seen_at > _ROUGHLY:  # not on every page, since each update costs a write
        Visit.objects.filter(pk=visit.pk, seen_at=visit.seen_at).update(seen_at=now, before_at=before)
    return before
