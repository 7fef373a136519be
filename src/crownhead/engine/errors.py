"""The exceptions of the engine and its endgame tables; those of other programs are beside their protocols."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from crownhead import _kernel
from crownhead.rules.errors import CrownheadError


class EngineError(CrownheadError):
    """The engine cannot do what it is asked: a limit, a level, a setting or a position does not suit it."""


class BadTable(EngineError):
    """A file is no endgame table, is damaged, or was made for other rules."""


@contextmanager
def kernel_errors() -> Iterator[None]:
    """Raise what the kernel refuses as an exception of the library.

    Around no call that calls back: what a listener raises is its own.
    """
    try:
        yield
    except _kernel.BadTable as error:
        raise BadTable(str(error)) from error
    except ValueError as error:
        raise EngineError(str(error)) from error
