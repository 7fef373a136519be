"""Tasks for the tests of the worker; a task must be found by its dotted name."""

from __future__ import annotations

from pathlib import Path

from django_tasks import task


@task()
def write(path: str) -> str:
    """Leave a file behind."""
    Path(path).write_text("done", "utf-8")
    return path


@task()
def fail() -> None:
    """Go wrong."""
    raise ValueError("a chore that cannot be done")
