"""News: written by the host in the back office, read by everybody."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import expect_staff
from crownhead.server.accounts.selectors import User
from crownhead.server.core.background.gathered import Gathered
from crownhead.server.core.events import emit
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.core.problems import Conflict, NotFound
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.social.access import log
from crownhead.server.social.choices import Verb
from crownhead.server.social.events import NewsPublished
from crownhead.server.social.models import News, NewsRead

BY = ("-published_at", "-id")
ON_THE_FRONT_PAGE = timedelta(days=14)


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


_LATEST = Prepared(lambda since: published().filter(published_at__gt=since).order_by(*BY)[:1], since=datetime)


def read_until(*, user: User) -> datetime:
    """Return the time after which news is new to the user; by default when they joined."""
    row = NewsRead.objects.filter(user=user).first()
    until = row.until if row else user.date_joined
    return max(until, _READ.waiting(user.pk) or until)


def note_read(*, user: User, until: datetime) -> None:
    """Note that the user has seen the news up to a time."""
    if read_until(user=user) < until:
        _READ.put(user.pk, until)


def _write_read(read: Mapping[int, datetime]) -> None:
    for user_id, until in read.items():
        NewsRead.objects.update_or_create(user_id=user_id, defaults={"until": until})


_READ = Gathered("news that was read", _write_read)


def html(row: News) -> SafeString:
    """Return the text as safe HTML."""
    return stored_html(row)


def draft(*, staff: User, title: str, text: str, now: datetime) -> News:
    """Write news that nobody sees until it is published."""
    expect_staff(staff)
    return News.objects.create(title=title, text=text, author=staff, written_at=now, changed_at=now)


def publish(*, staff: User, news: News, now: datetime) -> None:
    """Publish a draft; raises ``Conflict`` if it is published already."""
    expect_staff(staff)
    with transaction.atomic():
        rows = News.objects.filter(pk=news.pk, published_at=None)
        if not rows.update(published_at=now, changed_at=now):
            raise Conflict(_("This is already published."))
        log(staff=staff, verb=Verb.PUBLISHED, words=news.title, now=now)
        emit(NewsPublished(news_id=news.public_id, title=news.title, published_at=now))


def withdraw(*, staff: User, news: News, now: datetime) -> None:
    """Make it a draft again; does nothing to a draft."""
    expect_staff(staff)
    with transaction.atomic():
        if News.objects.filter(pk=news.pk, published_at__isnull=False).update(published_at=None):
            log(staff=staff, verb=Verb.WITHDREW, words=news.title, now=now)
