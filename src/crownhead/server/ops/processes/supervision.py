"""Several processes under one parent, which starts those again that end by themselves, and stops all.

The parent has no thread and no connection to the database, so that it can fork at any time; the processes
share the memory of what it has loaded.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import FrameType

log = logging.getLogger(__name__)

STOP_WITHIN = 25  # seconds after which processes that do not stop are killed
_SOON = 2.0  # seconds within which a process has failed rather than ended
_PAUSE = 1.0  # seconds before one that has failed is started again

Work = Callable[[bool], None]
"""What a process does until it gets SIGTERM; the flag says whether it is started for the first time."""


class Processes:
    """The processes by name; ``on_end`` gets number and name of each that has ended. `run` waits for all.

    ``patience``: seconds that they may take to stop beyond `STOP_WITHIN`.
    """

    def __init__(
        self,
        works: Mapping[str, Work],
        *,
        on_end: Callable[[int, str], None] = lambda _number, _name: None,
        patience: int = 0,
    ) -> None:
        self._works, self._end_of, self._patience = works, on_end, patience
        self._running: dict[int, tuple[str, float, bool]] = {}  # by process: its name, when, the first time
        self._is_stopping = self._has_failed = False
        self._alive, self._death = os.pipe()  # ends for the children when the parent has ended, however

    def run(self) -> bool:
        """Run the processes until a signal stops them; whether none failed when it was first started."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGALRM, self._on_time_up)
        gc.freeze()  # what is collected is written to, and no longer shared
        for name in self._works:
            self._start(name, first=True)
        while self._running:
            process, status = os.waitpid(-1, 0)
            if process in self._running:
                self._on_end(process, os.waitstatus_to_exitcode(status))
        signal.alarm(0)
        return not self._has_failed

    def _start(self, name: str, *, first: bool) -> None:
        process = os.fork()
        if process == 0:
            self._be(name, first=first)
        self._running[process] = (name, time.monotonic(), first)
        if self._is_stopping:  # the signal came before this process could be told
            self._send(signal.SIGTERM)

    def _be(self, name: str, *, first: bool) -> None:
        """Do the work in a new process, which ends here."""
        status = 1
        try:
            for number in (signal.SIGTERM, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches all: the parent decides
            os.close(self._death)
            threading.Thread(target=self._stop_with_parent, name="parent", daemon=True).start()
            self._works[name](first)
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            logging.shutdown()
            os._exit(status)

    def _stop_with_parent(self) -> None:
        os.read(self._alive, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def _on_end(self, process: int, status: int) -> None:
        name, started, first = self._running.pop(process)
        self._end_of(process, name)
        if self._is_stopping:
            return
        soon = time.monotonic() - started < _SOON
        if first and soon and status > 0:  # by itself: it will not do better the next time
            self._has_failed = self._is_stopping = True
            self._send(signal.SIGTERM)
            return
        log.error("process %d (%s) ended with %d; starting another", process, name, status)
        if soon:
            time.sleep(_PAUSE)
        if not self._is_stopping:
            self._start(name, first=False)

    def _on_stop(self, number: int, _frame: FrameType | None) -> None:
        again = self._is_stopping and number == signal.SIGINT
        self._is_stopping = True
        signal.alarm(STOP_WITHIN + self._patience)
        self._send(signal.SIGKILL if again else signal.SIGTERM)

    def _on_time_up(self, _number: int, _frame: FrameType | None) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        for process in tuple(self._running):
            with suppress(ProcessLookupError):
                os.kill(process, number)
