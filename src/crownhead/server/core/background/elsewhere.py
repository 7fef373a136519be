"""Computing in a process of its own: what is compiled may let no other thread of its process go on."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import ParamSpec, TypeVar

_NICE = 10

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def compute_elsewhere(
    function: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """What a function of a module returns or raises; computed here after all if the process is killed."""
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(1, context, initializer=_begin) as process:
            return process.submit(function, *args, **kwargs).result()
    except BrokenProcessPool:
        return function(*args, **kwargs)


def _begin() -> None:
    """Give way to pages, and end with the process that asked, however that ends, but not before."""
    with suppress(OSError):
        os.nice(_NICE)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
