"""Writers to SQLite take turns, whichever thread or process they are in."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError, connections, transaction
from pytest_django import DjangoDbBlocker

from crownhead.server.config.databases import database
from crownhead.server.config.sqlite3.base import DatabaseWrapper

Connect = Callable[[], DatabaseWrapper]


@pytest.fixture
def connect(tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[Connect]:
    """Connections to one file; a writer waits a tenth of a second for its turn."""
    made: list[DatabaseWrapper] = []

    def one() -> DatabaseWrapper:
        settings = {**connections.settings["default"], **database("", tmp_path)}
        settings["OPTIONS"] = {**settings["OPTIONS"], "timeout": 0.1}
        made.append(DatabaseWrapper(settings, alias=f"number {len(made)}"))
        connections[made[-1].alias] = made[-1]
        return made[-1]

    with django_db_blocker.unblock():
        yield one
        for each in made:
            each.close()
            del connections[each.alias]


def begin(writer: DatabaseWrapper) -> transaction.Atomic:
    """Begin a transaction."""
    block = transaction.atomic(using=writer.alias)
    block.__enter__()
    return block


def test_the_next_writer_waits_until_the_first_has_committed(connect: Connect) -> None:
    first, second = connect(), connect()
    block = begin(first)
    with pytest.raises(OperationalError, match="database is locked"):
        begin(second)
    block.__exit__(None, None, None)
    begin(second).__exit__(None, None, None)


def test_a_writer_that_fails_ends_its_turn(connect: Connect) -> None:
    first, second = connect(), connect()
    with pytest.raises(ZeroDivisionError), transaction.atomic(using=first.alias):
        raise ZeroDivisionError
    begin(second).__exit__(None, None, None)


def test_a_writer_that_is_cut_off_ends_its_turn(connect: Connect) -> None:
    first, second = connect(), connect()
    begin(first)
    first.connection.close()
    first.in_atomic_block = False
    first.close()
    begin(second).__exit__(None, None, None)


def test_a_writer_that_cannot_begin_ends_its_turn(connect: Connect) -> None:
    first, second = connect(), connect()
    first.ensure_connection()
    with closing(first.connection):
        pass
    with pytest.raises(Exception, match="closed"):
        begin(first)
    begin(second).__exit__(None, None, None)


def test_many_writers_lose_no_count(connect: Connect) -> None:
    writers = [connect() for _ in range(4)]
    for each in writers:
        each.settings_dict["OPTIONS"]["timeout"] = 20.0
        each.inc_thread_sharing()
    with writers[0].cursor() as cursor:
        cursor.execute("CREATE TABLE counter (value integer)")
        cursor.execute("INSERT INTO counter VALUES (0)")

    def count(writer: DatabaseWrapper) -> None:
        connections[writer.alias] = writer
        for _ in range(50):
            with transaction.atomic(using=writer.alias), writer.cursor() as cursor:
                value = cursor.execute("SELECT value FROM counter").fetchone()[0]
                cursor.execute("UPDATE counter SET value = %s", [value + 1])

    threads = [threading.Thread(target=count, args=(each,)) for each in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with writers[0].cursor() as cursor:
        assert cursor.execute("SELECT value FROM counter").fetchone()[0] == 200
