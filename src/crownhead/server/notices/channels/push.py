"""Notices as push messages to somebody's browsers (RFC 8030, 8291, 8292)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Any

import requests
from django.conf import settings
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from crownhead.server.notices.channels import vapid
from crownhead.server.notices.channels.addresses import site
from crownhead.server.notices.channels.delivery import NotNow, Parcel, Refused
from crownhead.server.notices.channels.mail import Thing, things_of, title
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Device
from crownhead.server.notices.services.devices import check_endpoint
from crownhead.server.web.badges import badges

MOST_MESSAGES = 3  # at once; what is more becomes one
TIMEOUT = 10.0  # seconds
_GONE = {404, 410}
_KEPT = timedelta(days=1)  # how long the service keeps a message for a browser that is off
_LONGEST = 300  # characters of the text
_SIGNED_FOR = timedelta(hours=12)


class Straight(requests.Session):
    """Goes where it is sent and follows no hint to elsewhere."""

    def post(self, url: str | bytes, data: Any = None, json: Any = None, **options: Any) -> requests.Response:
        """As ever, without redirects."""
        return super().post(url, data, json, **{**options, "allow_redirects": False})


def session() -> requests.Session:
    """A way to the push services."""
    return Straight()


def send(parcel: Parcel, *, session: requests.Session) -> None:
    """Send to each browser; it has left if one took it. Raises ``Refused`` or ``NotNow``."""
    user = parcel.person.user
    devices = list(Device.objects.filter(user=user))
    with parcel.person.in_his_words():
        messages = messages_of(parcel)
    taken, trouble = False, ""
    for device in devices:
        try:
            for message in messages:
                _post(device, message, now=parcel.now, session=session)
        except WebPushException as error:
            if error.status_code in _GONE:
                device.delete()
            else:
                trouble = f"{error.status_code}: {str(error.message)[:120]}"
        except (requests.RequestException, OSError) as error:
            trouble = f"{type(error).__name__}: {error}"
        else:
            taken = True
            Device.objects.filter(pk=device.pk).update(last_sent_at=parcel.now)
    if taken:
        return
    if trouble:
        raise NotNow(trouble)
    raise Refused("no browser of his takes push messages any more")


def messages_of(parcel: Parcel) -> list[dict[str, Any]]:
    """What is shown: a message for each thing, or one for them all."""
    things = things_of(parcel.notices)
    count = badges(parcel.person.user).get("on_turn", 0)
    if len(things) > MOST_MESSAGES:
        return [_summary(things, count, daily=parcel.daily)]
    return [_message(thing, count) for thing in reversed(things)]


def _message(thing: Thing, count: int) -> dict[str, Any]:
    notice = thing.latest
    return {
        "title": notice.subject,
        "body": notice.text[:_LONGEST],
        "link": notice.link,
        "tag": notice.about or notice.public_id,
        "on_turn": count,
        "pressing": Kind(notice.kind).row.pressing,
    }


def _summary(things: Sequence[Thing], count: int, *, daily: bool) -> dict[str, Any]:
    lines = "\n".join(thing.latest.subject for thing in things)
    every_turn = all(thing.latest.kind == Kind.TURN for thing in things)
    return {
        "title": title(things, daily=daily),
        "body": lines[:_LONGEST],
        "link": "/" if every_turn else "/notices/",
        "tag": "several",
        "on_turn": count,
        "pressing": any(Kind(thing.latest.kind).row.pressing for thing in things),
    }


def _post(device: Device, message: dict[str, Any], *, now: datetime, session: requests.Session) -> None:
    check_endpoint(device.endpoint)  # the host may know fewer services than when it was noted
    path = vapid.make_key(settings.DATA)
    headers: dict[str, str | int | float] = {"Urgency": "high" if message["pressing"] else "normal"}
    topic = str(message["tag"]).replace(":", "-")
    if len(topic) <= 32:  # a message that still waits for this browser is replaced by a newer one
        headers["Topic"] = topic
    webpush(
        {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}},
        data=json.dumps(message, ensure_ascii=False, separators=(",", ":")),
        vapid_private_key=Vapid02(private_key=vapid.private_key(path)),
        vapid_claims={"sub": _host(), "exp": int((now + _SIGNED_FOR).timestamp())},
        ttl=int(_KEPT.total_seconds()),
        headers=headers,
        timeout=TIMEOUT,
        requests_session=session,
    )


def _host() -> str:
    """Whom a push service may turn to."""
    if site().startswith("https://"):
        return site()
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1] or 'club@localhost'}"
