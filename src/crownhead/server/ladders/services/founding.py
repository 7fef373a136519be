"""Opening and closing ladders: by the staff, and the default ones of every variant."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from crownhead import VARIANTS
from crownhead.contest.ladders import stairs
from crownhead.server.accounts.access import expect_staff
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.ladders import access
from crownhead.server.ladders.choices import Happening, Style
from crownhead.server.ladders.events import LadderClosed
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.selectors.terms import OPEN_ALREADY, is_open_already, options_of
from crownhead.server.ladders.services import challenges, voiding

_USUAL_DAYS = {Style.PLACES: 3, Style.STAIRS: 5}


def open_ladder(*, staff: User, now: datetime, **columns: Any) -> Ladder:
    """Open a ladder with these fields; raises ``Unprocessable``, or ``Conflict`` if there is one like it."""
    expect_staff(staff)
    return _opened(now, staff, **columns)


def close_ladder(*, staff: User, ladder_id: str, now: datetime) -> Ladder:
    """Close a ladder for good: open challenges become void, most by the worker, and the standings stay."""
    expect_staff(staff)
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        if ladder.closed_at is None:
            challenges.void_open_challenges(ladder, now, most=voiding.MAX_VOIDED)
            ladder.closed_at = now
            ladder.save(update_fields=["closed_at"])
            access.add_to_history(ladder, Happening.CLOSED, at=now, staff=staff)
            emit(LadderClosed(**access.event_fields(ladder, now)))
    return ladder


def close_up(*, staff: User, ladder_id: str, now: datetime) -> int:
    """Remove the empty steps of a ladder of stairs; returns how many. The order of members stays."""
    expect_staff(staff)
    with transaction.atomic():
        ladder = access.lock_open_ladder(ladder_id)
        taken = Member.objects.filter(ladder=ladder, step__isnull=False).order_by("step")
        steps = list(taken.values_list("step", flat=True).distinct())
        wanted = stairs.without_gaps({str(step): step for step in steps if step is not None})
        empty = 0
        for step in steps:  # upwards, so that no two steps are ever one
            if step is not None and wanted[str(step)] != step:
                taken.filter(step=step).update(step=wanted[str(step)])
                empty = step - wanted[str(step)]
        if empty:
            access.add_to_history(ladder, Happening.CLOSED_UP, at=now, staff=staff, before=empty)
    return empty


def ensure_defaults(*, now: datetime) -> int:
    """Open a ladder of each style for every variant that never had one; returns how many.

    Safe to repeat and to run in several processes; ladders that the staff closed stay closed.
    """
    known = set(Ladder.objects.values_list("variant", flat=True).distinct())
    made = 0
    for variant in VARIANTS:
        if variant in known:
            continue
        for style, days in _USUAL_DAYS.items():
            try:
                _opened(now, None, variant=variant, style=style, time=days)
            except Conflict:  # another process was faster
                continue
            made += 1
    return made


def _opened(now: datetime, staff: User | None, **columns: Any) -> Ladder:
    ladder = Ladder(opened_at=now, **columns)
    try:
        options_of(ladder).checked()
        ladder.full_clean()
        with transaction.atomic():
            ladder.save()
            access.add_to_history(ladder, Happening.OPENED, at=now, staff=staff)
    except ValidationError as error:
        if is_open_already(ladder):
            raise Conflict(str(OPEN_ALREADY)) from error
        raise Unprocessable(" ".join(error.messages)) from error
    except IntegrityError as error:  # opened by somebody else at the same moment
        raise Conflict(str(OPEN_ALREADY)) from error
    return ladder
