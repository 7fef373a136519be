"""Sending what is due: one user and channel at a time, by one worker, and at least once.

A worker claims due rows by writing its claim into those that still wait; another worker then finds none
waiting. A claim is a lease. What a worker that died had only claimed waits again after a while. What was
leaving goes again, the same notices together and by themselves, so that it has the same ``key``, by which
mail servers and readers know it, should it have left before.

Of very many notices of one person, only the latest are loaded and put in words; the others are counted.
Rows are found and changed by their keys, some in a transaction.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple, TypeVar

from django.db.models import F, Q, QuerySet

from crownhead.server.accounts import selectors as accounts
from crownhead.server.core import clock
from crownhead.server.core.batches import batched
from crownhead.server.core.ids import new_id
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Delivery, Notice, State
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.preferences import timings_of
from crownhead.server.notices.selectors.recipients import Person

log = logging.getLogger(__name__)

T = TypeVar("T")

PEOPLE_AT_ONCE = 50
_CLAIM_KEPT = timedelta(minutes=15)
_ROWS_SCANNED = 500  # rows looked through for people who have something due
MAX_IN_WORDS = 200  # notices of one batch that are loaded; the others are counted
MAX_TAKEN = 5000  # rows of one batch; those beyond are in the next one
ROWS_AT_ONCE = 500  # rows changed in one transaction
_PAUSE = 0.005  # seconds between two of them, in which others have their turn
_PERSONAL = tuple(kind for kind in Kind if kind.row.personal)


class Refused(Exception):
    """Nothing can be sent to this person on this channel; the text says why."""


class NotNow(Exception):
    """It could not be sent now and may be later; ``everybody``: the whole channel is down."""

    def __init__(self, why: str, *, everybody: bool = False) -> None:
        super().__init__(why)
        self.everybody = everybody


@dataclass(frozen=True, slots=True)
class Batch:
    """What is sent to a person on one channel, oldest first.

    ``others``: how many earlier subjects there are besides, about which nothing is said but their number.
    """

    person: Person
    notices: tuple[Notice, ...]
    kinds: tuple[Kind, ...]  # those whose settings send it
    daily: bool  # a digest
    now: datetime
    others: int = 0

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
    by_now = clock.running_on(now)

    def each(do: Callable[..., bool], *facts: Any) -> bool:
        """One batch, with the time by now: what is claimed is claimed from then on."""
        return do(*facts, channel=channel, send=send, now=by_now())

    again = _leaving(channel, now).values_list("claim", "user_id").distinct()[:most]
    sent = _send_each([partial(each, _send_again, user, claim) for claim, user in again])
    rows = _due(channel, now).order_by("due_at").values_list("user_id", flat=True)[:_ROWS_SCANNED]
    people = list(dict.fromkeys(rows))[:most]
    return sent + _send_each([partial(each, _send_to, user) for user in people])


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


class _Taken(NamedTuple):
    """What is known of each row of a claim; the latest of those that are sent are loaded."""

    pk: int
    kind: str
    timing: str
    due_at: datetime
    tries: int
    about: str
    public_id: str

    @property
    def subject(self) -> str:
        return self.about or self.public_id


_TAKEN = ("pk", "kind", "timing", "due_at", "tries", "notice__about", "notice__public_id")


def _send_to(user_id: int, *, channel: Channel, send: Send, now: datetime) -> bool:
    claim = new_id()
    if not _claim(user_id, channel=channel, claim=claim, now=now):
        return False
    return _send_claimed(claim, user_id, channel=channel, send=send, now=now)


def _send_again(user_id: int, claim: str, *, channel: Channel, send: Send, now: datetime) -> bool:
    """Send what was leaving when a worker died, unless another worker has taken it up."""
    mine = new_id()
    if (
        not _leaving(channel, now)
        .filter(claim=claim)
        .update(claim=mine, claimed_at=now, tries=F("tries") + 1)
    ):
        return False
    rows = _taken(mine)
    if schedule.next_try(rows[0].tries, now=now) is None:
        _mark(rows, state=State.FAILED, claim="", done_at=now, trouble="the worker died each time it left")
        return False
    return _send_claimed(mine, user_id, channel=channel, send=send, now=now)


def _send_claimed(claim: str, user_id: int, *, channel: Channel, send: Send, now: datetime) -> bool:
    person = recipients.person_of(user_id)
    if person is None:
        _mark(_taken(claim), state=State.DROPPED, claim="", done_at=now)
        return False
    _drop_gone(claim, person, channel, now)
    wanted = _ready_to_send(_taken(claim), person, now)
    if not wanted:
        return False
    said, others = wanted[-MAX_IN_WORDS:], wanted[:-MAX_IN_WORDS]
    batch = Batch(
        person,
        _notices(said),
        tuple(dict.fromkeys(Kind(row.kind) for row in wanted)),
        daily=all(row.timing == Timing.DAILY for row in wanted),
        now=now,
        others=len({row.subject for row in others} - {row.subject for row in said}),
    )
    _mark(said, state=State.SENDING)  # first: should it be sent again, these are the latest again
    _mark(others, state=State.SENDING)
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


def _claim(user_id: int, *, channel: Channel, claim: str, now: datetime) -> bool:
    """Claim what is due, and what else waits about the same subjects, so that they go together.

    The latest are claimed first: a worker that finds them taken leaves the others to the one that took them.
    """
    mine = {"state": State.CLAIMED, "claim": claim, "claimed_at": now}
    waiting = Delivery.objects.filter(user=user_id, channel=channel, state=State.WAITING)
    due = waiting.filter(due_at__lte=now)
    keys = list(due.order_by("-pk").values_list("pk", flat=True)[:MAX_TAKEN])
    taken = 0
    for part in _parts(keys):
        taken += due.filter(pk__in=part).update(**mine)
        if not taken:
            return False
    with_subject = _claimed(claim).exclude(notice__about="")
    subjects = set(with_subject.order_by().values_list("notice__about", flat=True))
    for some in _parts(list(subjects)) if taken < MAX_TAKEN else ():
        related = waiting.filter(notice__about__in=some, tries=0).values_list("pk", flat=True)
        for part in _parts(list(related[: MAX_TAKEN - taken])):
            taken += waiting.filter(pk__in=part).update(**mine)
    return bool(taken)


def _claimed(claim: str) -> QuerySet[Delivery]:
    return Delivery.objects.filter(claim=claim).exclude(claim="")  # as the index has it


def _taken(claim: str) -> list[_Taken]:
    """The rows of a claim, oldest first."""
    rows = _claimed(claim).order_by("notice__created_at", "notice_id")
    return [_Taken(*row) for row in rows.values_list(*_TAKEN)]


def _notices(rows: Sequence[_Taken]) -> tuple[Notice, ...]:
    """Load the notices of these rows, in their order."""
    found = Delivery.objects.filter(pk__in=[row.pk for row in rows]).select_related("notice")
    return tuple(row.notice for row in found.order_by("notice__created_at", "notice_id"))


def _drop_gone(claim: str, person: Person, channel: Channel, now: datetime) -> None:
    """Drop what is read, withdrawn or not wanted any more."""
    timings = timings_of(person.user.pk)
    never = [kind for kind in Kind if timings[kind, channel] is Timing.NEVER]
    is_gone = Q(notice__read_at__isnull=False) | Q(notice__withdrawn_at__isnull=False) | Q(kind__in=never)
    if blocked := accounts.blocked_ids(person.user.pk):
        is_gone |= Q(notice__kind__in=_PERSONAL, notice__actor__in=blocked)
    gone = _claimed(claim).filter(is_gone).order_by().values_list("pk", flat=True)
    for part in _parts(list(gone)):
        _mark_part(part, state=State.DROPPED, claim="", done_at=now)


def _ready_to_send(rows: Sequence[_Taken], person: Person, now: datetime) -> list[_Taken]:
    """Return what is sent now; the rest is postponed while the person is online."""
    due_now = [row for row in rows if row.due_at <= now]
    if all(row.timing == Timing.AWAY for row in due_now) and not person.is_away(now):
        due_now = []
    keys, subjects = {row.pk for row in due_now}, {row.about for row in due_now}
    going = [row for row in rows if row.pk in keys or row.about in subjects]
    staying = {row.pk for row in rows} - {row.pk for row in going}
    _postpone([row for row in rows if row.pk in staying], now)
    return going


def _postpone(rows: Sequence[_Taken], now: datetime) -> None:
    """Put rows back: the person is online, or what they would have gone along with was dropped."""
    back = {"state": State.WAITING, "claim": "", "claimed_at": None}
    _mark([row for row in rows if row.due_at > now], **back)
    _mark([row for row in rows if row.due_at <= now], **back, due_at=now + schedule.LOOK_AGAIN)


def _try_again(rows: Sequence[_Taken], error: Exception, now: datetime) -> None:
    """Schedule another try, or give up after too many."""
    by_tries: dict[int, list[_Taken]] = defaultdict(list)
    for row in rows:
        by_tries[row.tries + 1].append(row)
    for tries, those in by_tries.items():
        at = schedule.next_try(tries, now=now)
        changes = {"tries": tries, "claim": "", "trouble": str(error)[:200]}
        if at is None:
            _mark(those, state=State.FAILED, done_at=now, **changes)
        else:
            _mark(those, state=State.WAITING, claimed_at=None, due_at=at, **changes)


def _free_stale(now: datetime) -> None:
    """Release what a worker that died had only claimed."""
    stale = _stale(now).filter(state=State.CLAIMED)
    for part in _parts(list(stale.order_by().values_list("pk", flat=True))):
        stale.filter(pk__in=part).update(state=State.WAITING, claim="", claimed_at=None)


def _leaving(channel: Channel, now: datetime) -> QuerySet[Delivery]:
    """What was leaving when a worker died."""
    return _stale(now).filter(channel=channel, state=State.SENDING)


def _due(channel: Channel, now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.filter(channel=channel, state=State.WAITING, due_at__lte=now)


def _stale(now: datetime) -> QuerySet[Delivery]:
    return Delivery.objects.exclude(claim="").filter(claimed_at__lt=now - _CLAIM_KEPT)


def _mark(rows: Iterable[_Taken], **changes: object) -> None:
    for part in _parts([row.pk for row in rows]):
        _mark_part(part, **changes)


def _mark_part(keys: Sequence[int], **changes: object) -> None:
    Delivery.objects.filter(pk__in=keys).update(**changes)


def _parts(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Some at a time, with a pause between."""
    for number, some in enumerate(batched(items, ROWS_AT_ONCE)):
        if number:
            time.sleep(_PAUSE)
        yield some
