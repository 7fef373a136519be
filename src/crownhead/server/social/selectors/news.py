"""News: what everybody can read, and what is new to a member."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.social.models import NEWS_READ, News, NewsRead

BY = ("-published_at", "-id")
ON_THE_FRONT_PAGE = timedelta(days=14)
_LATEST = Prepared(lambda since: published().filter(published_at__gt=since).order_by(*BY)[:1], since=datetime)


def published() -> QuerySet[News]:
    """Return all published news."""
    return News.objects.filter(published_at__isnull=False).select_related("author")


def access_news(*, public_id: str) -> News:
    """Return published news; raises ``NotFound``."""
    news = published().filter(public_id=public_id).first()
    if news is None:
        raise NotFound(_("There is no such news item."))
    return news


def latest(now: datetime) -> News | None:
    """Return the news for the front page: the latest, for two weeks."""
    return _LATEST.first(since=now - ON_THE_FRONT_PAGE)


def read_until(*, user: User) -> datetime:
    """Return the time after which news is new to the user; by default when they joined."""
    row = NewsRead.objects.filter(user=user).first()
    until = row.until if row else user.date_joined
    return max(until, NEWS_READ.waiting(user.pk) or until)
