"""The engines of a worker: a few of the variants thought about last, each with its own memory.

Every thread of a worker has its own, so that a reply in a game never waits for somebody's analysis. No page
and no answer of the API is made by thinking: only what the tasks call does.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from crownhead.engine import Engine

_MOST = 3
_MEGABYTES = 32

_here = threading.local()


def engine_for(variant: str) -> Engine:
    """The engine of the calling thread for a variant."""
    engines: OrderedDict[str, Engine] = _here.__dict__.setdefault("kept", OrderedDict())
    if variant not in engines:
        if len(engines) >= _MOST:
            engines.popitem(last=False)
        engines[variant] = Engine(variant, megabytes=_MEGABYTES)
    engines.move_to_end(variant)
    return engines[variant]
