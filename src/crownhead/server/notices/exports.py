"""The notifications part of the archive of a user's data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from crownhead.server.accounts.selectors import User
from crownhead.server.core.exports import part
from crownhead.server.notices.kinds import Channel
from crownhead.server.notices.models import Delivery, Device, Notice
from crownhead.server.notices.selectors.preferences import digest_hour_of, timings_of


@part("notices")
def notices(user: User) -> Iterator[dict[str, Any]]:
    """Yield all stored notifications."""
    for notice in Notice.objects.filter(user=user).order_by("id").iterator():
        yield {
            "at": notice.created_at,
            "kind": notice.kind,
            "subject": notice.subject,
            "text": notice.text,
            "link": notice.link,
            "read_at": notice.read_at,
            "withdrawn_at": notice.withdrawn_at,
        }


@part("notices_sent")
def sent(user: User) -> Iterator[dict[str, Any]]:
    """Yield what was sent by e-mail and push.

    What became of letters is left out: where somebody gave an address without having the use of it, that
    would say whether another account has it, also after they have confirmed one of their own.
    """
    for row in Delivery.objects.filter(user=user).select_related("notice").order_by("id").iterator():
        line: dict[str, Any] = {"subject": row.notice.subject, "by": row.channel}
        if row.channel != Channel.MAIL:
            line |= {"state": row.state, "at": row.done_at, "trouble": row.trouble}
        yield line


@part("notice_preferences")
def preferences(user: User) -> dict[str, Any]:
    """Return the notification settings and devices."""
    timings: dict[str, dict[str, str]] = {}
    for (kind, channel), timing in timings_of(user.pk).items():
        timings.setdefault(kind.value, {})[channel.value] = timing.value
    return {
        "wishes": timings,
        "digest_hour": digest_hour_of(user.pk),
        "devices": [
            {"name": device.name, "endpoint": device.endpoint, "since": device.created_at}
            for device in Device.objects.filter(user=user).order_by("-created_at", "-pk")
        ],
    }
