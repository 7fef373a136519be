"""Transactions that wait for each other's rows, as they do on PostgreSQL."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

PATIENCE = 30  # seconds after which something has gone wrong

needs_held_rows = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="needs rows that are held one by one"
)


def until_somebody_waits() -> None:
    """Return as soon as a transaction waits for another."""
    ends = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while time.monotonic() < ends:
            cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
            if cursor.fetchone():
                return
    raise AssertionError("nobody waits")


@contextmanager
def beside(act: Callable[[], Any]) -> Iterator[Callable[[], None]]:
    """Do something over a connection of its own: begun by what this yields, over by the end of the block.

    What it raises, this raises.
    """
    failures: list[BaseException] = []

    def run() -> None:
        try:
            act()
        except BaseException as failure:
            failures.append(failure)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    try:
        yield thread.start
    finally:
        thread.join(PATIENCE)
    assert not thread.is_alive()
    if failures:
        raise failures[0]
