"""One open stream: what is still to be written to it, and how it ends."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress

from crownhead.server.live.access import Grant

log = logging.getLogger(__name__)

QUEUE = 200  # messages a reader may lag behind before it is disconnected

Write = Callable[[bytes], Awaitable[None]]


class Reader:
    """One open stream; it belongs to the task that opened it and is written to by short tasks.

    ``write`` sends bytes to the client and waits while it takes none; ``is_valid`` looks the grant up again.
    Nothing is written before `begin`.
    """

    __slots__ = (
        "_death",
        "_ending",
        "_has_begun",
        "_is_valid",
        "_must_revalidate",
        "_task",
        "_unsent",
        "_write",
        "_writer",
        "grant",
        "is_over",
        "is_waiting",
        "topics",
    )

    def __init__(
        self,
        topics: Collection[str],
        task: asyncio.Task[object],
        grant: Grant | None,
        *,
        write: Write,
        is_valid: Callable[[], Awaitable[bool]],
    ) -> None:
        self.topics = tuple(topics)
        self.grant = grant
        self.is_over = False  # the stream is to end: its task has been cancelled for this
        self.is_waiting = False  # it is in the hub's queue of those to be written to
        self._task, self._write, self._is_valid = task, write, is_valid
        self._unsent: list[bytes] = []
        self._writer: asyncio.Task[None] | None = None
        self._death: asyncio.TimerHandle | None = None
        self._has_begun = self._must_revalidate = self._ending = False

    def offer(self, message: bytes) -> None:
        """Take a message to be written; a reader that lags behind too far is disconnected."""
        if len(self._unsent) >= QUEUE:
            self.cut_off()
        else:
            self._unsent.append(message)

    def cut_off(self) -> None:
        """End the stream at once, whatever is still to be written."""
        if not self.is_over:
            self.is_over = True
            self._task.cancel()

    def revalidate(self) -> None:
        """Look the grant up again before anything more is written, and end the stream if it is gone."""
        self._must_revalidate = True

    def finish(self) -> None:
        """End the stream once everything is written."""
        self._ending = True
        self.flush()

    def begin(self, *, life: float) -> None:
        """Write what has come meanwhile and whatever comes from now on, for ``life`` seconds."""
        self._has_begun = True
        self._death = asyncio.get_running_loop().call_later(life, self.finish)
        self.flush()

    def flush(self) -> None:
        """Write what there is, in a task of its own unless one is at it."""
        if self._has_begun and self._writer is None and self._has_work and not self.is_over:
            self._writer = asyncio.create_task(self._write_all())

    async def until_gone(self, receive: Callable[[], Awaitable[object]]) -> None:
        """Wait until the client has left or the stream is to end."""
        try:
            while (await receive())["type"] != "http.disconnect":  # type: ignore[index]
                pass
        except asyncio.CancelledError:
            if not self.is_over:
                raise

    async def stop(self) -> None:
        """Write nothing more."""
        self._has_begun = False
        if self._death is not None:
            self._death.cancel()
        if (writer := self._writer) is not None:
            writer.cancel()
            with suppress(asyncio.CancelledError):
                await writer

    @property
    def _has_work(self) -> bool:
        return bool(self._unsent or self._must_revalidate or self._ending)

    async def _write_all(self) -> None:
        try:
            while self._has_work:
                if self._must_revalidate:
                    self._must_revalidate = False
                    if not await self._is_valid():
                        self.cut_off()
                        return
                if self._unsent:
                    message = b"".join(self._unsent)
                    self._unsent.clear()
                    await self._write(message)
                elif self._ending:
                    self.cut_off()
                    return
        except Exception:
            log.exception("could not write to a stream")
            self.cut_off()
        finally:
            self._writer = None
