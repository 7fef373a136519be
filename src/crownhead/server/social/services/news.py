"""News: written by the host in the back office, read by everybody."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.core.problems import Conflict, NotFound
from crownhead.server.social.access import expect_staff, log
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
    return published().filter(published_at__gt=now - ON_THE_FRONT_PAGE).order_by(*BY).first()


def read_until(*, user: User) -> datetime:
    """Return the time after which news is new to the user; by default when they joined."""
    row = NewsRead.objects.filter(user=user).first()
    return row.until if row else user.date_joined


def note_read(*, user: User, until: datetime) -> None:
    """Note that the user has seen the news up to a time."""
    if read_until(user=user) < until:
        NewsRead.objects.update_or_create(user=user, defaults={"until": until})


def html(row: News) -> SafeString:
    """Return the text as safe HTML."""
    return stored_html(row)


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
