"""Listing and reading notifications; what was read on the site is not sent elsewhere."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import NotFound
from crownhead.server.core.queries.prepared import Prepared, PreparedUpdate
from crownhead.server.notices.kinds import COUNTED_ELSEWHERE
from crownhead.server.notices.models import Choice, Device, Notice, Reader

KEPT, WITHDRAWN_KEPT = timedelta(days=60), timedelta(days=3)
MOST_COUNTED = 100  # one counts no further


def notices_of(user: User) -> QuerySet[Notice]:
    """Return the user's notifications on the site, the latest first."""
    notices = Notice.objects.filter(user=user, on_site=True, withdrawn_at__isnull=True)
    return notices.order_by("-created_at", "-id")


def unread_count(user: User) -> int:
    """Count the unread ones, up to a limit."""
    return unread(user).count()


def unread(user: User) -> QuerySet[Notice]:
    """Return the unread ones, up to a limit."""
    return notices_of(user).order_by().filter(read_at__isnull=True)[:MOST_COUNTED]


def counted_in_menu(user: User) -> QuerySet[Notice]:
    """Return those whose number the menu shows, up to a limit: without what it counts elsewhere."""
    rows = notices_of(user).order_by().filter(read_at__isnull=True).exclude(kind__in=COUNTED_ELSEWHERE)
    return rows[:MOST_COUNTED]


def mark_read(*, user: User, public_id: str, now: datetime) -> Notice:
    """Mark one as read; raises ``NotFound`` if it is not the user's."""
    notice = Notice.objects.filter(user=user, public_id=public_id).first()
    if notice is None:
        raise NotFound(_("You have no notification %(given)s.") % {"given": repr(public_id[:40])})
    if Notice.objects.filter(pk=notice.pk, read_at__isnull=True).update(read_at=now):
        notice.read_at = now
    return notice


def mark_all_read(*, user: User, now: datetime) -> int:
    """Mark all as read; returns how many were unread."""
    return _unread(user).update(read_at=now)


def mark_seen(*, user: User, path: str, now: datetime) -> int:
    """Mark those that link to a page as read; returns how many were unread."""
    if not _UNREAD_AT.rows(user_id=user.pk, path=path):
        return 0  # a page view seldom needs to write
    return _SEE.run(user_id=user.pk, path=path, now=now)


def prune(*, now: datetime) -> int:
    """Delete old ones, and those withdrawn some days ago; returns how many."""
    old = Notice.objects.filter(created_at__lt=now - KEPT)
    withdrawn = Notice.objects.filter(created_at__lt=now - WITHDRAWN_KEPT, withdrawn_at__isnull=False)
    return sweep(old) + sweep(withdrawn)


def forget(*, user_id: int) -> None:
    """Delete a user's notifications, settings and devices."""
    for rows in (Notice, Choice, Device, Reader):
        rows.objects.filter(user=user_id).delete()


_UNREAD_AT = Prepared(
    lambda user_id, path: _unread(User(pk=user_id)).filter(link=path).values_list("pk", flat=True)[:1],
    user_id=int,
    path=str,
)


_SEE = PreparedUpdate(
    lambda user_id, path, now: (_unread(User(pk=user_id)).filter(link=path), {"read_at": now}),
    user_id=int,
    path=str,
    now=datetime,
)


def _unread(user: User) -> QuerySet[Notice]:
    return Notice.objects.filter(user=user, read_at__isnull=True, withdrawn_at__isnull=True)
