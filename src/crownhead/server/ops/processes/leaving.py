"""Whether this process is about to stop: it still answers, but is not to be sent anything any more."""

import threading

_LEAVING = threading.Event()


def leave() -> None:
    """From now on `/health/ready` tells proxies to ask another host."""
    _LEAVING.set()


def is_leaving() -> bool:
    """Whether it has been told to stop."""
    return _LEAVING.is_set()
