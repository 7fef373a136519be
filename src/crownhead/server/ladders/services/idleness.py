"""Idle members drop to the last places or by a step, except on vacation or with an open challenge."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.background.outages import Outage
from crownhead.server.core.events import emit
from crownhead.server.ladders import access
from crownhead.server.ladders.choices import Happening, Style
from crownhead.server.ladders.events import PlaceTaken
from crownhead.server.ladders.models import Challenge, Ladder, Member
from crownhead.server.ladders.services import positions
from crownhead.server.play.vacation import selectors as vacation_selectors

_AT_ONCE = 1000


def drop_idle(*, now: datetime) -> int:
    """Drop members of open ladders who have been idle for too long; returns how many."""
    open_ones = Ladder.objects.filter(closed_at__isnull=True, idle_days__gt=0)
    dropped = 0
    for days in open_ones.order_by().values_list("idle_days", flat=True).distinct():
        idle = Member.objects.filter(ladder=OuterRef("pk"), active_at__lte=now - timedelta(days=days))
        ladders = open_ones.filter(Exists(idle), idle_days=days).order_by("pk")
        dropped += one_by_one(
            list(ladders.values_list("public_id", flat=True)),
            lambda ladder_id: _drop_on(ladder_id, now),
            failing="on ladder %s nobody who is idle can be dropped",
        )
    return dropped


def forgive(outage: Outage, after: int) -> int | None:
    """Move the last activity of some members after the one with this key by the length of an outage.

    Returns the key of the last of them, None if all are done.
    """
    rows = Member.objects.filter(pk__gt=after, ladder__closed_at__isnull=True)
    keys = list(rows.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE])
    members = Member.objects.filter(pk__in=keys)
    if outage.is_backward:
        members.filter(active_at__gt=outage.ends).update(active_at=outage.ends)
    else:
        members.filter(active_at__lte=outage.begins).update(active_at=F("active_at") + outage.length)
    return keys[-1] if keys else None


def _drop_on(ladder_id: str, now: datetime) -> int:
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        idle = _idle(ladder, now)
        before = {member.pk: member.rank for member in idle}
        Member.objects.filter(pk__in=before).update(active_at=now)  # the time starts again
        if not idle:
            return 0
        if ladder.style == Style.PLACES:
            positions.drop(ladder, set(before))
        else:
            Member.objects.filter(pk__in=before, step__gt=1).update(step=F("step") - 1)
        dropped = [
            member
            for member in access.members(ladder).filter(pk__in=before)
            if member.rank != before[member.pk]
        ]
        for member in dropped:
            _announce(ladder, member, before[member.pk], now)
    return len(dropped)


def _idle(ladder: Ladder, now: datetime) -> list[Member]:
    playing = Challenge.objects.filter(
        Q(challenger=OuterRef("user")) | Q(challenged=OuterRef("user")),
        ladder=ladder,
        ended_at__isnull=True,
    )
    due = _due(ladder, now).select_related("user").exclude(Exists(playing))
    members = list(due.order_by("active_at")[:_AT_ONCE])
    away = vacation_selectors.away_until(user_ids=[member.user_id for member in members], now=now)
    return [member for member in members if member.user_id not in away]


def _due(ladder: Ladder, now: datetime) -> QuerySet[Member]:
    return Member.objects.filter(ladder=ladder, active_at__lte=now - timedelta(days=ladder.idle_days))


def _announce(ladder: Ladder, member: Member, before: int, now: datetime) -> None:
    access.add_to_history(ladder, Happening.SANK, at=now, user=member.user, before=before, after=member.rank)
    emit(
        PlaceTaken(
            **access.event_fields(ladder, now), user_id=member.user_id, before=before, after=member.rank
        )
    )
