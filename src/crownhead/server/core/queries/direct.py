"""Connections to the database server itself: of their own, and past a pooler if there is one.

What belongs to one session (LISTEN, locks that outlive a transaction) would be lost in a pooler, which gives
every transaction another one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler


def direct_connection() -> BaseDatabaseWrapper | Any:
    """A new connection that is shared with nobody; close it."""
    described = settings.DATABASE_DIRECT or connection.settings_dict
    # Those of the pool are a table; all others are for the connection.
    options = {name: value for name, value in described["OPTIONS"].items() if not isinstance(value, dict)}
    return ConnectionHandler({"default": {**described, "OPTIONS": options}}).create_connection("default")


@contextmanager
def unhurried() -> Iterator[None]:
    """No statement of this thread is too long within: for migrations, and for checks of everything."""
    # Behind a pooler there is no limit of ours, and what is set would be set for others.
    if connection.vendor != "postgresql" or connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
    try:
        yield
    finally:
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("RESET statement_timeout")
