"""Settings for all tests: programs that a test starts can be interrupted, as in a terminal."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from crownhead.rules.variants import _known


def pytest_configure() -> None:
    """Handle SIGINT even in parallel test processes, for child processes inherit an ignored signal."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def house() -> Iterator[None]:
    """What a test registers is unknown again after it."""
    before = dict(_known)
    yield
    _known.clear()
    _known.update(before)
