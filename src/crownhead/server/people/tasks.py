"""Work for the worker: making archives."""

from __future__ import annotations

from django_tasks import task

from crownhead.server.core import clock
from crownhead.server.people import takeout


@task()
def make_archive(archive_id: int) -> None:
    """Make one that was asked for."""
    takeout.make(archive_id=archive_id, now=clock.now())
