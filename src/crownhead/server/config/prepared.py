"""What takes long to make and is the same for everybody: made while a process listens, so nobody waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

log = logging.getLogger(__name__)


async def prepare_in_background() -> None:
    """Load the API, then write its document, in a thread of its own: a second and half a second of work."""
    for seconds, make in WORK:
        await asyncio.sleep(seconds)
        try:
            await asyncio.to_thread(make)
        except Exception:
            log.exception("%s could not be prepared", make.__name__)


def the_api() -> None:
    """Import the modules of the API: its first call would wait for them."""
    import crownhead.server.config.api  # noqa: F401  # what few requests need is loaded after the start


def the_openapi_document() -> None:
    """Write the document and keep it."""
    from crownhead.server.config.api import api

    api.get_openapi_schema()


# Each with the seconds of listening before it: the first pages come first.
WORK: tuple[tuple[float, Callable[[], None]], ...] = ((3.0, the_api), (27.0, the_openapi_document))
