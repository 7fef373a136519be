"""The API of notices: the list, what one wants to be told, the browsers that take push messages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.conf import settings
from django.http import HttpRequest
from ninja import Field, Router, Schema, Status

from crownhead.server.accounts.api.auth import SIGNED_IN, signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.pagination import page
from crownhead.server.notices import services
from crownhead.server.notices.channels import vapid
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Device, Notice
from crownhead.server.notices.services import reading
from crownhead.server.notices.services.devices import LONGEST_ENDPOINT, devices_of
from crownhead.server.notices.services.preferences import digest_hour_of, wishes_of
from crownhead.server.play.api.games import CURSOR, LIMIT

router = Router(tags=["notices"], auth=SIGNED_IN)

_NEWEST_FIRST = ("-created_at", "-id")
Hour = Annotated[int, Field(ge=0, le=23)]
Endpoint = Annotated[str, Field(min_length=1, max_length=LONGEST_ENDPOINT)]


class NoticeOut(Schema):
    """One thing that one was told; ``link`` is the path of the page where it stands."""

    id: str
    kind: Kind
    at: datetime
    subject: str
    text: str
    link: str
    read_at: datetime | None


class NoticesOut(Schema):
    """A page of notices, the latest first; ``unread`` is counted up to a hundred."""

    items: list[NoticeOut]
    next: str | None
    unread: int


class ReadOut(Schema):
    """How many notices were not read before."""

    read: int


class PreferencesOut(Schema):
    """By kind and channel: when one is told; the hour of one's day at which the digest comes."""

    kinds: dict[Kind, dict[Channel, Timing]]
    digest_hour: int


class PreferencesIn(Schema):
    """What is to change."""

    kinds: dict[Kind, dict[Channel, Timing]] = {}
    digest_hour: Hour | None = None


class Keys(Schema):
    """The browser's keys, base64url."""

    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=40)]


class DeviceIn(Schema):
    """A browser's subscription, as ``PushSubscription.toJSON()`` writes it, with a name for the list."""

    endpoint: Endpoint
    keys: Keys
    name: Annotated[str, Field(max_length=60)] = ""


class EndpointIn(Schema):
    """The browser's own word for its subscription."""

    endpoint: Endpoint


class DeviceOut(Schema):
    """A browser that takes push messages."""

    id: str
    name: str
    since: datetime
    last_sent_at: datetime | None


class PushOut(Schema):
    """The club's public key (VAPID), and one's browsers."""

    key: str
    devices: list[DeviceOut]


@router.get("/notices", response=NoticesOut, summary="What I was told")
def list_notices(
    request: HttpRequest, unread: bool = False, cursor: CURSOR = None, limit: LIMIT = 20
) -> NoticesOut:
    """The latest first."""
    user = signed_in(request)
    rows = reading.notices_of(user)
    if unread:
        rows = rows.filter(read_at__isnull=True)
    found = page(rows, order=_NEWEST_FIRST, cursor=cursor, limit=limit)
    return NoticesOut(
        items=[_notice(row) for row in found.items], next=found.next, unread=reading.unread_count(user)
    )


@router.post("/notices/read", response=ReadOut, summary="Mark all notices as read")
def read_all(request: HttpRequest) -> ReadOut:
    """What is read goes out by no other way."""
    return ReadOut(read=services.mark_all_read(user=signed_in(request), now=clock.now()))


@router.get("/notices/preferences", response=PreferencesOut, summary="What I want to be told")
def get_preferences(request: HttpRequest) -> PreferencesOut:
    """Every kind and channel, chosen or usual."""
    return _preferences(signed_in(request))


@router.put("/notices/preferences", response=PreferencesOut, summary="Choose what I am told")
def set_preferences(request: HttpRequest, changes: PreferencesIn) -> PreferencesOut:
    """What is not named stays as it is."""
    user = signed_in(request)
    kinds = changes.kinds.items()
    wishes = {(kind, channel): timing for kind, ways in kinds for channel, timing in ways.items()}
    services.choose(user=user, wishes=wishes, digest_hour=changes.digest_hour, now=clock.now())
    return _preferences(user)


@router.post("/notices/{notice_id}/read", response=NoticeOut, summary="Mark a notice as read")
def read_one(request: HttpRequest, notice_id: str) -> NoticeOut:
    """Read twice is read once."""
    return _notice(services.mark_read(user=signed_in(request), public_id=notice_id, now=clock.now()))


@router.get("/push", response=PushOut, summary="The push key, and my browsers")
def push(request: HttpRequest) -> PushOut:
    """Subscribe a browser with the key as its ``applicationServerKey``, and post what comes of it."""
    return PushOut(
        key=vapid.public_text(vapid.make_key(settings.DATA)),
        devices=[_device(row) for row in devices_of(signed_in(request))],
    )


@router.post(
    "/push", response={201: DeviceOut}, summary="Send push messages to a browser", url_name="push_subscribe"
)
def subscribe(request: HttpRequest, device: DeviceIn) -> Status[DeviceOut]:
    """Noted twice it is noted once."""
    noted = services.note_device(
        user=signed_in(request),
        endpoint=device.endpoint,
        p256dh=device.keys.p256dh,
        auth=device.keys.auth,
        name=device.name.strip(),
        now=clock.now(),
    )
    return Status(201, _device(noted))


@router.delete("/push", response={204: None}, summary="No more push messages to this browser")
def unsubscribe(request: HttpRequest, device: EndpointIn) -> Status[None]:
    """By the browser's own word for its subscription; one that is not noted is forgotten already."""
    services.forget_endpoint(user=signed_in(request), endpoint=device.endpoint)
    return Status(204, None)


@router.delete("/push/{device_id}", response={204: None}, summary="No more push messages to a browser")
def forget(request: HttpRequest, device_id: str) -> Status[None]:
    """One of those that ``GET /push`` lists."""
    services.forget_device(user=signed_in(request), public_id=device_id)
    return Status(204, None)


def _notice(row: Notice) -> NoticeOut:
    return NoticeOut(
        id=row.public_id,
        kind=Kind(row.kind),
        at=row.created_at,
        subject=row.subject,
        text=row.text,
        link=row.link,
        read_at=row.read_at,
    )


def _device(row: Device) -> DeviceOut:
    return DeviceOut(id=row.public_id, name=row.name, since=row.created_at, last_sent_at=row.last_sent_at)


def _preferences(user: User) -> PreferencesOut:
    kinds: dict[Kind, dict[Channel, Timing]] = {}
    for (kind, channel), timing in wishes_of(user.pk).items():
        kinds.setdefault(kind, {})[channel] = timing
    return PreferencesOut(kinds=kinds, digest_hour=digest_hour_of(user.pk))
