"""Times for readers and from them, in the active zone: the member's own where it is known, or else UTC."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

_FIELD = "%Y-%m-%dT%H:%M"  # of fields with a date and a time
_LENGTH = len("2026-05-01T12:00")


def moment_text(at: datetime) -> str:
    """A date and a time; the zone is named if it is UTC, which may not be the reader's own."""
    text = date_format(timezone.localtime(at), "DATETIME_FORMAT")
    return _("%(moment)s UTC") % {"moment": text} if timezone.get_current_timezone_name() == "UTC" else text


def to_the_minute(at: datetime) -> datetime:
    """A moment as forms and texts have it: without what is less than a minute."""
    return at.replace(second=0, microsecond=0)


def field_text(at: datetime) -> str:
    """The value of a field of type ``datetime-local``."""
    return timezone.localtime(at).strftime(_FIELD)


def field_moment(text: str) -> datetime:
    """What such a field says; raises ``ValueError``."""
    zone = timezone.get_current_timezone()
    return datetime.strptime(text.strip()[:_LENGTH], _FIELD).replace(tzinfo=zone)
