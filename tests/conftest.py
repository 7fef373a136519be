"""Settings for all tests: programs that a test starts can be interrupted, as in a terminal."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Handle SIGINT even in parallel test processes, for child processes inherit an ignored signal."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
