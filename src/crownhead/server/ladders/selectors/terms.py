"""The terms of a ladder: the options of its games, its name and its pace."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override

from crownhead import VARIANTS, Variant
from crownhead.server.core.problems import NotFound
from crownhead.server.ladders.choices import PaceKey, Style
from crownhead.server.ladders.models import Ladder
from crownhead.server.play.clocks.time_control import HOUR, Pace, TimeControl, pace_text
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.options import BankClock, ColourChoice, GameOptions

KIND = "ladder"  # of contests
OPEN_ALREADY = gettext_lazy("There is already an open ladder with these terms.")

_OF_ONE = ("variant", "style", "pace", "time", "bonus", "limit", "weekends_off", "games")


def is_open_already(ladder: Ladder) -> bool:
    """Whether an open ladder has the terms of one that is to be opened."""
    same = {name: getattr(ladder, name) for name in _OF_ONE}
    return Ladder.objects.filter(closed_at__isnull=True, **same).exists()


def options_of(ladder: Ladder) -> GameOptions:
    """The options of its games."""
    bank = ladder.pace == PaceKey.BANK
    return GameOptions(
        variant=ladder.variant,
        colour=ColourChoice.FIRST.value,
        days_per_move=None if bank else ladder.time,
        clock=BankClock(time=ladder.time, bonus=ladder.bonus, limit=ladder.limit) if bank else None,
        weekends_off=ladder.weekends_off,
        vacation=ladder.vacation,
        draw_rules=ladder.draw_rules,
        rated=ladder.rated,
    )


def contest_of(ladder: Ladder, challenge_id: int) -> Contest:
    """The contest that its games belong to."""
    return Contest(
        kind=KIND,
        key=f"{ladder.public_id}:{challenge_id}",
        name=name_in_default_language(ladder)[:120],
        link=link_of(ladder),
    )


def link_of(ladder: Ladder) -> str:
    """The path of its page."""
    return reverse("ladders:ladder", args=[ladder.public_id])


def variant_of(ladder: Ladder) -> Variant:
    """Its variant; raises ``NotFound`` if it is no longer played here."""
    if ladder.variant not in VARIANTS:
        raise NotFound(_("This club no longer offers %(variant)s.") % {"variant": ladder.variant})
    return VARIANTS[ladder.variant]


def name_of(ladder: Ladder) -> str:
    """Its title; else ``American checkers ladder, 3 days per move``."""
    if ladder.title:
        return ladder.title
    facts = {"variant": variant_of(ladder).name, "pace": pace_of(ladder)}
    if ladder.style == Style.STAIRS:
        return _("%(variant)s stairs, %(pace)s") % facts
    return _("%(variant)s ladder, %(pace)s") % facts


def name_in_default_language(ladder: Ladder) -> str:
    """The name in the default language, for what is stored or sent to others."""
    with override(settings.LANGUAGE_CODE):
        return name_of(ladder)


def pace_of(ladder: Ladder) -> str:
    """Its clock alone: ``3 days per move``."""
    return pace_text(_control(ladder))


def _control(ladder: Ladder) -> TimeControl:
    if ladder.pace == PaceKey.DAYS:
        return TimeControl(
            pace=Pace.DAYS, initial=timedelta(days=ladder.time), weekends_off=ladder.weekends_off
        )
    return TimeControl(
        pace=Pace.BANK,
        initial=ladder.time * HOUR,
        bonus=ladder.bonus * HOUR,
        limit=ladder.limit * HOUR,
        weekends_off=ladder.weekends_off,
    )
