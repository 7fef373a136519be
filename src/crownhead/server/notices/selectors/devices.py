"""The browsers that take push messages."""

from __future__ import annotations

from django.db.models import QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.notices.models import Device


def devices_of(user: User) -> QuerySet[Device]:
    """Return a user's browsers, the newest first."""
    return Device.objects.filter(user=user).order_by("-created_at", "-pk")
