"""The database of a club: SQLite in its data folder, or PostgreSQL at a URL."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict

import dj_database_url

from crownhead.server.core.options import BadOption

MOST_CONNECTIONS = 20  # of one process

_SQLITE_OPTIONS = {
    "timeout": 20,
    # A writer takes the lock at the start, so that it waits for it instead of failing half-way.
    "transaction_mode": "IMMEDIATE",
    # FULL: an acknowledged move survives a power cut too, at no measurable cost (spec/load.md).
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000;",
}


class _Shared(TypedDict):
    """A pool of connections that the threads share; each request borrows one."""

    pool: dict[str, int]


def database(url: str, folder: Path) -> dict[str, Any]:
    """Django's settings for the database at ``url``, or for a file in the folder without one."""
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": folder / "db.sqlite3",
            "CONN_MAX_AGE": None,
            "OPTIONS": dict(_SQLITE_OPTIONS),
        }
    try:
        settings: dict[str, Any] = {**dj_database_url.parse(url)}
    except (ValueError, KeyError) as error:
        raise BadOption(_EXPECTED) from error
    if settings.get("ENGINE") != "django.db.backends.postgresql" or not settings.get("NAME"):
        raise BadOption(_EXPECTED)
    shared = _Shared(pool={"min_size": 0, "max_size": MOST_CONNECTIONS, "timeout": 20})
    return settings | {"CONN_MAX_AGE": 0, "OPTIONS": {**shared, **settings.get("OPTIONS", {})}}


def page_threads(engine: str) -> int:
    """The number of requests handled at once.

    SQLite takes one writer at a time, and more threads only collide (spec/load.md).
    """
    return 1 if engine.endswith("sqlite3") else 8


# The URL itself is not repeated: it holds a password.
_EXPECTED = "database: expected something like postgres://name:password@host:5432/club"
