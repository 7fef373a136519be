"""Repeated work of this app."""

from __future__ import annotations

from datetime import datetime, timedelta

from crownhead.server.core.jobs import repeat
from crownhead.server.people.services import data_export, friends
from crownhead.server.people.tasks import make_archive


@repeat("archives of people's data", timedelta(hours=1), lasts=True)
def tidy_archives(now: datetime) -> None:
    """Delete old archives and restart unfinished ones."""
    for archive_id in data_export.tidy(now=now):
        make_archive.enqueue(archive_id)


@repeat("links of invited friends", timedelta(hours=6), lasts=True)
def forget_links(now: datetime) -> None:
    """Delete old invitation links."""
    friends.forget_links(now=now)
