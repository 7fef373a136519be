"""The API of notifications: the list, your preferences, and the browsers that take push messages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.conf import settings
from django.http import HttpRequest
from ninja import Field, Query, Router, Schema, Status

from crownhead.server.accounts.api.auth import SIGNED_IN, credential, needs, signed_in
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.api.parameters import CURSOR, LIMIT
from crownhead.server.core.pagination import page, shortened
from crownhead.server.notices import services
from crownhead.server.notices.channels import vapid
from crownhead.server.notices.kinds import Channel, Kind, Timing
from crownhead.server.notices.models import Device, Notice
from crownhead.server.notices.selectors import reading
from crownhead.server.notices.selectors.devices import devices_of
from crownhead.server.notices.selectors.preferences import digest_hour_of, timings_of
from crownhead.server.notices.validators import LONGEST_ENDPOINT

router = Router(tags=["notifications"], auth=SIGNED_IN)

_NEWEST_FIRST = ("-created_at", "-id")
Hour = Annotated[int, Field(ge=0, le=23)]
Endpoint = Annotated[str, Field(min_length=1, max_length=LONGEST_ENDPOINT)]


class Notification(Schema):
    """A notification; ``link`` is the path of the page that it is about."""

    id: str
    kind: Kind
    at: datetime
    subject: str
    text: str
    link: str
    read_at: datetime | None


class NotificationsPage(Schema):
    """A page of notifications, the latest first; ``unread`` is counted up to a hundred."""

    items: list[Notification]
    next: str | None
    unread: int


class NotificationsRead(Schema):
    """How many notifications were marked as read."""

    read: int


class NotificationPreferences(Schema):
    """For each kind and channel, when you are notified; and the hour of your day for the daily digest."""

    kinds: dict[Kind, dict[Channel, Timing]]
    digest_hour: int


class NotificationPreferencesChanges(Schema):
    """What to change."""

    kinds: dict[Kind, dict[Channel, Timing]] = {}
    digest_hour: Hour | None = None


class PushKeys(Schema):
    """The keys of the browser, base64url."""

    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=40)]


class NewPushDevice(Schema):
    """A push subscription, as ``PushSubscription.toJSON()`` gives it, and a name for the list."""

    endpoint: Endpoint
    keys: PushKeys
    name: Annotated[str, Field(max_length=60)] = ""


class PushEndpoint(Schema):
    """The endpoint of a push subscription."""

    endpoint: Endpoint


class PushDevice(Schema):
    """A browser that takes push messages."""

    id: str
    name: str
    since: datetime = Field(description="When it was added.")
    last_sent_at: datetime | None = Field(description="Null if no message was sent yet.")


class PushSettings(Schema):
    """The club's public key (VAPID), and your browsers."""

    key: str = Field(description="The `applicationServerKey`.")
    devices: list[PushDevice]


@router.get("/notices", response=NotificationsPage, summary="List your notifications")
def list_notifications(
    request: HttpRequest,
    unread: Annotated[bool, Query(description="Only unread ones.")] = False,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> NotificationsPage:
    """The latest first."""
    user = signed_in(request)
    rows = reading.unread(user) if unread else reading.notices_of(user)
    rows_page = page(rows, order=_NEWEST_FIRST, cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.subject) + len(row.text))
    reading.as_read(rows_page.items, user)
    return NotificationsPage(
        items=[_notice(row) for row in rows_page.items],
        next=rows_page.next,
        unread=reading.unread_count(user),
    )


@router.post("/notices/read", response=NotificationsRead, summary="Mark all notifications as read")
def mark_all_notifications_read(request: HttpRequest) -> NotificationsRead:
    """Notifications that were due by e-mail or push are no longer sent."""
    return NotificationsRead(read=services.mark_all_read(user=signed_in(request), now=clock.now()))


@router.get(
    "/notices/preferences", response=NotificationPreferences, summary="Get your notification preferences"
)
def get_notification_preferences(request: HttpRequest) -> NotificationPreferences:
    """For every kind and channel, whether you chose it or it is the default."""
    return _preferences(signed_in(request))


@router.put(
    "/notices/preferences", response=NotificationPreferences, summary="Change your notification preferences"
)
@needs(Scope.PLAY, shows=True)
def change_notification_preferences(
    request: HttpRequest, changes: NotificationPreferencesChanges
) -> NotificationPreferences:
    """What you leave out stays as it is."""
    user = signed_in(request)
    kinds = changes.kinds.items()
    timings = {(kind, channel): timing for kind, channels in kinds for channel, timing in channels.items()}
    services.choose(user=user, timings=timings, digest_hour=changes.digest_hour, now=clock.now())
    return _preferences(user)


@router.post("/notices/{notice_id}/read", response=Notification, summary="Mark a notification as read")
@needs(Scope.PLAY, shows=True)
def mark_notification_read(request: HttpRequest, notice_id: str) -> Notification:
    """Safe to repeat."""
    return _notice(services.mark_read(user=signed_in(request), public_id=notice_id, now=clock.now()))


@router.get("/push", response=PushSettings, summary="Get the push key and your browsers")
def get_push_settings(request: HttpRequest) -> PushSettings:
    """Subscribe a browser with the key as its ``applicationServerKey``, then post the subscription."""
    return PushSettings(
        key=vapid.public_text(vapid.make_key(settings.DATA)),
        devices=[_device(row) for row in devices_of(signed_in(request), clock.now())],
    )


@router.post(
    "/push", response={201: PushDevice}, summary="Send push messages to a browser", url_name="push_subscribe"
)
@needs(Scope.MANAGE)
def add_push_device(request: HttpRequest, device: NewPushDevice) -> Status[PushDevice]:
    """Safe to repeat: a browser is listed once."""
    noted = services.note_device(
        user=signed_in(request),
        endpoint=device.endpoint,
        p256dh=device.keys.p256dh,
        auth=device.keys.auth,
        name=device.name.strip(),
        credential=credential(request),
        now=clock.now(),
    )
    return Status(201, _device(noted))


@router.delete("/push", response={204: None}, summary="Stop push messages to this browser")
def remove_push_endpoint(request: HttpRequest, device: PushEndpoint) -> Status[None]:
    """By the endpoint of its subscription; does nothing if it isn't listed."""
    services.forget_endpoint(user=signed_in(request), endpoint=device.endpoint)
    return Status(204, None)


@router.delete("/push/{device_id}", response={204: None}, summary="Stop push messages to a browser")
def remove_push_device(request: HttpRequest, device_id: str) -> Status[None]:
    """One of those that ``GET /push`` lists."""
    services.forget_device(user=signed_in(request), public_id=device_id)
    return Status(204, None)


def _notice(row: Notice) -> Notification:
    return Notification(
        id=row.public_id,
        kind=Kind(row.kind),
        at=row.created_at,
        subject=row.subject,
        text=row.text,
        link=row.link,
        read_at=row.read_at,
    )


def _device(row: Device) -> PushDevice:
    return PushDevice(id=row.public_id, name=row.name, since=row.created_at, last_sent_at=row.last_sent_at)


def _preferences(user: User) -> NotificationPreferences:
    kinds: dict[Kind, dict[Channel, Timing]] = {}
    for (kind, channel), timing in timings_of(user.pk).items():
        kinds.setdefault(kind, {})[channel] = timing
    return NotificationPreferences(kinds=kinds, digest_hour=digest_hour_of(user.pk))
