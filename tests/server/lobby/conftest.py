"""The clock stands still at the tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crownhead.server.core import clock
from tests.server.play.factories import NOW


@pytest.fixture(autouse=True)
def the_clock_stands_still() -> Iterator[None]:
    """The clock always says ``NOW``."""
    with clock.stopped(NOW):
        yield
