"""Notifications: the list, what is unread, and what the menu counts.

What was seen counts as read in the process that waits to write it (``services.reading``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.notices.kinds import COUNTED_ELSEWHERE, GAME_PREFIX, Kind
from crownhead.server.notices.models import SEEN, Notice
from crownhead.server.play.selectors import games_to_move

MAX_COUNTED = 100  # one counts no further
_UNREAD_AT = Prepared(
    lambda user_id, path: (
        unread_anywhere(User(pk=user_id)).filter(link=path).values_list("pk", "kind", "on_site")[:MAX_COUNTED]
    ),
    user_id=int,
    path=str,
)


def notices_of(user: User) -> QuerySet[Notice]:
    """Return the user's notifications on the site, the latest first."""
    notices = Notice.objects.filter(user=user, on_site=True, withdrawn_at__isnull=True)
    return notices.order_by("-created_at", "-id")


def unread_count(user: User) -> int:
    """Count the unread ones, up to a limit."""
    return unread(user).order_by()[:MAX_COUNTED].count()  # in an order, the read ones are walked, too


def unread(user: User) -> QuerySet[Notice]:
    """Return the unread ones, the latest first."""
    rows = notices_of(user).filter(read_at__isnull=True)
    seen = SEEN.waiting(user.pk)
    return rows.exclude(pk__in=seen) if seen else rows


def as_read(notices: Iterable[Notice], user: User) -> None:
    """Mark those of a list that were seen just now; nothing is stored."""
    seen = SEEN.waiting(user.pk) or {}
    for notice in notices:
        if notice.read_at is None and notice.pk in seen:
            notice.read_at = seen[notice.pk][0]


def counted_in_menu(user: User) -> QuerySet[Notice]:
    """Return those whose number the menu shows, up to a limit: without what it counts elsewhere.

    That is also a draw offer in a game on turn, which “My games” counts and marks.
    """
    rows = notices_of(user).order_by().filter(read_at__isnull=True).exclude(kind__in=COUNTED_ELSEWHERE)
    on_turn = games_to_move(user=user).order_by().annotate(subject=Concat(Value(GAME_PREFIX), "public_id"))
    return rows.exclude(kind=Kind.DRAW, about__in=on_turn.values("subject"))[:MAX_COUNTED]


def uncounted(user_id: int) -> int:
    """How many the menu counts no longer, though they are not yet stored as read."""
    seen = SEEN.waiting(user_id)
    return sum(counted for _at, counted in seen.values()) if seen else 0


def access_notice(*, user: User, public_id: str) -> Notice:
    """Return a notification of the user's; raises ``NotFound`` if it is not."""
    notice = Notice.objects.filter(user=user, public_id=public_id).first()
    if notice is None:
        raise NotFound(_("You have no notification %(given)s.") % {"given": repr(public_id[:40])})
    return notice


def unread_at(*, user: User, path: str) -> Sequence[tuple[int, str, bool]]:
    """The unread ones that link to a page: their keys and kinds, and whether the site shows them."""
    return _UNREAD_AT.rows(user_id=user.pk, path=path)


def unread_anywhere(user: User) -> QuerySet[Notice]:
    """The unread ones, with those that are not on the site, in no order."""
    return Notice.objects.filter(user=user, read_at__isnull=True, withdrawn_at__isnull=True)
