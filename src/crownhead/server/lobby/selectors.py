"""What is in the waiting room."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet

from crownhead.server.play.models import Game
from crownhead.server.play.selectors import Viewer


def waiting_room(*, viewer: Viewer, now: datetime, variant: str | None = None) -> QuerySet[Game]:
    """The open games, newest first, with ``creator`` loaded; ``variant``: a key to filter by."""
