"""How events are written: alike for all readers of one, and spread in time for many."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest

from crownhead.server.core import clock
from crownhead.server.live import messages
from crownhead.server.live.selectors import Event


def data_of(message: bytes) -> Any:
    """The data of an event."""
    return json.loads(message.decode().split("data: ")[1])


def test_an_event_is_written_as_the_standard_has_it() -> None:
    event = Event(7, "game:a", "game", {"n": 1, "name": "Zoë"}, clock.now())
    text = messages.encode_event(event).decode()
    assert re.fullmatch(r'id: 7\nevent: game\ndata: {"n":1,"name":"[^\n]*"}\n\n', text)
    assert data_of(text.encode()) == event.payload


def test_a_crowd_is_told_to_come_one_after_another() -> None:
    event = Event(1, "game:a", "game", {"n": 1}, clock.now())
    assert data_of(messages.encode_event(event, readers=10)) == {"n": 1}
    assert data_of(messages.encode_event(event, readers=100)) == {"n": 1, "spread": 3000}
    assert event.payload == {"n": 1}


def test_who_missed_a_move_is_told_how_long_ago_it_was() -> None:
    now = clock.now()
    made = now - timedelta(seconds=90)
    move = Event(1, "game:a", "game", {"move": {}}, made)
    assert data_of(messages.encode_event(move, now=now)) == {"move": {}, "age": 90_000}
    assert data_of(messages.encode_event(move)) == {"move": {}}
    offer = Event(1, "game:a", "game", {"n": 1}, made)
    assert data_of(messages.encode_event(offer, now=now)) == {"n": 1}


@pytest.mark.parametrize("streams", [1, 1000, 5000])
def test_readers_come_back_over_a_time_that_grows_with_them(streams: int) -> None:
    waits = [int(messages.encode_retry(streams).decode().split()[1]) for _ in range(200)]
    assert min(waits) >= 2000
    assert len(set(waits)) > 100
    assert max(waits) - min(waits) > 5 * streams


def test_readers_of_a_crowd_come_back_before_an_opponent_may_claim_their_game() -> None:
    assert all(int(messages.encode_retry(100_000).decode().split()[1]) <= 40_000 for _ in range(200))
