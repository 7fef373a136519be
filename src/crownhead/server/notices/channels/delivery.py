"""What is due leaves: each person's notices by one way at a time, taken by one worker, never twice.

A worker takes due rows by writing its claim into those that still wait; another one that comes at the same
moment finds none of them waiting. Before anything leaves, the rows are marked as leaving: if the worker dies
then, nobody knows whether it did, and it is not sent again. What was only claimed waits again after a while.
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
from crownhead.server.notices.services.preferences import wishes_of

log = logging.getLogger(__name__)

PEOPLE_AT_ONCE = 50
_CLAIM_KEPT = timedelta(minutes=15)
_SCANNED = 500  # rows looked through for people who have something due


class Refused(Exception):
    """Nothing will ever leave by this way to this person, as things are; the text says why."""


class NotNow(Exception):
    """It could not leave and may later; ``everybody``: nothing leaves by this way at present."""

    def __init__(self, why: str, *, everybody: bool = False) -> None:
        super().__init__(why)
        self.everybody = everybody


@dataclass(frozen=True, slots=True)
class Parcel:
    """What goes to somebody by one way: oldest first."""

    person: Person
    notices: tuple[Notice, ...]
    kinds: tuple[Kind, ...]  # those whose settings send it
    daily: bool  # a digest
    now: datetime


Send = Callable[[Parcel], None]  # raises Refused or NotNow


def is_something_due(*, channel: Channel, now: datetime) -> bool:
    """Whether there is work by this way."""
    return _due(channel, now).exists() or _stale(now).exists()


def send_due(*, channel: Channel, send: Send, now: datetime, most: int = PEOPLE_AT_ONCE) -> int:
    """Let go what is due by one way, of up to ``most`` people, longest due first; how many parcels left."""
    _free_stale(now)
    rows = _due(channel, now).order_by("due_at").values_list("user_id", flat=True)[:_SCANNED]
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
    wanted = _sorted_out(rows, person, channel, now)
    if person is None or not wanted:
        return False
    parcel = Parcel(
        person,
        tuple(row.notice for row in wanted),
        tuple(dict.fromkeys(Kind(row.kind) for row in wanted)),
        daily=all(row.timing == Timing.DAILY for row in wanted),
        now=now,
    )
    _mark(wanted, state=State.SENDING)
    try:
        send(parcel)
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
    """Take what is due, and what else waits about the same things, so that each is told of once."""
    mine = {"state": State.CLAIMED, "claim": claim, "claimed_at": now}
    waiting = Delivery.objects.filter(user=user_id, channel=channel, state=State.WAITING)
    with transaction.atomic():
        if not waiting.filter(due_at__lte=now).update(**mine):
            return []
        claimed = Delivery.objects.filter(claim=claim)
        things = set(claimed.exclude(notice__about="").values_list("notice__about", flat=True))
        if things:
            also = waiting.filter(notice__about__in=things, tries=0).values_list("pk", flat=True)
            waiting.filter(pk__in=list(also)).update(**mine)
    return list(claimed.select_related("notice").order_by("notice__created_at", "notice_id"))


def _sorted_out(
    rows: Sequence[Delivery], person: Person | None, channel: Channel, now: datetime
) -> list[Delivery]:
    """Those that leave now; the others are dropped, or put off while the person is here."""
    if person is None:
        _mark(rows, state=State.DROPPED, claim="", done_at=now)
        return []
    wishes = wishes_of(person.user.pk, {Kind(row.kind) for row in rows})
    gone = [
        row
        for row in rows
        if row.notice.read_at is not None
        or row.notice.withdrawn_at is not None
        or wishes[Kind(row.kind), channel] is Timing.NEVER
        or (Kind(row.notice.kind).row.personal and person.ignores(row.notice.actor_id))
    ]
    _mark(gone, state=State.DROPPED, claim="", done_at=now)
    left = [row for row in rows if row not in gone]
    due_now = [row for row in left if row.due_at <= now]
    if all(row.timing == Timing.AWAY for row in due_now) and not person.is_away(now):
        due_now = []
    things = {row.notice.about for row in due_now}
    going = [row for row in left if row in due_now or row.notice.about in things]
    _put_off([row for row in left if row not in going], now)
    return going


def _put_off(rows: Sequence[Delivery], now: datetime) -> None:
    """He is here, or what they would have gone along with has dropped out: each waits for its own time."""
    back = {"state": State.WAITING, "claim": "", "claimed_at": None}
    _mark([row for row in rows if row.due_at > now], **back)
    _mark([row for row in rows if row.due_at <= now], **back, due_at=now + schedule.LOOK_AGAIN)


def _try_again(rows: Sequence[Delivery], error: Exception, now: datetime) -> None:
    """Later, or never if it has failed too often."""
    for row in rows:
        at = schedule.next_try(row.tries + 1, now=now)
        changes = {"tries": row.tries + 1, "claim": "", "trouble": str(error)[:200]}
        if at is None:
            _mark([row], state=State.FAILED, done_at=now, **changes)
        else:
            _mark([row], state=State.WAITING, claimed_at=None, due_at=at, **changes)


def _free_stale(now: datetime) -> None:
    """What a worker that died had taken: it waits again, or had perhaps left and is let be."""
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
