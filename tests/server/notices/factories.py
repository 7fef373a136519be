"""Notifications, settings and sent e-mail for the tests."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core import mail

from crownhead.server.accounts.models import User
from crownhead.server.notices import jobs
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Notice
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.notices.services import preferences
from crownhead.server.notices.services.notify import notify
from tests.server.play.factories import NOW

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def subjects(user: User) -> list[str]:
    """The subjects of the notifications of a user on the site, the latest first."""
    return [notice.subject for notice in notices_of(user)]


def kinds(user: User) -> list[str]:
    """The kinds of these notifications."""
    return [notice.kind for notice in notices_of(user)]


def set_timing(user: User, kind: Kind, channel: Channel, timing: Timing, *, now: datetime = NOW) -> None:
    """Save one choice of a user."""
    preferences.choose(user=user, timings={(kind, channel): timing}, now=now)


def make_online(user: User, at: datetime) -> None:
    """Have a user make a request."""
    User.objects.filter(pk=user.pk).update(last_seen_at=at)


def make_notice(
    user: User, subject: str, *, now: datetime = NOW, kind: Kind = Kind.TROPHY, about: str = ""
) -> Notice:
    """Notify a user of something that only this test knows."""
    facts = {"kind": kind, "about": about, "subject": subject, "text": "", "link": "/", "now": now}
    notice = notify(user_id=user.pk, key=subject[:100], **facts)  # type: ignore[arg-type]
    assert notice is not None
    return notice


def letters(now: datetime) -> list[str]:
    """Send what is due; return the subject of each e-mail after its recipient."""
    before = len(mail.outbox)
    jobs.send_mail(now)
    return [f"{letter.to[0].partition('@')[0]}: {letter.subject}" for letter in mail.outbox[before:]]
