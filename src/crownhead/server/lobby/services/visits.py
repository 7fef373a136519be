"""When somebody was here before: a visit ends with half an hour in which he does not look at his games."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.accounts.selectors import User
from crownhead.server.lobby.models import Visit

_GAP, _ROUGHLY = timedelta(minutes=30), timedelta(minutes=5)


def last_visit(user: User, now: datetime) -> datetime | None:
    """When the visit before this one ended, None on the first; keeps in mind that he is here now.

    It is the same on every device, for it is kept with the account.
    """
    visit = Visit.objects.filter(user=user).first()
    if visit is None:
        Visit.objects.get_or_create(user=user, defaults={"seen_at": now})
        return None
    before = visit.seen_at if now - visit.seen_at > _GAP else visit.before_at
    if now - visit.seen_at > _ROUGHLY:  # not with every page: each time costs a row
        Visit.objects.filter(pk=visit.pk, seen_at=visit.seen_at).update(seen_at=now, before_at=before)
    return before
