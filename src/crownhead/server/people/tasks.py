"""Work for the worker: making archives."""

from __future__ import annotations

from django_tasks import task

from crownhead.server.core import clock
from crownhead.server.people.services import data_export


@task()
def make_archive(archive_id: int) -> None:
    """Make an archive that was requested."""
    data_export.make(archive_id=archive_id, now=clock.now())
