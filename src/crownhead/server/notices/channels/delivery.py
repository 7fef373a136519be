"""Sending what is due: one user and channel at a time, by one worker, and at least once.

A worker claims due rows by writing its claim into those that still wait; another worker then finds none
waiting. A claim is a lease. What a worker that died had only claimed waits again after a while. What was
leaving goes again, the same notices together and by themselves, so that it has the same ``key``, by which
mail servers and readers know it, should it have left before.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, QuerySet

from crownhead.server.core.ids import new_id
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Notice, State
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.preferences import timings_of
from crownhead.server.notices.selectors.recipients import Person

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

    @property
    def key(self) -> str:
        """The key of these notices, by whichever worker and however often they are sent."""
        names = sorted(notice.public_id for notice in self.notices)
        return hashlib.sha256(" ".join(names).encode()).hexdigest()[:32]


Send = Callable[[Batch], None]  # raises Refused or NotNow


def is_something_due(*, channel: Channel, now: datetime) -> bool:
    """Return whether there is work on a channel."""
    return _due(channel, now).exists() or _stale(now).exists()


def oldest_due(*, channel: Channel, now: datetime) -> datetime | None:
    """Since when the first on a channel has been due; None if nothing is."""
    return _due(channel, now).order_by("due_at").values_list("due_at", flat=True).first()


def send_due(*, channel: Channel, send: Send, now: datetime, most: int = PEOPLE_AT_ONCE) -> int:
    """Send what is due on a channel to up to ``most`` people, longest due first; returns how many batches."""
    _free_stale(now)
    again = _leaving(channel, now).values_list("claim", "user_id").distinct()[:most]
    sent = _send_each(
        [partial(_send_again, user, claim, channel=channel, send=send, now=now) for claim, user in again]
    )
    rows = _due(channel, now).order_by("due_at").values_list("user_id", flat=True)[:_ROWS_SCANNED]
    people = list(dict.fromkeys(rows))[:most]
    return sent + _send_each(
        [partial(_send_to, user, channel=channel, send=send, now=now) for user in people]
    )


def _send_each(batches: Sequence[Callable[[], bool]]) -> int:
    """How many left; one that cannot holds up no other, unless the whole channel is down."""
    sent = 0
    for batch in batches:
        try:
            sent += batch()
        except NotNow as trouble:
            log.warning("notices cannot leave at present: %s", trouble)
            break
        except Exception:
            log.exception("notices could not be sent")
    return sent


def _send_to(user_id: int, *, channel: Channel, send: Send, now: datetime) -> bool:
    claim = new_id()
    rows = _claim(user_id, channel=channel, claim=claim, now=now)
    if not rows:
        return False
    return _send_rows(rows, user_id, channel=channel, send=send, now=now)


def _send_again(user_id: int, claim: str, *, channel: Channel, send: Send, now: datetime) -> bool:
    """Send what was leaving when a worker died, unless another worker has taken it up."""
    mine = new_id()
    if (
        not _leaving(channel, now)
        .filter(claim=claim)
        .update(claim=mine, claimed_at=now, tries=F("tries") + 1)
    ):
        return False
    rows = Delivery.objects.filter(claim=mine).select_related("notice")
    found = list(rows.order_by("notice__created_at", "notice_id"))
    if schedule.next_try(found[0].tries, now=now) is None:
        _mark(found, state=State.FAILED, claim="", done_at=now, trouble="the worker died each time it left")
        return False
    return _send_rows(found, user_id, channel=channel, send=send, now=now)


def _send_rows(rows: list[Delivery], user_id: int, *, channel: Channel, send: Send, now: datetime) -> bool:
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
        claimed = Delivery.objects.filter(claim=claim).exclude(claim="")  # as the index has it
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
    """Release what a worker that died had only claimed."""
    _stale(now).filter(state=State.CLAIMED).update(state=State.WAITING, claim="", claimed_at=None)


def _leaving(channel: Channel, now: datetime) -> QuerySet[Delivery]:
    """What was leaving when a worker died."""
    return _stale(now).filter(channel=channel, state=State.SENDING)


def _due(channel: Channel, now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(channel=channel, state=State.WAITING, due_at__lte=now)


def _stale(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.exclude(claim="").filter(claimed_at__lt=now - _CLAIM_KEPT)


def _mark(rows: Sequence[Delivery], **changes: object) -> None:
    if rows:
        Delivery.objects.filter(pk__in=[row.pk for row in rows]).update(**changes)
