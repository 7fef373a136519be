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
                _("Choose a whole hour, not %(moment)s.") % {"moment": moment.isoformat()}, field=name
            )
    if begins < now:
        raise Unprocessable(
            _("Choose a time in the future, not %(moment)s.") % {"moment": begins.isoformat()}, field="begins"
        )
    if ends <= begins:
        raise Unprocessable(_("The end must be after the start."), field="ends")
    if ends > now + LONGEST_AHEAD:
        raise Unprocessable(_("Choose a time within a year from now."), field="ends")
