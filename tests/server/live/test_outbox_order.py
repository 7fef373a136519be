"""An event is told once its transaction has committed, however late, whatever ids are told already."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, connections, transaction

from crownhead.server.core import clock
from crownhead.server.live import hub, selectors, services
from crownhead.server.live.models import Outbox
from crownhead.server.live.stream import EventStream
from tests.server.live.test_stream import TIMEOUT, Listener, publish, publish_in_thread, run_scene

pytestmark = pytest.mark.django_db(transaction=True)

several_writers = pytest.mark.skipif(
    connection.vendor == "sqlite",
    reason="SQLite has one writer at a time, so ids are in the order of commits",
)


@pytest.fixture(autouse=True)
def _rare_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database of the tests is in memory, where reading a table locks out writers."""
    monkeypatch.setattr(hub, "POLL_SOON", hub.POLL)


@contextmanager
def held_open(topic: str, **payload: object) -> Iterator[threading.Event]:
    """A transaction that has published, and commits when the event is set, at the latest after the block."""
    written, commit = threading.Event(), threading.Event()

    def work() -> None:
        try:
            with transaction.atomic():
                services.publish(topic=topic, kind="game", payload=payload)
                written.set()
                commit.wait(TIMEOUT)
        finally:
            connections.close_all()

    thread = threading.Thread(target=work)
    thread.start()
    assert written.wait(TIMEOUT)
    try:
        yield commit
    finally:
        commit.set()
        thread.join(TIMEOUT)


@several_writers
def test_a_process_tells_what_commits_after_its_start_with_a_lower_id() -> None:
    with held_open("game:a", n=1) as commit:
        publish("game:a", n=2)

        async def scene(events: EventStream) -> None:
            listener = Listener(events, "game=a")
            await listener.until("id: ")
            commit.set()
            await listener.until('"n":1')
            await listener.leave()

        run_scene(scene)


@several_writers
def test_a_page_is_told_what_commits_after_it_was_made_with_a_lower_id() -> None:
    with held_open("game:a", n=1) as commit:
        publish("game:a", n=2)

        async def scene(events: EventStream) -> None:
            shown = await asyncio.to_thread(position_now)
            commit.set()
            await publish_in_thread("game:a", n=3)
            listener = Listener(events, f"game=a&last_event_id={shown}")
            text = await listener.until('"n":3')
            assert '"n":1' in text
            await listener.leave()

        run_scene(scene)


@several_writers
def test_a_transaction_open_over_the_end_of_one_process_is_told_by_the_next() -> None:
    with held_open("game:a", n=1) as commit:

        async def before(events: EventStream) -> None:
            listener = Listener(events, "game=a")
            await listener.until("id: ")
            place = await publish_in_thread("game:a", n=2)
            await listener.until('"n":2')
            assert f"id: {place}\n" in listener.text

        run_scene(before)
        last = position_now()
        commit.set()

        async def after(events: EventStream) -> None:
            listener = Listener(events, f"game=a&last_event_id={last}")
            text = await listener.until('"n":1')
            assert '"n":2' not in text
            await listener.leave()

        run_scene(after)


@several_writers
def test_events_have_one_order_in_every_process() -> None:
    with held_open("game:a", n=1) as commit:

        async def scene(events: EventStream) -> None:
            other = EventStream(events.hooks, events.limits)
            await other.start()
            listeners = [Listener(events, "game=a"), Listener(other, "game=a")]
            for listener in listeners:
                await listener.until("id: ")
            await publish_in_thread("game:a", n=2)
            for listener in listeners:
                await listener.until('"n":2')
            commit.set()
            for listener in listeners:
                await listener.until('"n":1')
            one, two = ([line for line in it.text.split("\n") if line[:3] == "id:"][1:] for it in listeners)
            assert one == two
            for listener in listeners:
                await listener.leave()
            await other.stop()

        run_scene(scene)


def position_now() -> int:
    try:
        return selectors.position()
    finally:
        connections.close_all()


# ----------------------------------------------------------------------- the numbering, on any database


def rows(*ids: int) -> None:
    """Events with these ids that have no position yet."""
    Outbox.objects.bulk_create(
        Outbox(id=id_, topic="game:a", kind="game", payload={}, created_at=clock.now()) for id_ in ids
    )


def positions() -> dict[int, int | None]:
    return dict(Outbox.objects.order_by("id").values_list("id", "position"))


def test_positions_follow_the_ids_of_what_has_committed() -> None:
    rows(5, 6, 9)
    services.number_committed()
    assert list(positions()) == sorted(positions(), key=lambda id_: positions()[id_] or 0)
    assert positions()[9] == 9


def test_a_late_row_gets_the_last_position() -> None:
    rows(5, 9)
    services.number_committed()
    told = positions()
    rows(7)
    services.number_committed()
    assert positions() == told | {7: 10}
    rows(10, 11)
    services.number_committed()
    assert (positions()[10], positions()[11]) == (11, 12)


def test_a_position_is_never_below_its_id() -> None:
    """A page that was made before positions were given, or by a version that gives none, names an id."""
    rows(3)
    services.number_committed()
    rows(20, 30)
    services.number_committed()
    assert positions()[20] < positions()[30] == 30  # type: ignore[operator]
    rows(25)
    services.number_committed()
    assert positions()[25] == 31
