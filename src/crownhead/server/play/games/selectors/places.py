"""Limits on what ends in several transactions at once: each counts what the others are about to add."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

from django.db import connection

# Advisory locks of two numbers, what is counted and a place; the next one is above all that are taken.
_TAKE = """
    SELECT place, pg_try_advisory_xact_lock(%(what)s, place)
    FROM (
        SELECT coalesce(max(objid::bigint) + 1, 0)::int AS place FROM pg_locks
        WHERE locktype = 'advisory' AND classid = %(what)s AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    ) AS next
"""
_OTHERS = """
    SELECT count(*), count(*) FILTER (WHERE objid::bigint < %(place)s) FROM pg_locks
    WHERE locktype = 'advisory' AND classid = %(what)s AND objsubid = 2 AND pid <> pg_backend_pid()
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def has_room(what: str, left: Callable[[], int]) -> bool:
    """Whether one more fits, where ``left`` counts how many do by what is stored.

    On PostgreSQL others may be about to store some. This waits for none of them: it holds a game, and
    another one may want that. Where not all of them fit, the first gets what is left, and the next ones
    none: so there are hardly ever too many, and sometimes too few.
    """
    if connection.vendor != "postgresql":
        return left() > 0
    others, before = _take_place(crc32(what.encode()) & 0x7FFF_FFFF)
    room = left()  # asked last: who ends meanwhile is counted twice rather than never
    return room > others or (room > 0 and before == 0)


def _take_place(what: int) -> tuple[int, int]:
    """Hold a place until the transaction ends; return how many others hold one, and how many before it."""
    with connection.cursor() as cursor:
        is_taken = False
        while not is_taken:
            cursor.execute(_TAKE, {"what": what})
            place, is_taken = cursor.fetchone()
        cursor.execute(_OTHERS, {"what": what, "place": place})
        others, before = cursor.fetchone()
    return int(others), int(before)
