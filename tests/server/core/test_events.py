"""Event handlers inside a transaction and after it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.db import transaction

from crownhead.server.accounts.models import User
from crownhead.server.core import events


@dataclass(frozen=True, slots=True)
class Rang:
    """A bell rang."""

    times: int


@pytest.fixture(autouse=True)
def _no_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    for registry in ("_in_transaction", "_after_commit"):
        monkeypatch.setitem(getattr(events, registry), Rang, [])


def test_emitting_an_event_outside_a_transaction_is_an_error(transactional_db: None) -> None:
    with pytest.raises(RuntimeError, match="Rang to be emitted inside a transaction"):
        events.emit(Rang(1))


def test_a_failing_on_handler_rolls_back_the_transaction(transactional_db: None) -> None:
    @events.on(Rang)
    def fail(_event: Rang) -> None:
        raise ValueError("no")

    def sign_up() -> None:
        with transaction.atomic():
            User.objects.create_user("dora")
            events.emit(Rang(1))

    with pytest.raises(ValueError, match="no"):
        sign_up()
    assert not User.objects.exists()


def test_an_after_handler_waits_for_the_commit(transactional_db: None) -> None:
    received: list[int] = []

    @events.after(Rang)
    def receive(event: Rang) -> None:
        received.append(event.times)

    with transaction.atomic():
        events.emit(Rang(3))
        assert received == []
    assert received == [3]


def test_an_after_handler_is_not_called_after_a_rollback(transactional_db: None) -> None:
    received: list[int] = []
    events.after(Rang)(lambda event: received.append(event.times))

    def roll_back() -> None:
        with transaction.atomic():
            events.emit(Rang(3))
            raise ValueError("roll back")

    with pytest.raises(ValueError, match="roll back"):
        roll_back()
    assert received == []


def test_a_failing_after_handler_is_logged_and_does_not_affect_the_others(
    transactional_db: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    received: list[int] = []

    @events.after(Rang)
    def fail(_event: Rang) -> None:
        raise ValueError("alone")

    @events.after(Rang)
    def receive(event: Rang) -> None:
        received.append(event.times)

    with transaction.atomic():
        User.objects.create_user("dora")
        events.emit(Rang(1))
    assert received == [1]
    assert User.objects.exists()
    assert "alone" in caplog.text


@pytest.mark.django_db
def test_a_handler_registered_twice_is_called_once() -> None:
    received: list[int] = []

    def receive(event: Rang) -> None:
        received.append(event.times)

    events.on(Rang)(receive)
    events.on(Rang)(receive)
    events.emit(Rang(1))
    assert received == [1]
