"""The buttons that find a game by one press."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from crownhead.server.lobby.forms import QUICK
from crownhead.server.play.clocks.time_control import Pace


@dataclass(frozen=True, slots=True)
class QuickChoice:
    """One button: what it sends, the time on it, and what kind of time that is."""

    value: str
    time: str
    kind: str


def quick_choices() -> list[QuickChoice]:
    """All buttons, the quickest game first."""
    return [_choice(value, terms["pace"], terms.get("days_per_move", "")) for value, terms in QUICK.items()]


def _choice(value: str, pace: str, days: str) -> QuickChoice:
    if pace == Pace.LIVE:
        return QuickChoice(value, value.replace("+", " + "), _("live"))
    time = ngettext("%(days)s day", "%(days)s days", int(days)) % {"days": days}
    return QuickChoice(value, time, _("per move"))
