"""Who may act for the club, and the log of what they did."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.monitoring.security import SecurityEvent, record_change
from crownhead.server.core.problems import Unprocessable
from crownhead.server.social.choices import Verb
from crownhead.server.social.models import ModeratorAction, Report

LONGEST = timedelta(days=366)  # of keeping somebody from writing, or out; without a moment there is no end


def log(
    *,
    staff: User,
    verb: Verb,
    words: str,
    now: datetime,
    about: User | None = None,
    report: Report | None = None,
) -> None:
    """Log what one of the staff did."""
    ModeratorAction.objects.create(
        staff=staff, verb=verb, about=about, report=report, words=words, done_at=now
    )
    facts = {} if about is None else {"about": about.pk}
    record_change(SecurityEvent.STAFF_ACTION, user_id=staff.pk, did=str(verb.value), **facts)


def expect_span(until: datetime | None, *, now: datetime) -> None:
    """Raise ``Unprocessable`` if a player cannot be kept out until then; None: until it is lifted."""
    if until is not None and not now < until <= now + LONGEST:
        raise Unprocessable(
            _("Choose a time within a year from now, not %(until)s.") % {"until": until}, field="until"
        )


def span_text(until: datetime | None) -> str:
    """Until when a player is kept out, for the log."""
    return "…" if until is None else f"{until:%Y-%m-%d %H:%M} UTC"
