"""Notifications as push messages to browsers (RFC 8030, 8291, 8292)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Any

import requests
from django.conf import settings
from django.urls import reverse
from py_vapid import Vapid02
from pywebpush import WebPushException, webpush

from crownhead.server.notices.channels import vapid
from crownhead.server.notices.channels.addresses import site
from crownhead.server.notices.channels.delivery import Batch, NotNow, Refused
from crownhead.server.notices.channels.mail import Topic, title, topics_of
from crownhead.server.notices.kinds import Kind
from crownhead.server.notices.models import Device
from crownhead.server.notices.selectors.devices import devices_of
from crownhead.server.notices.validators import check_endpoint
from crownhead.server.web.badges import badges

MAX_MESSAGES = 3  # at once; what is more becomes one
TIMEOUT = 10.0  # seconds
_GONE = {404, 410}
_KEPT = timedelta(days=1)  # how long the service keeps a message for a browser that is off
_LONGEST = 300  # characters of the text
_SIGNED_FOR = timedelta(hours=12)


class NoRedirectSession(requests.Session):
    """A session that follows no redirects."""

    def post(self, url: str | bytes, data: Any = None, json: Any = None, **options: Any) -> requests.Response:
        """Post without following redirects."""
        return super().post(url, data, json, **{**options, "allow_redirects": False})


def session() -> requests.Session:
    """Open a session for the push services."""
    return NoRedirectSession()


def send(batch: Batch, *, session: requests.Session) -> None:
    """Send to each browser; succeeds if one took it. Raises ``Refused`` or ``NotNow``."""
    user = batch.person.user
    devices = list(devices_of(user, batch.now).order_by("pk"))
    with batch.person.localized():
        messages = messages_of(batch)
    taken, trouble = False, ""
    for device in devices:
        try:
            for message in messages:
                _post(device, message, now=batch.now, session=session)
        except WebPushException as error:
            if error.status_code in _GONE:
                device.delete()
            else:
                trouble = f"{error.status_code}: {str(error.message)[:120]}"
        except (requests.RequestException, OSError) as error:
            trouble = f"{type(error).__name__}: {error}"
        else:
            taken = True
            Device.objects.filter(pk=device.pk).update(last_sent_at=batch.now)
    if taken:
        return
    if trouble:
        raise NotNow(trouble)
    raise Refused("no browser of this user takes push messages any more")


def messages_of(batch: Batch) -> list[dict[str, Any]]:
    """Return a message for each subject, or one for all."""
    topics = topics_of(batch.notices)
    count = badges(batch.person.user).get("on_turn", 0)
    if len(topics) + batch.others > MAX_MESSAGES:
        return [_summary(topics, count, batch)]
    return [_message(topic, count) for topic in reversed(topics)]


def _message(topic: Topic, count: int) -> dict[str, Any]:
    notice = topic.latest
    return {
        "title": notice.subject,
        "body": notice.text[:_LONGEST],
        "link": notice.link,
        "tag": notice.about or notice.public_id,
        "on_turn": count,
        "pressing": Kind(notice.kind).row.urgent,
    }


def _summary(topics: Sequence[Topic], count: int, batch: Batch) -> dict[str, Any]:
    lines = "\n".join(topic.latest.subject for topic in topics)
    every_turn = not batch.others and all(topic.latest.kind == Kind.TURN for topic in topics)
    return {
        "title": title(topics, daily=batch.daily, others=batch.others),
        "body": lines[:_LONGEST],
        "link": "/" if every_turn else reverse("notices:all"),
        "tag": "several",
        "on_turn": count,
        "pressing": any(Kind(topic.latest.kind).row.urgent for topic in topics),
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
    """Return the contact that a push service can use."""
    if site().startswith("https://"):
        return site()
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1] or 'club@localhost'}"
