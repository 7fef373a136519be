"""What a process loads when it starts stays there as long as the process."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load code without looking for garbage, of which there is hardly any.

    That would take a quarter of the time. What is loaded is not looked through later either.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
