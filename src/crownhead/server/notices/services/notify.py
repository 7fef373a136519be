"""Telling somebody of something, once; and taking it back when it is no longer so."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from datetime import UTC, datetime, tzinfo

from django.db import IntegrityError, transaction
from django.db.models import Case, DateTimeField, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from crownhead.server.accounts import selectors as accounts
from crownhead.server.live.services import publish
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import Channel, Kind, Timing, more_urgent
from crownhead.server.notices.models import Delivery, Device, Notice, State
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.services.preferences import Wishes, digest_hour_of, wishes_of

_WAYS_OUT = (Channel.MAIL, Channel.PUSH)
_LONGEST_KEY, _LONGEST_SUBJECT, _LONGEST_TEXT = 120, 200, 2000


def tell(
    *,
    user_id: int,
    kind: Kind,
    key: str,
    subject: str,
    text: str,
    link: str,
    now: datetime,
    about: str = "",
    actor_id: int | None = None,
    also: Kind | None = None,
    gathered: bool = False,
) -> Notice | None:
    """Tell somebody of something, in the caller's transaction if there is one.

    Told again by the same key, nothing happens.
    ``link``: the path of the page where it stands. ``about``: what it belongs to, ``game:…``. ``actor_id``:
    whose act it is; from whom one ignores one hears nothing personal. ``also``: another kind that this one
    tells of with it; the more urgent wish of the two counts. ``gathered``: of several that come before he has
    read the first, or before it has left, only the first is told. None where he is not told.
    """
    if actor_id is not None and kind.row.personal and accounts.ignores(user_id, actor_id):
        return None
    if gathered and _stands_unread(user_id, kind, about):
        return None
    kinds = (kind,) if also is None else (kind, also)
    wishes = wishes_of(user_id, kinds)
    on_site = any(wishes[each, Channel.SITE] is not Timing.NEVER for each in kinds)
    ways = _ways_out(user_id, kinds, wishes)
    if not on_site and not ways:
        return None
    notice = Notice(
        user_id=user_id,
        kind=kind,
        key=_fitting(key),
        about=about,
        actor_id=actor_id,
        subject=_cut(" ".join(subject.split()), _LONGEST_SUBJECT),
        text=_cut(text, _LONGEST_TEXT),
        link=link,
        on_site=on_site,
        created_at=now,
    )
    with transaction.atomic(savepoint=False):
        return notice if _kept(notice, ways, now) else None


def withdraw(*, about: str, kinds: Collection[Kind], now: datetime, user_id: int | None = None) -> int:
    """It is no longer so: what was told of it is shown no more, and does not leave; how many notices."""
    standing = _about(about, user_id).filter(kind__in=kinds, withdrawn_at__isnull=True)
    return standing.update(withdrawn_at=now, read_at=Coalesce("read_at", Value(now)))


def read_about(*, user_id: int, about: str, now: datetime) -> int:
    """Somebody has seen what is told of a thing: he acted there."""
    return _about(about, user_id).filter(read_at__isnull=True).update(read_at=now)


def acted(*, user_id: int, about: str, kinds: Collection[Kind], now: datetime) -> int:
    """Somebody acted there: he has seen what is told of it, and some of it is so no longer."""
    moment = Value(now, DateTimeField())
    gone = When(kind__in=kinds, withdrawn_at__isnull=True, then=moment)
    rows = _about(about, user_id).filter(withdrawn_at__isnull=True)
    return rows.filter(Q(read_at__isnull=True) | Q(kind__in=kinds)).update(
        read_at=Coalesce("read_at", moment), withdrawn_at=Case(gone, default=F("withdrawn_at"))
    )


def _kept(notice: Notice, ways: dict[Channel, tuple[Kind, Timing]], now: datetime) -> bool:
    """Write the rows; False where it was told before."""
    try:
        with transaction.atomic():
            notice.save(force_insert=True)
    except IntegrityError:
        if Notice.objects.filter(user=notice.user_id, key=notice.key).exists():
            return False
        raise
    Delivery.objects.bulk_create(_deliveries(notice, ways, now))
    if notice.on_site:
        publish(topic=f"user:{notice.user_id}", kind="notice", payload=_told(notice))
    return True


def _about(about: str, user_id: int | None) -> QuerySet[Notice]:
    rows = Notice.objects.filter(about=about)
    return rows if user_id is None else rows.filter(user=user_id)


def _stands_unread(user_id: int, kind: Kind, about: str) -> bool:
    unread = _about(about, user_id).filter(kind=kind, read_at__isnull=True, withdrawn_at__isnull=True)
    return unread.exclude(deliveries__state=State.SENT).exists()


def _ways_out(user_id: int, kinds: tuple[Kind, ...], wishes: Wishes) -> dict[Channel, tuple[Kind, Timing]]:
    """By which ways it leaves, and whose setting says so."""
    ways: dict[Channel, tuple[Kind, Timing]] = {}
    for channel in _WAYS_OUT:
        for kind in kinds:
            timing = wishes[kind, channel]
            if timing is Timing.NEVER:
                continue
            if channel not in ways or more_urgent(timing, ways[channel][1]):
                ways[channel] = kind, timing
    if Channel.PUSH in ways and not Device.objects.filter(user=user_id).exists():
        del ways[Channel.PUSH]
    return ways


def _deliveries(notice: Notice, ways: dict[Channel, tuple[Kind, Timing]], now: datetime) -> list[Delivery]:
    zone: tzinfo = UTC
    hour = 0
    if any(timing is Timing.DAILY for _, timing in ways.values()):
        zone, hour = recipients.person(notice.user).zone, digest_hour_of(notice.user_id)
    return [
        Delivery(
            notice=notice,
            user_id=notice.user_id,
            channel=channel,
            kind=kind,
            timing=timing,
            due_at=schedule.first_try(timing, channel, now=now, zone=zone, hour=hour),
        )
        for channel, (kind, timing) in ways.items()
    ]


def _told(notice: Notice) -> dict[str, str]:
    return {"id": notice.public_id, "kind": notice.kind, "subject": notice.subject, "link": notice.link}


def _fitting(key: str) -> str:
    """The key itself, or what stands for one that is too long for its column."""
    return key if len(key) <= _LONGEST_KEY else hashlib.sha256(key.encode()).hexdigest()


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
