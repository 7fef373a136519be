"""Work of the background leaves most of the time to pages."""

from __future__ import annotations

import time

import pytest

from crownhead.server.core.background.throttling import LONGEST_REST, in_background, throttled


def test_after_each_piece_of_work_comes_a_rest_in_the_background_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rests: list[float] = []
    clock = iter([0.0, 0.1, 1.0, 3.0, 5.0, 5.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with in_background(rests.append):
        assert list(throttled("ab")) == ["a", "b"]
    assert rests == [pytest.approx(0.3), LONGEST_REST]
    assert list(throttled("c")) == ["c"]
    assert len(rests) == 2
