"""Tasks for the tests of the worker; in a module of their own, for tasks are found by dotted name."""

from __future__ import annotations

from pathlib import Path

from django_tasks import task


@task()
def write(path: str) -> str:
    """Write a file."""
    Path(path).write_text("done", "utf-8")
    return path


@task()
def fail() -> None:
    """Raise an error."""
    raise ValueError("this task always fails")
