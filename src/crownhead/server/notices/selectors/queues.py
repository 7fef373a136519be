"""Questions about what waits to be sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from crownhead.server.notices.channels.delivery import oldest_due
from crownhead.server.notices.kinds import Channel


def waiting_since(now: datetime) -> Mapping[str, datetime | None]:
    """By each channel that sends: since when its first notification has been due; None if nothing is."""
    return {channel.value: oldest_due(channel=channel, now=now) for channel in (Channel.MAIL, Channel.PUSH)}
