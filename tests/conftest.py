"""Settings for all tests: programs that a test starts can be interrupted, as in a terminal."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator

import pytest

from crownhead.rules.variants import _known
from tests.club import COLLECTED

_own: dict[str, str] = {}  # what this process has made for itself and for those that it begins


def pytest_configure() -> None:
    """Handle SIGINT even in parallel test processes, for child processes inherit an ignored signal."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if COLLECTED not in os.environ:  # of `make test`, or of the process that has begun this one
        os.environ[COLLECTED] = _own[COLLECTED] = tempfile.mkdtemp(prefix="collected-")


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    if COLLECTED in _own:
        shutil.rmtree(os.environ.pop(COLLECTED))


def pytest_collection_finish() -> None:
    """What is there now, thousands of tests and their imports, stays: no garbage is looked for in it."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def house() -> Iterator[None]:
    """What a test registers is unknown again after it."""
    before = dict(_known)
    yield
    _known.clear()
    _known.update(before)
