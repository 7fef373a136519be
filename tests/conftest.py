"""What holds for every test: programs that a test starts can be interrupted, as in a terminal."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Hear SIGINT also in a process that tests run in side by side: what it starts inherits its deafness."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
