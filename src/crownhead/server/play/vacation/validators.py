"""When a vacation may begin and end."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from crownhead.server.core.problems import Unprocessable

LONGEST_AHEAD = timedelta(days=366)


def check_span(begins: datetime, ends: datetime, now: datetime) -> None:
    """Raise ``Unprocessable`` unless a vacation lasts from one whole hour to a later one within a year."""
    for name, moment in (("begins", begins), ("ends", ends)):
        if (moment.minute, moment.second, moment.microsecond) != (0, 0, 0):
            raise Unprocessable(
                f"{name}: " + _("Choose a whole hour, not %(moment)s.") % {"moment": moment.isoformat()}
            )
    if begins < now:
        raise Unprocessable(
            "begins: " + _("Choose a time in the future, not %(moment)s.") % {"moment": begins.isoformat()}
        )
    if ends <= begins:
        raise Unprocessable("ends: " + _("The end must be after the start."))
    if ends > now + LONGEST_AHEAD:
        raise Unprocessable("ends: " + _("Choose a time within a year from now."))
