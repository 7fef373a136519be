"""The browsers that take push messages."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.tokens.selectors import expired_credentials
from crownhead.server.notices.models import Device


def devices_of(user: User, now: datetime) -> QuerySet[Device]:
    """Return a user's browsers, the newest first, but for those that a token added that has expired."""
    devices = Device.objects.filter(user=user).exclude(credential__in=expired_credentials(user, now))
    return devices.order_by("-created_at", "-pk")
