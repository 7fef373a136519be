"""News: written by the host in the back office, read by everybody."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import expect_staff
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict
from crownhead.server.social.access import log
from crownhead.server.social.choices import Verb
from crownhead.server.social.events import NewsPublished
from crownhead.server.social.models import NEWS_READ, News, NewsRead
from crownhead.server.social.selectors.news import read_until


def note_read(*, user: User, until: datetime) -> None:
    """Note that the user has seen the news up to a time."""
    if read_until(user=user) < until:
        NEWS_READ.put(user.pk, until)


def forget(*, user_id: int) -> None:
    """Delete what somebody has read who has closed their account."""
    NewsRead.objects.filter(user=user_id).delete()


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
