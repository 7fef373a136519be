"""Work on many rows: one that fails holds up no other."""

from __future__ import annotations

import pytest

from crownhead.server.core.background.one_by_one import one_by_one


def test_an_item_that_fails_is_logged_and_the_others_are_seen_to(caplog: pytest.LogCaptureFixture) -> None:
    failed: list[str] = []

    def step(item: str) -> int:
        if item == "b":
            raise OSError("disk")
        return len(item)

    assert one_by_one(["a", "b", "cc"], step, failing="item %s cannot be done", failed=failed.append) == 3
    assert failed == ["b"]
    assert "item b cannot be done" in caplog.text


def test_a_step_that_counts_nothing_is_called_all_the_same() -> None:
    seen: list[int] = []
    assert one_by_one([1, 2], seen.append, failing="item %s cannot be done") == 0
    assert seen == [1, 2]
