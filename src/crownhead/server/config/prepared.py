"""What takes long to make and is the same for everybody: made while a process listens, so nobody waits."""

from __future__ import annotations

import asyncio
import logging

AFTER = 30.0  # seconds of listening: the first pages come first

log = logging.getLogger(__name__)


async def prepare_in_background() -> None:
    """Write the OpenAPI document, in a thread of its own, for that takes half a second."""
    await asyncio.sleep(AFTER)
    try:
        await asyncio.to_thread(_write_openapi)
    except Exception:
        log.exception("the OpenAPI document could not be prepared")


def _write_openapi() -> None:
    from crownhead.server.config.api import api  # what few requests need is loaded after the start

    api.get_openapi_schema()
