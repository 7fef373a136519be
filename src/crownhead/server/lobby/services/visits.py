"""When a member last visited: a visit ends after half an hour without a look at the home page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from crownhead.server.accounts.selectors import User, players
from crownhead.server.core.background.write_buffers import ONE_BY_ONE, WriteBuffer
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.lobby.models import Visit

_GAP, _ROUGHLY = timedelta(minutes=30), timedelta(minutes=5)

_VISIT = Prepared(lambda user_id: Visit.objects.filter(user_id=user_id), user_id=int)


def last_visit(user: User, now: datetime) -> datetime | None:
    """When the visit before this one ended, None on the first; records that the user is here now.

    It is stored with the account, so it is the same on every device.
    """
    visit = _VISIT.first(user_id=user.pk)
    if visit is None or now - visit.seen_at > _ROUGHLY:  # not on every page, since each update costs a write
        _VISITS.put(user.pk, now)
    return None if visit is None else _before(visit, now)


def forget(*, user_id: int) -> None:
    """Delete the visits of somebody who has closed their account."""
    Visit.objects.filter(user=user_id).delete()


def _before(visit: Visit, now: datetime) -> datetime | None:
    """When the visit before the one of now ended."""
    return visit.seen_at if now - visit.seen_at > _GAP else visit.before_at


def _write(visits: Mapping[int, datetime]) -> None:
    for user_id, now in visits.items():
        visit = _VISIT.first(user_id=user_id)
        if visit is None:
            user = players([user_id]).get(user_id)
            if user is not None and user.closed_at is None:  # they have not left since
                Visit.objects.get_or_create(user_id=user_id, defaults={"seen_at": now})
        elif now - visit.seen_at > _ROUGHLY:
            rows = Visit.objects.filter(pk=visit.pk, seen_at=visit.seen_at)
            rows.update(seen_at=now, before_at=_before(visit, now))


_VISITS = WriteBuffer("visits", _write, at_once=ONE_BY_ONE)
