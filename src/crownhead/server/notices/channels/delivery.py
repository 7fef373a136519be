"""Sending what is due: one user and channel at a time, by one worker, never twice.

A worker claims due rows by writing its claim into those that still wait; another worker then finds none
waiting. Before sending, the rows are marked as sending: if the worker dies then, they are not sent again.
What was only claimed waits again after a while.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from crownhead.server.core.ids import new_id
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Notice, State
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.services.preferences import timings_of

log = logging.getLogger(__name__)

PEOPLE_AT_ONCE = 50
_CLAIM_KEPT = timedelta(minutes=15)
_ROWS_SCANNED = 500  # rows looked through for people who have something due


class Refused(Exception):
    """Nothing can be sent to this person on this channel; the text says why."""


class NotNow(Exception):
    """It could not be sent now and may be later; ``everybody``: the whole channel is down."""

    def __init__(self, why: str, *, everybody: bool = False) -> None:
        super().__init__(why)
        self.everybody = everybody


@dataclass(frozen=True, slots=True)
class Batch:
    """What is sent to a person on one channel, oldest first."""

    person: Person
    notices: tuple[Notice, ...]
    kinds: tuple[Kind, ...]  # those whose settings send it
    daily: bool  # a digest
    now: datetime


Send = Callable[[Batch], None]  # raises Refused or NotNow


def is_something_due(*, channel: Channel, now: datetime) -> bool:
    """Return whether there is work on a channel."""
    return _due(channel, now).exists() or _stale(now).exists()


def send_due(*, channel: Channel, send: Send, now: datetime, most: int = PEOPLE_AT_ONCE) -> int:
    """Send what is due on a channel to up to ``most`` people, longest due first; returns how many batches."""
    _free_stale(now)
    rows = _due(channel, now).order_by("due_at").values_list("user_id", flat=True)[:_ROWS_SCANNED]
    sent = 0
    for user_id in list(dict.fromkeys(rows))[:most]:
        try:
            sent += _send_to(user_id, channel=channel, send=send, now=now)
        except NotNow as trouble:
            log.warning("notices by %s cannot leave at present: %s", channel.value, trouble)
            break
        except Exception:
            log.exception("the notices of user %s by %s could not be sent", user_id, channel.value)
    return sent


def _send_to(user_id: int, *, channel: Channel, send: Send, now: datetime) -> bool:
    claim = new_id()
    rows = _claim(user_id, channel=channel, claim=claim, now=now)
    if not rows:
        return False
    person = recipients.person_of(user_id)
    wanted = _ready_to_send(rows, person, channel, now)
    if person is None or not wanted:
        return False
    batch = Batch(
        person,
        tuple(row.notice for row in wanted),
        tuple(dict.fromkeys(Kind(row.kind) for row in wanted)),
        daily=all(row.timing == Timing.DAILY for row in wanted),
        now=now,
    )
    _mark(wanted, state=State.SENDING)
    try:
        send(batch)
    except Refused as refusal:
        _mark(wanted, state=State.FAILED, claim="", done_at=now, trouble=str(refusal)[:200])
        return False
    except Exception as error:
        _try_again(wanted, error, now)
        if isinstance(error, NotNow) and not error.everybody:
            return False
        raise
    _mark(wanted, state=State.SENT, claim="", done_at=now)
    return True


def _claim(user_id: int, *, channel: Channel, claim: str, now: datetime) -> list[Delivery]:
    """Claim what is due, and what else waits about the same subjects, so that they go together."""
    mine = {"state": State.CLAIMED, "claim": claim, "claimed_at": now}
    waiting = Delivery.objects.filter(user=user_id, channel=channel, state=State.WAITING)
    with transaction.atomic():
        if not waiting.filter(due_at__lte=now).update(**mine):
            return []
        claimed = Delivery.objects.filter(claim=claim)
        subjects = set(claimed.exclude(notice__about="").values_list("notice__about", flat=True))
        if subjects:
            related = waiting.filter(notice__about__in=subjects, tries=0).values_list("pk", flat=True)
            waiting.filter(pk__in=list(related)).update(**mine)
    return list(claimed.select_related("notice").order_by("notice__created_at", "notice_id"))


def _ready_to_send(
    rows: Sequence[Delivery], person: Person | None, channel: Channel, now: datetime
) -> list[Delivery]:
    """Return what is sent now; the rest is dropped, or postponed while the person is online."""
    if person is None:
        _mark(rows, state=State.DROPPED, claim="", done_at=now)
        return []
    timings = timings_of(person.user.pk, {Kind(row.kind) for row in rows})
    gone = [
        row
        for row in rows
        if row.notice.read_at is not None
        or row.notice.withdrawn_at is not None
        or timings[Kind(row.kind), channel] is Timing.NEVER
        or (Kind(row.notice.kind).row.personal and person.has_blocked(row.notice.actor_id))
    ]
    _mark(gone, state=State.DROPPED, claim="", done_at=now)
    left = [row for row in rows if row not in gone]
    due_now = [row for row in left if row.due_at <= now]
    if all(row.timing == Timing.AWAY for row in due_now) and not person.is_away(now):
        due_now = []
    subjects = {row.notice.about for row in due_now}
    going = [row for row in left if row in due_now or row.notice.about in subjects]
    _postpone([row for row in left if row not in going], now)
    return going


def _postpone(rows: Sequence[Delivery], now: datetime) -> None:
    """Put rows back: the person is online, or what they would have gone along with was dropped."""
    back = {"state": State.WAITING, "claim": "", "claimed_at": None}
    _mark([row for row in rows if row.due_at > now], **back)
    _mark([row for row in rows if row.due_at <= now], **back, due_at=now + schedule.LOOK_AGAIN)


def _try_again(rows: Sequence[Delivery], error: Exception, now: datetime) -> None:
    """Schedule another try, or give up after too many."""
    for row in rows:
        at = schedule.next_try(row.tries + 1, now=now)
        changes = {"tries": row.tries + 1, "claim": "", "trouble": str(error)[:200]}
        if at is None:
            _mark([row], state=State.FAILED, done_at=now, **changes)
        else:
            _mark([row], state=State.WAITING, claimed_at=None, due_at=at, **changes)


def _free_stale(now: datetime) -> None:
    """Release the rows of a worker that died; what may have been sent is given up."""
    stale = _stale(now)
    stale.filter(state=State.CLAIMED).update(state=State.WAITING, claim="", claimed_at=None)
    trouble = "the worker died while it was leaving"
    stale.filter(state=State.SENDING).update(state=State.FAILED, claim="", done_at=now, trouble=trouble)


def _due(channel: Channel, now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(channel=channel, state=State.WAITING, due_at__lte=now)


def _stale(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.exclude(claim="").filter(claimed_at__lt=now - _CLAIM_KEPT)


def _mark(rows: Sequence[Delivery], **changes: object) -> None:
    if rows:
        Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(**changes)
