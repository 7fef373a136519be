"""Listing and reading notifications; what was read on the site is not sent elsewhere.

Opening a page writes nothing while it is made: what was seen is gathered and written a moment later. Until
then the process that waits with it counts and lists it as read.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db.models import QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.background.gathered import Gathered
from crownhead.server.core.jobs import sweep
from crownhead.server.core.problems import NotFound
from crownhead.server.core.queries.prepared import Prepared, PreparedUpdate
from crownhead.server.notices.kinds import COUNTED_ELSEWHERE, Kind
from crownhead.server.notices.models import Choice, Device, Notice, Reader
from crownhead.server.notices.presenters.games import PREFIX
from crownhead.server.play.selectors import games_to_move

KEPT, WITHDRAWN_KEPT = timedelta(days=60), timedelta(days=3)
MOST_COUNTED = 100  # one counts no further

_Seen = Mapping[int, tuple[datetime, bool]]  # by notification: when, and whether the menu counts it


def notices_of(user: User) -> QuerySet[Notice]:
    """Return the user's notifications on the site, the latest first."""
    notices = Notice.objects.filter(user=user, on_site=True, withdrawn_at__isnull=True)
    return notices.order_by("-created_at", "-id")


def unread_count(user: User) -> int:
    """Count the unread ones, up to a limit."""
    return unread(user)[:MOST_COUNTED].count()


def unread(user: User) -> QuerySet[Notice]:
    """Return the unread ones, the latest first."""
    rows = notices_of(user).filter(read_at__isnull=True)
    seen = _SEEN.waiting(user.pk)
    return rows.exclude(pk__in=seen) if seen else rows


def as_read(notices: Iterable[Notice], user: User) -> None:
    """Mark those of a list that were seen just now; nothing is stored."""
    seen = _SEEN.waiting(user.pk) or {}
    for notice in notices:
        if notice.read_at is None and notice.pk in seen:
            notice.read_at = seen[notice.pk][0]


def counted_in_menu(user: User) -> QuerySet[Notice]:
    """Return those whose number the menu shows, up to a limit: without what it counts elsewhere.

    That is also a draw offer in a game on turn, which “My games” counts and marks.
    """
    rows = notices_of(user).order_by().filter(read_at__isnull=True).exclude(kind__in=COUNTED_ELSEWHERE)
    on_turn = games_to_move(user=user).order_by().annotate(subject=Concat(Value(PREFIX), "public_id"))
    return rows.exclude(kind=Kind.DRAW, about__in=on_turn.values("subject"))[:MOST_COUNTED]


def uncounted(user_id: int) -> int:
    """How many the menu counts no longer, though they are not yet stored as read."""
    seen = _SEEN.waiting(user_id)
    return sum(counted for _at, counted in seen.values()) if seen else 0


def access_notice(*, user: User, public_id: str) -> Notice:
    """Return a notification of the user's; raises ``NotFound`` if it is not."""
    notice = Notice.objects.filter(user=user, public_id=public_id).first()
    if notice is None:
        raise NotFound(_("You have no notification %(given)s.") % {"given": repr(public_id[:40])})
    return notice


def mark_read(*, user: User, public_id: str, now: datetime) -> Notice:
    """Mark one as read; raises ``NotFound`` if it is not the user's."""
    notice = access_notice(user=user, public_id=public_id)
    if Notice.objects.filter(pk=notice.pk, read_at__isnull=True).update(read_at=now):
        notice.read_at = now
    return notice


def mark_all_read(*, user: User, now: datetime) -> int:
    """Mark all as read; returns how many were unread."""
    return _unread(user).update(read_at=now)


def mark_seen(*, user: User, path: str, now: datetime) -> None:
    """Mark those that link to a page as read, a moment later."""
    rows = _UNREAD_AT.rows(user_id=user.pk, path=path)
    _see(user, {pk: (now, _is_counted(kind, on_site=on_site)) for pk, kind, on_site in rows})


def follow(*, user: User, public_id: str, now: datetime) -> Notice:
    """Mark one as read, a moment later; raises ``NotFound`` if it is not the user's."""
    notice = access_notice(user=user, public_id=public_id)
    if notice.read_at is None:
        _see(user, {notice.pk: (now, _is_counted(notice.kind, on_site=notice.on_site))})
    return notice


def _is_counted(kind: str, *, on_site: bool) -> bool:
    return on_site and kind not in COUNTED_ELSEWHERE


def _see(user: User, seen: _Seen) -> None:
    if seen:
        with _seeing:
            _SEEN.put(user.pk, {**seen, **(_SEEN.waiting(user.pk) or {})})


def _write_seen(by_user: Mapping[int, _Seen]) -> None:
    for seen in by_user.values():
        for pk, (at, _counted) in seen.items():
            _SEE.run(pk=pk, at=at)


_SEEN = Gathered("notifications that were seen", _write_seen)
_seeing = threading.Lock()  # between reading what waits for a user and adding to it


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
    lambda user_id, path: (
        _unread(User(pk=user_id)).filter(link=path).values_list("pk", "kind", "on_site")[:MOST_COUNTED]
    ),
    user_id=int,
    path=str,
)


_SEE = PreparedUpdate(
    lambda pk, at: (Notice.objects.filter(pk=pk, read_at__isnull=True), {"read_at": at}),
    pk=int,
    at=datetime,
)


def _unread(user: User) -> QuerySet[Notice]:
    return Notice.objects.filter(user=user, read_at__isnull=True, withdrawn_at__isnull=True)
