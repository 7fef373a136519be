"""Writes that are gathered: the last value of a key, many together, none lost while the database is away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from django.db import DatabaseError, IntegrityError

from crownhead.server.core.background import gathered
from crownhead.server.core.background.gathered import AT_ONCE, Gathered, gathering

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
def kind(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gathered[int, str]]:
    """A kind of its own."""
    monkeypatch.setattr(gathered, "_kinds", [])
    yield Gathered("things", store.write)
    gathered.forget()


def test_where_nobody_gathers_a_value_is_written_at_once(kind: Gathered[int, str], store: Store) -> None:
    kind.put(1, "a")
    assert store.batches == [{1: "a"}]


def test_the_last_value_of_a_key_is_written_with_the_others(kind: Gathered[int, str], store: Store) -> None:
    with gathering():
        kind.put(1, "a")
        kind.put(2, "b")
        kind.put(1, "c")
        assert kind.waiting(1) == "c"
        assert store.batches == []
        gathered.write_out()
        assert store.batches == [{1: "c", 2: "b"}]
        assert kind.waiting(1) is None
    assert len(store.batches) == 1


def test_what_cannot_be_written_goes_on_waiting_unless_there_is_something_newer(
    kind: Gathered[int, str], store: Store
) -> None:
    with gathering():
        kind.put(1, "a")
        kind.put(2, "b")
        store.error = DatabaseError("away")
        with pytest.raises(DatabaseError):
            gathered.write_out()
        kind.put(1, "c")
        store.error = None
    assert store.batches == [{1: "c", 2: "b"}]


def test_what_can_never_be_stored_is_dropped(kind: Gathered[int, str], store: Store) -> None:
    with gathering():
        kind.put(1, "a")
        store.error = IntegrityError("nobody has this number")
        gathered.write_out()
        store.error = None
    assert store.batches == []


def test_many_are_written_in_several_transactions(kind: Gathered[int, str], store: Store) -> None:
    with gathering():
        for number in range(AT_ONCE + 1):
            kind.put(number, "x")
    assert [len(batch) for batch in store.batches] == [AT_ONCE, 1]
