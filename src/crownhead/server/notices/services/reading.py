"""Reading notifications; what was read on the site is not sent elsewhere.

Opening a page writes nothing while it is made: what was seen is buffered and written a moment later.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count

from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.leftovers import sweep_closed
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.batches import batched
from crownhead.server.core.jobs import sweep
from crownhead.server.notices import tasks
from crownhead.server.notices.kinds import COUNTED_ELSEWHERE
from crownhead.server.notices.models import SEEN, Choice, Device, Notice, Reader, Seen
from crownhead.server.notices.selectors.reading import access_notice, unread_anywhere

KEPT, WITHDRAWN_KEPT = timedelta(days=60), timedelta(days=3)
KEPT_OF_ONE = 5000  # of one user, the latest
READ_AT_ONCE = 500  # in one transaction


def mark_read(*, user: User, public_id: str, now: datetime) -> Notice:
    """Mark one as read; raises ``NotFound`` if it is not the user's."""
    notice = access_notice(user=user, public_id=public_id)
    if Notice.objects.filter(pk=notice.pk, read_at__isnull=True).update(read_at=now):
        notice.read_at = now
    return notice


def mark_all_read(*, user: User, now: datetime) -> int:
    """Mark all as read, the latest now and a worker the others; returns how many were unread."""
    unread = unread_anywhere(user)
    keys = list(unread.order_by("-pk").values_list("pk", flat=True)[: READ_AT_ONCE + 1])
    if len(keys) <= READ_AT_ONCE:
        return unread.filter(pk__in=keys).update(read_at=now) if keys else 0
    with transaction.atomic():
        total = unread.count()
        unread.filter(pk__in=keys[:READ_AT_ONCE]).update(read_at=now)
        tasks.mark_read_until.enqueue(user.pk, keys[-1], now.isoformat())
    return total


def mark_read_until(*, user_id: int, last: int, at: datetime) -> int:
    """Mark those up to this one as read, some in a transaction; doing it again changes nothing."""
    unread = unread_anywhere(User(pk=user_id)).filter(pk__lte=last)
    keys = list(unread.order_by("-pk").values_list("pk", flat=True))
    return sum(
        unread.filter(pk__in=some).update(read_at=at) for some in throttled(batched(keys, READ_AT_ONCE))
    )


def mark_seen(*, user: User, rows: Iterable[tuple[int, str, bool]], now: datetime) -> None:
    """Mark some as read, a moment later; ``rows``: as ``selectors.reading.unread_at`` gives them."""
    _see(user, {pk: (now, _is_counted(kind, on_site=on_site)) for pk, kind, on_site in rows})


def follow(*, user: User, public_id: str, now: datetime) -> Notice:
    """Mark one as read, a moment later; raises ``NotFound`` if it is not the user's."""
    notice = access_notice(user=user, public_id=public_id)
    if notice.read_at is None:
        _see(user, {notice.pk: (now, _is_counted(notice.kind, on_site=notice.on_site))})
    return notice


def _is_counted(kind: str, *, on_site: bool) -> bool:
    return on_site and kind not in COUNTED_ELSEWHERE


def _see(user: User, seen: Seen) -> None:
    if seen:
        with _seeing:
            SEEN.put(user.pk, {**seen, **(SEEN.waiting(user.pk) or {})})


_seeing = threading.Lock()  # between reading what waits for a user and adding to it


def prune(*, now: datetime) -> int:
    """Delete old ones, those withdrawn some days ago, and those of closed accounts; returns how many."""
    old = Notice.objects.filter(created_at__lt=now - KEPT)
    withdrawn = Notice.objects.filter(created_at__lt=now - WITHDRAWN_KEPT, withdrawn_at__isnull=False)
    return sweep(old) + sweep(withdrawn) + sweep_closed(Notice.objects.all(), now=now)


def prune_beyond() -> int:
    """Delete the oldest of users who have very many; returns how many."""
    counts = Notice.objects.order_by().values("user").annotate(count=Count("pk"))
    deleted = 0
    for user_id in list(counts.filter(count__gt=KEPT_OF_ONE).values_list("user", flat=True)):
        mine = Notice.objects.filter(user=user_id)
        newest_beyond = mine.order_by("-pk").values_list("pk", flat=True)[KEPT_OF_ONE : KEPT_OF_ONE + 1]
        for pk in newest_beyond:
            deleted += sweep(mine.filter(pk__lte=pk))
    return deleted


def forget(*, user_id: int) -> None:
    """Delete the settings and devices of a closed account; ``prune`` deletes its notifications.

    They may be many, and nobody sees them or gets them sent any more.
    """
    for rows in (Choice, Device, Reader):
        rows.objects.filter(user=user_id).delete()
