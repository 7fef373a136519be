"""Time controls in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.play.clocks.time_control import DAY, HOUR, Pace, TimeControl


def pace_text(control: TimeControl) -> str:
    """``3 days per move``, ``28 hours per move``, ``72 h + 12 h per move, at most 96 h``, ``5 min + 3 s``.

    What stops the clock is added.
    """
    stops = []
    if control.weekends_off:
        stops.append(_("weekends off"))
    if control.vacation:
        stops.append(_("with vacation"))
    return ", ".join([_pace(control), *stops])


def _pace(control: TimeControl) -> str:
    if control.pace is Pace.DAYS:
        days = control.initial // DAY
        return ngettext("%(days)s day per move", "%(days)s days per move", days) % {"days": days}
    if control.pace is Pace.LIVE:
        seconds = int(control.initial.total_seconds())
        minutes = f"{seconds // 60} min" if seconds % 60 == 0 else f"{seconds} s"
        return f"{minutes} + {int(control.bonus.total_seconds())} s"
    facts = {"bonus": control.bonus // HOUR, "time": control.initial // HOUR}
    if control.initial == control.bonus == control.limit:  # what a move leaves over is not kept
        return ngettext("%(time)s hour per move", "%(time)s hours per move", facts["time"]) % facts
    text = _("%(time)s h + %(bonus)s h per move") % facts
    if control.limit is None:
        return text
    return text + ", " + _("at most %(limit)s h") % {"limit": control.limit // HOUR}
