"""Notify users in their own language, once for each key, and withdraw what is no longer true."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from functools import cache, partial
from typing import Any

from django.db import transaction
from django.db.models import Case, DateTimeField, F, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.queries import rows
from crownhead.server.core.queries.prepared import Prepared, PreparedUpdate
from crownhead.server.live.services import Message, publish, publish_all
from crownhead.server.notices.channels import schedule
from crownhead.server.notices.kinds import Channel, Kind, Timing, is_more_urgent
from crownhead.server.notices.models import Delivery, Device, Notice, State
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.preferences import (
    digest_hour_of,
    digest_hours_of,
    timings_of,
    timings_of_all,
    usual_timings,
)
from crownhead.server.notices.selectors.recipients import Person
from crownhead.server.notices.validators import Timings

_DEVICE = Prepared(
    lambda user_id: Device.objects.filter(user=user_id).order_by().values_list("pk", flat=True)[:1],
    user_id=int,
)
_OUTGOING = (Channel.MAIL, Channel.PUSH)
_LONGEST_KEY, _LONGEST_SUBJECT, _LONGEST_TEXT = 120, 200, 2000


@dataclass(frozen=True, slots=True)
class NotificationText:
    """A line for lists and subjects, and a text with more detail."""

    subject: str
    text: str = ""


Channels = dict[Channel, tuple[Kind, Timing]]  # on which it is sent, each with the kind that decides
Compose = Callable[[Person], NotificationText]  # called with the person's language in force


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A notification before its text is known; see ``notify`` for the fields."""

    kind: Kind
    key: str
    link: str
    about: str = ""
    actor_id: int | None = None
    also: Kind | None = None
    gathered: bool = False
    usual: bool = False


def notify_user(user: User | None, draft: Draft, compose: Compose) -> Notice | None:
    """Notify one user, unless they are gone."""
    if user is None or not user.is_active:
        return None
    person = recipients.person(user)
    with person.localized():
        text = compose(person)
    return notify(
        user_id=user.pk,
        kind=draft.kind,
        key=draft.key,
        subject=text.subject,
        text=text.text,
        link=draft.link,
        about=draft.about,
        actor_id=draft.actor_id,
        also=draft.also,
        gathered=draft.gathered,
        usual=draft.usual,
        now=clock.now(),
    )


def notify_users(user_ids: Iterable[int], draft: Draft, compose: Compose) -> None:
    """Notify several users, each once, by a few statements however many they are."""
    people = recipients.people(user_ids)
    if draft.actor_id is not None and draft.kind.row.personal:
        for user_id in accounts.blocker_ids(draft.actor_id, people.keys()):
            del people[user_id]
    kinds, now = _kinds(draft.kind, draft.also), clock.now()
    timings = timings_of_all(people.keys(), kinds)
    unread = _with_unread(people.keys(), draft.kind, draft.about) if draft.gathered else frozenset()
    devices = set(Device.objects.filter(user__in=people).order_by().values_list("user_id", flat=True))
    made: list[tuple[Notice, Channels]] = []
    for user_id, person in people.items():
        on_site, channels = _ways(kinds, timings[user_id], partial(devices.__contains__, user_id))
        if not on_site and not channels:
            continue
        if user_id in unread:
            continue
        with person.localized():
            text = compose(person)
        made.append((_notice(user_id, draft, text, on_site=on_site, now=now), channels))
    with transaction.atomic(savepoint=False):
        _keep_all(made, people, now)


def notify(
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
    usual: bool = False,
) -> Notice | None:
    """Notify a user, in the caller's transaction if there is one.

    A second call with the same key does nothing. Returns None if the user is not notified.
    ``link``: the path of the page to open. ``about``: what it belongs to, ``game:…``. ``actor_id``: who
    caused it; personal notifications from a blocked player are not sent. ``also``: another kind that this
    one covers; the more urgent setting of the two counts. ``gathered``: of several that arrive before the
    first is read or sent, only the first is kept. ``usual``: it is known that they have chosen nothing and
    have no device.
    """
    if actor_id is not None and kind.row.personal and accounts.has_blocked(user_id, actor_id):
        return None
    if gathered and _with_unread([user_id], kind, about):
        return None
    kinds = _kinds(kind, also)
    timings = usual_timings(kinds) if usual else timings_of(user_id, kinds)
    on_site, channels = _ways(kinds, timings, lambda: not usual and bool(_DEVICE.rows(user_id=user_id)))
    if not on_site and not channels:
        return None
    draft = Draft(kind=kind, key=key, link=link, about=about, actor_id=actor_id)
    notice = _notice(user_id, draft, NotificationText(subject, text), on_site=on_site, now=now)
    with transaction.atomic(savepoint=False):
        return notice if _kept(notice, channels, now) else None


def withdraw(*, about: str, kinds: Collection[Kind], now: datetime, user_id: int | None = None) -> int:
    """Hide notifications that are no longer true and stop their delivery; returns how many."""
    standing = _about(about, user_id).filter(kind__in=kinds, withdrawn_at__isnull=True)
    return standing.update(withdrawn_at=now, read_at=Coalesce("read_at", Value(now)))


def supersede(*, about: str, key: str, user_ids: Collection[int], before: datetime, now: datetime) -> int:
    """Withdraw what users were notified of before a moment, by keys that begin like this, and haven't read.

    What comes now says it all. Returns how many.
    """
    earlier = _about(about, None).filter(user__in=user_ids, key__startswith=key, created_at__lt=before)
    unread = earlier.filter(read_at__isnull=True, withdrawn_at__isnull=True)
    return unread.update(withdrawn_at=now, read_at=now)


def forget(rows: QuerySet[Notice], *, now: datetime) -> int:
    """Withdraw notifications with what they say: who got them has deleted it. Returns how many."""
    standing = rows.filter(withdrawn_at__isnull=True)
    gone = {"withdrawn_at": now, "read_at": Coalesce("read_at", Value(now))}
    return standing.update(**gone, subject="", text="")


def read_about(
    *, about: str, now: datetime, user_id: int | None = None, kinds: Collection[Kind] = tuple(Kind)
) -> int:
    """Mark what a user, or everybody, was notified of about a subject as read; returns how many."""
    return _about(about, user_id).filter(kind__in=kinds, read_at__isnull=True).update(read_at=now)


def acted(*, user_id: int, about: str, kinds: Collection[Kind], now: datetime) -> int:
    """Mark what a user was notified of about a subject as read, and withdraw some kinds; returns how many."""
    return _acted(tuple(kinds)).run(user_id=user_id, about=about, now=now)


@cache
def _acted(kinds: tuple[Kind, ...]) -> PreparedUpdate:
    def build(user_id: int, about: str, now: datetime) -> tuple[QuerySet[Notice], dict[str, Any]]:
        moment = Value(now, DateTimeField())
        gone = When(kind__in=kinds, withdrawn_at__isnull=True, then=moment)
        standing = _about(about, user_id).filter(withdrawn_at__isnull=True)
        touched = standing.filter(Q(read_at__isnull=True) | Q(kind__in=kinds))
        changes = {
            "read_at": Coalesce("read_at", moment),
            "withdrawn_at": Case(gone, default=F("withdrawn_at")),
        }
        return touched, changes

    return PreparedUpdate(build, user_id=int, about=str, now=datetime)


def _kinds(kind: Kind, also: Kind | None) -> tuple[Kind, ...]:
    return (kind,) if also is None else (kind, also)


def _notice(user_id: int, draft: Draft, text: NotificationText, *, on_site: bool, now: datetime) -> Notice:
    return Notice(
        user_id=user_id,
        kind=draft.kind,
        key=_fitting(draft.key),
        about=draft.about,
        actor_id=draft.actor_id,
        subject=_cut(" ".join(text.subject.split()), _LONGEST_SUBJECT),
        text=_cut(text.text, _LONGEST_TEXT),
        link=draft.link,
        on_site=on_site,
        created_at=now,
    )


def _keep_all(made: list[tuple[Notice, Channels]], people: Mapping[int, Person], now: datetime) -> None:
    """Write the rows of several users, without those whose key was used before."""
    if not made:
        return
    Notice.objects.bulk_create([notice for notice, _channels in made], ignore_conflicts=True)
    ours = [notice.public_id for notice, _channels in made]
    keys = dict(Notice.objects.filter(public_id__in=ours).values_list("public_id", "pk"))
    new = [(notice, channels) for notice, channels in made if notice.public_id in keys]
    hours = digest_hours_of([notice.user_id for notice, channels in new if _is_daily(channels)])
    deliveries: list[Delivery] = []
    for notice, channels in new:
        notice.pk = keys[notice.public_id]
        zone = people[notice.user_id].zone
        deliveries += _deliveries(notice, channels, now, zone, hours.get(notice.user_id, 0))
    Delivery.objects.bulk_create(deliveries)
    publish_all(
        Message(f"user:{notice.user_id}", "notice", _payload(notice)) for notice, _ in new if notice.on_site
    )


def _kept(notice: Notice, channels: Channels, now: datetime) -> bool:
    """Write the rows; returns False if the key was used before."""
    if not rows.insert_once(notice, unique=("user", "key")):
        return False
    zone: tzinfo = UTC
    hour = 0
    if _is_daily(channels):
        zone, hour = recipients.person(notice.user).zone, digest_hour_of(notice.user_id)
    for delivery in _deliveries(notice, channels, now, zone, hour):
        rows.insert(delivery)
    if notice.on_site:
        publish(topic=f"user:{notice.user_id}", kind="notice", payload=_payload(notice))
    return True


def _about(about: str, user_id: int | None) -> QuerySet[Notice]:
    notices = Notice.objects.filter(about=about).exclude(about="")  # as the index has it
    return notices if user_id is None else notices.filter(user=user_id)


def _with_unread(user_ids: Collection[int], kind: Kind, about: str) -> frozenset[int]:
    """Return those of the users who have a notification of the kind that is neither read nor sent."""
    unread = _about(about, None).filter(kind=kind, read_at__isnull=True, withdrawn_at__isnull=True)
    rows = unread.filter(user__in=user_ids).exclude(deliveries__state=State.SENT)
    return frozenset(rows.values_list("user_id", flat=True))


def _ways(kinds: tuple[Kind, ...], timings: Timings, has_device: Callable[[], bool]) -> tuple[bool, Channels]:
    """Return whether it is shown on the site, and the channels it is sent on."""
    on_site = any(timings[each, Channel.SITE] is not Timing.NEVER for each in kinds)
    channels = _outgoing_channels(kinds, timings)
    if Channel.PUSH in channels and not has_device():
        del channels[Channel.PUSH]
    return on_site, channels


def _outgoing_channels(kinds: tuple[Kind, ...], timings: Timings) -> Channels:
    """Return the channels it is sent on, each with the kind whose setting decides."""
    channels: Channels = {}
    for channel in _OUTGOING:
        for kind in kinds:
            timing = timings[kind, channel]
            if timing is Timing.NEVER:
                continue
            if channel not in channels or is_more_urgent(timing, channels[channel][1]):
                channels[channel] = kind, timing
    return channels


def _is_daily(channels: Channels) -> bool:
    return any(timing is Timing.DAILY for _, timing in channels.values())


def _deliveries(notice: Notice, channels: Channels, now: datetime, zone: tzinfo, hour: int) -> list[Delivery]:
    return [
        Delivery(
            notice=notice,
            user_id=notice.user_id,
            channel=channel,
            kind=kind,
            timing=timing,
            due_at=schedule.first_try(timing, channel, now=now, zone=zone, hour=hour),
        )
        for channel, (kind, timing) in channels.items()
    ]


def _payload(notice: Notice) -> dict[str, str]:
    return {"id": notice.public_id, "kind": notice.kind, "subject": notice.subject, "link": notice.link}


def _fitting(key: str) -> str:
    """Return the key, or its hash if it is too long for its column."""
    return key if len(key) <= _LONGEST_KEY else hashlib.sha256(key.encode()).hexdigest()


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
