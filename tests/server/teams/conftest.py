"""Fixtures of the teams' tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crownhead.server.core import clock
from tests.server.play.factories import NOW


@pytest.fixture(autouse=True)
def stopped_clock() -> Iterator[None]:
    """Stop the clock at ``NOW``."""
    with clock.stopped(NOW):
        yield
