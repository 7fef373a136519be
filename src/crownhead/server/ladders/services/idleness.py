"""Idle members drop to the last places or by a step, except on vacation or with an open challenge."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.background.outages import Outage
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.batches import batched
from crownhead.server.core.events import emit
from crownhead.server.ladders import access
from crownhead.server.ladders.choices import Happening, Style
from crownhead.server.ladders.events import PlaceTaken
from crownhead.server.ladders.models import Challenge, Ladder, Member
from crownhead.server.ladders.services import positions
from crownhead.server.play.vacation import selectors as vacation_selectors

IN_ONE_TRANSACTION = 20
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
    """Drop some at a time from the lowest up, so that each goes to their last place at once."""
    ladder = Ladder.objects.get(public_id=ladder_id)
    idle = sorted(_idle(ladder, now), key=lambda member: -member.rank)
    moved, latest = 0, frozenset[int]()
    for keys in throttled(batched([member.pk for member in idle], IN_ONE_TRANSACTION)):
        seen, dropped = _drop_some(ladder_id, keys, latest, now)
        latest = seen or latest
        moved += dropped
    return moved


def _drop_some(
    ladder_id: str, keys: Collection[int], latest: Collection[int], now: datetime
) -> tuple[frozenset[int], int]:
    """Drop those who are still idle above the ``latest`` of before; returns these, and how many moved."""
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        idle = [] if ladder.closed_at else _idle(ladder, now, keys)
        if not idle:
            return frozenset(), 0
        before = {member.pk: member.rank for member in idle}
        Member.objects.filter(pk__in=before).update(active_at=now)  # the time starts again
        if ladder.style == Style.PLACES:
            positions.drop(ladder, before.keys(), above=latest)
        else:
            Member.objects.filter(pk__in=before, step__gt=1).update(step=F("step") - 1)
        members = access.members(ladder).filter(pk__in=before).order_by("pk")
        dropped = [member for member in members if member.rank != before[member.pk]]
        for member in dropped:
            _announce(ladder, member, before[member.pk], now)
    return frozenset(before), len(dropped)


def _idle(ladder: Ladder, now: datetime, keys: Collection[int] | None = None) -> list[Member]:
    """The members who are idle; ``keys``: of these."""
    playing = Challenge.objects.filter(
        Q(challenger=OuterRef("user")) | Q(challenged=OuterRef("user")),
        ladder=ladder,
        ended_at__isnull=True,
    )
    due = _due(ladder, now) if keys is None else _due(ladder, now).filter(pk__in=keys)
    away = vacation_selectors.is_away(user="user", now=now)
    return list(due.exclude(Exists(playing) | away).order_by("active_at")[:_AT_ONCE])


def _due(ladder: Ladder, now: datetime) -> QuerySet[Member]:
    return Member.objects.filter(ladder=ladder, active_at__lte=now - timedelta(days=ladder.idle_days))


def _announce(ladder: Ladder, member: Member, before: int, now: datetime) -> None:
    access.add_to_history(ladder, Happening.SANK, at=now, user=member.user, before=before, after=member.rank)
    emit(
        PlaceTaken(
            **access.event_fields(ladder, now),
            user_id=member.user_id,
            before=before,
            after=member.rank,
            is_step=ladder.style == Style.STAIRS,
        )
    )
