"""The transactions of others that go on: what they have written, nobody else sees yet."""

from __future__ import annotations

from django.db import connection


def writers() -> frozenset[str]:
    """Names of the other transactions that may have written something and have not ended.

    Keys are given before the commit, so a row may appear below another that was seen before; but not once
    those have ended that wrote at that moment. None where there is one writer at a time.
    """
    if connection.vendor != "postgresql":
        return frozenset()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xip(pg_current_snapshot())::text")
        return frozenset(name for (name,) in cursor.fetchall())
