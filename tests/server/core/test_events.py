"""Events inside a transaction and after it."""

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
    for registry in ("_inside", "_afterwards"):
        monkeypatch.setitem(getattr(events, registry), Rang, [])


def test_an_event_outside_a_transaction_is_an_error_of_the_programmer(transactional_db: None) -> None:
    with pytest.raises(RuntimeError, match="Rang to be emitted inside a transaction"):
        events.emit(Rang(1))


def test_a_handler_inside_that_fails_undoes_the_transaction(transactional_db: None) -> None:
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


def test_a_handler_afterwards_waits_for_the_commit(transactional_db: None) -> None:
    heard: list[int] = []

    @events.after(Rang)
    def hear(event: Rang) -> None:
        heard.append(event.times)

    with transaction.atomic():
        events.emit(Rang(3))
        assert heard == []
    assert heard == [3]


def test_a_handler_afterwards_hears_nothing_of_what_was_undone(transactional_db: None) -> None:
    heard: list[int] = []
    events.after(Rang)(lambda event: heard.append(event.times))

    def undo() -> None:
        with transaction.atomic():
            events.emit(Rang(3))
            raise ValueError("undo")

    with pytest.raises(ValueError, match="undo"):
        undo()
    assert heard == []


def test_a_handler_afterwards_that_fails_fails_alone_and_is_logged(
    transactional_db: None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard: list[int] = []

    @events.after(Rang)
    def fail(_event: Rang) -> None:
        raise ValueError("alone")

    @events.after(Rang)
    def hear(event: Rang) -> None:
        heard.append(event.times)

    with transaction.atomic():
        User.objects.create_user("dora")
        events.emit(Rang(1))
    assert heard == [1]
    assert User.objects.exists()
    assert "alone" in caplog.text


@pytest.mark.django_db
def test_a_handler_registered_twice_is_called_once() -> None:
    heard: list[int] = []

    def hear(event: Rang) -> None:
        heard.append(event.times)

    events.on(Rang)(hear)
    events.on(Rang)(hear)
    events.emit(Rang(1))
    assert heard == [1]
