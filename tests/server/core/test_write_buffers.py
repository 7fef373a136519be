"""Writes that are buffered: the last value of a key, many together, none lost while the database is away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from django.db import DatabaseError, IntegrityError

from crownhead.server.core.background import write_buffers
from crownhead.server.core.background.write_buffers import AT_ONCE, RowsBuffer, WriteBuffer, buffering

pytestmark = pytest.mark.django_db


class Store:
    """Where values are written; it raises what it is told to."""

    def __init__(self) -> None:
        self.batches: list[dict[int, str]] = []
        self.error: Exception | None = None

    def write(self, values: Mapping[int, str]) -> None:
        if self.error:
            raise self.error
        self.batches.append(dict(values))


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def buffer(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[WriteBuffer[int, str]]:
    """A buffer of its own."""
    monkeypatch.setattr(write_buffers, "_buffers", [])
    yield WriteBuffer("things", store.write)
    write_buffers.clear()


def test_where_nothing_is_buffered_a_value_is_written_at_once(
    buffer: WriteBuffer[int, str], store: Store
) -> None:
    buffer.put(1, "a")
    assert store.batches == [{1: "a"}]


def test_the_last_value_of_a_key_is_written_with_the_others(
    buffer: WriteBuffer[int, str], store: Store
) -> None:
    with buffering():
        buffer.put(1, "a")
        buffer.put(2, "b")
        buffer.put(1, "c")
        assert buffer.waiting(1) == "c"
        assert store.batches == []
        write_buffers.flush()
        assert store.batches == [{1: "c", 2: "b"}]
        assert buffer.waiting(1) is None
    assert len(store.batches) == 1


def test_what_cannot_be_written_goes_on_waiting_unless_there_is_something_newer(
    buffer: WriteBuffer[int, str], store: Store
) -> None:
    with buffering():
        buffer.put(1, "a")
        buffer.put(2, "b")
        store.error = DatabaseError("away")
        with pytest.raises(DatabaseError):
            write_buffers.flush()
        buffer.put(1, "c")
        store.error = None
    assert store.batches == [{1: "c", 2: "b"}]


def test_what_could_not_be_written_is_joined_with_what_came_meanwhile(store: Store) -> None:
    def fail(_values: Mapping[int, str]) -> None:
        joined.put(1, "b")
        raise DatabaseError("away")

    joined: WriteBuffer[int, str] = WriteBuffer("joined", fail, join=lambda before, after: before + after)
    with buffering():
        joined.put(1, "a")
        with pytest.raises(DatabaseError):
            joined.flush()
        assert joined.waiting(1) == "ab"
        joined.clear()


def test_what_can_never_be_stored_is_dropped(buffer: WriteBuffer[int, str], store: Store) -> None:
    with buffering():
        buffer.put(1, "a")
        store.error = IntegrityError("nobody has this number")
        write_buffers.flush()
        store.error = None
    assert store.batches == []


def test_they_are_written_in_the_order_of_their_keys_in_which_every_process_locks_them(
    buffer: WriteBuffer[int, str], store: Store
) -> None:
    with buffering():
        for number in (3, 1, 2):
            buffer.put(number, "x")
    assert [list(batch) for batch in store.batches] == [[1, 2, 3]]


def test_many_are_written_in_several_transactions(buffer: WriteBuffer[int, str], store: Store) -> None:
    with buffering():
        for number in range(AT_ONCE + 1):
            buffer.put(number, "x")
    assert [len(batch) for batch in store.batches] == [AT_ONCE, 1]


def test_where_each_value_has_statements_of_its_own_fewer_are_written_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(write_buffers, "_buffers", [])
    sizes: list[int] = []
    dear: WriteBuffer[int, str] = WriteBuffer("dear", lambda some: sizes.append(len(some)), at_once=2)
    with buffering():
        for number in range(5):
            dear.put(number, "x")
    assert sizes == [2, 2, 1]


@pytest.mark.parametrize("per_user", [2 * AT_ONCE + 1, 3])
def test_of_the_rows_of_users_too_some_are_written_at_once(
    monkeypatch: pytest.MonkeyPatch, per_user: int
) -> None:
    monkeypatch.setattr(write_buffers, "_buffers", [])
    written: list[dict[int, int]] = []

    def write(by_user: Mapping[int, Mapping[int, int]]) -> None:
        written.append({row: user for user, rows in by_user.items() for row in rows})

    rows: RowsBuffer[int, int] = RowsBuffer("rows", write)
    users = range(1, AT_ONCE)
    with buffering():
        for user in users:
            rows.put(user, {user * 1000 + number: number for number in range(per_user)})
    assert all(len(some) <= AT_ONCE for some in written)
    assert all(len(some) == AT_ONCE for some in written[:-1])
    assert {row: user for some in written for row, user in some.items()} == {
        user * 1000 + number: user for user in users for number in range(per_user)
    }
    assert rows.waiting(1) is None
