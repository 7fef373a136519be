"""Opening ladders and closing them: by the staff, and those that a club has from the beginning."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from crownhead import VARIANTS
from crownhead.contest.ladders import stairs
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Forbidden, Unprocessable
from crownhead.server.ladders import access
from crownhead.server.ladders.choices import Happening, Style
from crownhead.server.ladders.events import LadderClosed
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.services import challenges, terms

_USUAL_DAYS = {Style.PLACES: 3, Style.STAIRS: 5}


def open_ladder(*, staff: User, now: datetime, **columns: Any) -> Ladder:
    """Open a ladder with these columns; raises ``Unprocessable``, or ``Conflict`` where it is there."""
    _expect_staff(staff)
    return _opened(now, staff, **columns)


def close_ladder(*, staff: User, ladder_id: str, now: datetime) -> Ladder:
    """Close a ladder for good: open challenges count for nothing, the standings stay."""
    _expect_staff(staff)
    with transaction.atomic():
        ladder = access.held(ladder_id)
        if ladder.closed_at is None:
            challenges.void(ladder, now)
            ladder.closed_at = now
            ladder.save(update_fields=["closed_at"])
            access.note(ladder, Happening.CLOSED, at=now, staff=staff)
            emit(LadderClosed(**access.told(ladder, now)))
    return ladder


def close_up(*, staff: User, ladder_id: str, now: datetime) -> int:
    """Take the steps on which nobody stands out of stairs; how many. The order of all stays."""
    _expect_staff(staff)
    with transaction.atomic():
        ladder = access.held_open(ladder_id)
        taken = Member.objects.filter(ladder=ladder, step__isnull=False).order_by("step")
        steps = list(taken.values_list("step", flat=True).distinct())
        wanted = stairs.without_gaps({str(step): step for step in steps if step is not None})
        empty = 0
        for step in steps:  # upwards, so that no two steps are ever one
            if step is not None and wanted[str(step)] != step:
                taken.filter(step=step).update(step=wanted[str(step)])
                empty = step - wanted[str(step)]
        if empty:
            access.note(ladder, Happening.CLOSED_UP, at=now, staff=staff, before=empty)
    return empty


def ensure_defaults(*, now: datetime) -> int:
    """Give every variant that has never had a ladder one of each style; how many were opened.

    Safe to repeat, and in several processes: what staff have closed stays closed.
    """
    known = set(Ladder.objects.values_list("variant", flat=True).distinct())
    made = 0
    for variant in VARIANTS:
        if variant in known:
            continue
        for style, days in _USUAL_DAYS.items():
            try:
                _opened(now, None, variant=variant, style=style, time=days)
            except Conflict:  # another process was quicker
                continue
            made += 1
    return made


def _opened(now: datetime, staff: User | None, **columns: Any) -> Ladder:
    ladder = Ladder(opened_at=now, **columns)
    try:
        terms.options_of(ladder).checked()
        ladder.full_clean()
        with transaction.atomic():
            ladder.save()
            access.note(ladder, Happening.OPENED, at=now, staff=staff)
    except ValidationError as error:
        if _is_taken(ladder):
            raise Conflict(_("expected terms that no open ladder has yet")) from error
        raise Unprocessable(" ".join(error.messages)) from error
    return ladder


def _is_taken(ladder: Ladder) -> bool:
    names = ("variant", "style", "pace", "time", "bonus", "limit", "weekends_off", "games")
    same = {name: getattr(ladder, name) for name in names}
    return Ladder.objects.filter(closed_at__isnull=True, **same).exists()


def _expect_staff(staff: User) -> None:
    if not (staff.is_active and staff.is_staff):
        raise Forbidden(_("expected a member of the staff"))
