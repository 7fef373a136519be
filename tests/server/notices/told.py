"""What people were told, and letting letters go, for the tests of notices."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core import mail

from crownhead.server.accounts.models import User
from crownhead.server.notices import jobs
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Notice
from crownhead.server.notices.services import preferences, reading
from crownhead.server.notices.services.notify import tell
from tests.server.play.table import NOW

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def subjects(user: User) -> list[str]:
    """What stands on the site for somebody, the latest first."""
    return [notice.subject for notice in reading.notices_of(user)]


def kinds(user: User) -> list[str]:
    """Of what kinds that is."""
    return [notice.kind for notice in reading.notices_of(user)]


def wants(user: User, kind: Kind, channel: Channel, timing: Timing, *, now: datetime = NOW) -> None:
    """Somebody chooses."""
    preferences.choose(user=user, wishes={(kind, channel): timing}, now=now)


def is_here(user: User, at: datetime) -> None:
    """Somebody makes a request."""
    User.objects.filter(pk=user.pk).update(last_seen_at=at)


def say(
    user: User, subject: str, *, now: datetime = NOW, kind: Kind = Kind.TROPHY, about: str = ""
) -> Notice:
    """Somebody is told something that no other test tells of."""
    facts = {"kind": kind, "about": about, "subject": subject, "text": "", "link": "/", "now": now}
    notice = tell(user_id=user.pk, key=subject[:100], **facts)  # type: ignore[arg-type]
    assert notice is not None
    return notice


def letters(now: datetime) -> list[str]:
    """The subjects of the letters that leave at a moment, each with the name that it goes to."""
    before = len(mail.outbox)
    jobs.send_mail(now)
    return [f"{letter.to[0].partition('@')[0]}: {letter.subject}" for letter in mail.outbox[before:]]
