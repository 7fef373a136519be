"""The engines of a worker: a few of the variants thought about last, each with its own memory.

Every thread of a worker has its own, so that a reply in a game never waits for somebody's analysis. No page
and no answer of the API is made by thinking: only what the tasks call does.

Searches run at low priority, so that pages come first; but only they do. A task that writes at low priority
would keep the pages waiting for the database's one writer, for as long as it gets no processor.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from crownhead.engine import Engine
from crownhead.server.analysis.engine.measures import Work, searching

Result = TypeVar("Result")

NICENESS = 15
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


def think(search: Callable[[], Result], *, work: Work) -> Result:
    """Do a search at low priority, and count it; the calling thread waits for it, at its own."""
    if "thinker" not in _here.__dict__:
        _here.thinker = ThreadPoolExecutor(1, "thinker", initializer=come_last)
    with searching(work):
        result: Result = _here.thinker.submit(search).result()
    return result


def come_last() -> None:
    """Give the calling thread low priority, where the system knows priorities of threads."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
