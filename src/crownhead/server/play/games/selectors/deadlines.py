"""Questions about the time of running games."""

from __future__ import annotations

from datetime import datetime

from crownhead.server.play.models import Game, Status


def longest_overdue(*, now: datetime) -> datetime | None:
    """The first deadline that has passed in a running game; None if there is none."""
    due = Game.objects.filter(status=Status.PLAYING, deadline_at__lte=now).order_by("deadline_at")
    return due.values_list("deadline_at", flat=True).first()
