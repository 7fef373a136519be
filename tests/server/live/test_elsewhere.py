"""The streams that other processes have open."""

from __future__ import annotations

import pytest

from crownhead.server.live import audience
from crownhead.server.live.audience import Elsewhere
from crownhead.server.live.stream import LEFT_AFTER, LOOK_EVERY, SILENT_AFTER


def test_the_streams_of_a_caller_are_counted_over_all_places() -> None:
    others = Elsewhere()
    others.note(1, {"user 1": 2, "192.0.2.1": 3}, "user 1", {})
    others.note(2, {"user 1": 4}, "user 1", {})
    assert others.streams("user 1") == 6
    others.note(2, {"user 1": 0}, "user 1", {})
    assert others.streams("user 1") == 2
    assert others.streams("user 2") == 0


def test_a_follower_counts_once_however_many_places() -> None:
    others = Elsewhere()
    others.note(1, {}, "user 1", {"game:a": True, "game:b": True})
    others.note(2, {}, "user 1", {"game:a": True})
    others.note(2, {}, "user 2", {"game:a": True})
    assert others.followers("game:a") == {"user 1", "user 2"}
    others.note(1, {}, "user 1", {"game:a": False, "game:b": False})
    assert others.followers("game:a") == {"user 1", "user 2"}
    assert others.followers("game:b") == set()


def test_a_process_that_begins_has_nothing() -> None:
    others = Elsewhere()
    others.note(1, {"user 1": 2}, "user 1", {"game:a": True})
    others.forget(1)
    assert others.streams("user 1") == 0
    assert others.followers("game:a") == set()


@pytest.mark.parametrize("later", [17.0, LEFT_AFTER + LOOK_EVERY + SILENT_AFTER - 1])
def test_who_may_have_been_heard_without_a_stream_is_left_by_a_process_that_ends(
    monkeypatch: pytest.MonkeyPatch, later: float
) -> None:
    now = 1000.0
    monkeypatch.setattr(audience, "monotonic", lambda: now)
    others = Elsewhere()
    others.note(1, {}, "user 1", {"user:1": True})
    others.note(1, {}, "user 1", {"user:1": False})
    now += later
    others.note(1, {}, "user 2", {"user:2": True})
    assert others.forget(1) == {"user:1", "user:2"}


@pytest.mark.parametrize(("lately", "known"), [(15.0, {"user:1", "user:2"}), (0.0, {"user:2"})])
def test_a_process_that_ends_leaves_those_that_followed_it_until_lately(
    monkeypatch: pytest.MonkeyPatch, lately: float, known: set[str]
) -> None:
    monkeypatch.setattr(audience, "LATELY", lately)
    others = Elsewhere()
    for user in ("user:1", "user:2"):
        others.note(1, {}, user, {user: True})
    others.note(1, {}, "user:1", {"user:1": False})
    assert others.forget(1) == known
    assert others.forget(1) == set()
