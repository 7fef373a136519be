"""A progress line on the terminal; without a terminal, nothing is shown."""

from __future__ import annotations

import os
import shutil
import sys
import time
from types import TracebackType
from typing import Self, TextIO

from crownhead.cli.tables import printable

_PATIENCE = 0.5  # seconds before the line appears
_PAUSE = 0.1  # seconds between updates
_BAR = 24  # characters
_ERASE = "\r\033[K"


class Progress:
    """A progress line for work of ``total`` parts (0 if unknown).

    ``is_shared``: results are printed to the same terminal, so the line is not shown.
    """

    def __init__(
        self, what: str, *, total: int = 0, is_shared: bool = False, stream: TextIO | None = None
    ) -> None:
        """``stream`` defaults to standard error."""
        self._what = what
        self._total = total
        self._stream = sys.stderr if stream is None else stream
        self._is_seen = not is_shared and _is_terminal(self._stream)
        self._begun = time.monotonic()
        self._next = self._begun + _PATIENCE
        self._is_drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the line."""
        self.clear()

    def show(self, done: int, note: str = "") -> None:
        """Show that ``done`` parts are finished, with a ``note`` such as a number of games."""
        if not self._is_seen:
            return
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PAUSE
        width = shutil.get_terminal_size().columns - 1
        self._stream.write(_ERASE + self._line(done, note, now - self._begun)[:width])
        self._stream.flush()
        self._is_drawn = True

    def print(self, line: str) -> None:
        """Print a message above the progress line."""
        self.clear()
        print(printable(line), file=self._stream)

    def clear(self) -> None:
        """Remove the line."""
        if self._is_drawn:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._is_drawn = False

    def _line(self, done: int, note: str, seconds: float) -> str:
        parts = [self._what]
        if self._total:
            share = min(1.0, done / self._total)
            full = int(share * _BAR)
            parts += [f"[{'#' * full}{'.' * (_BAR - full)}]", f"{share:4.0%}"]
        if note:
            parts.append(note)
        if self._total and 0 < done < self._total:
            parts.append(f"{_clock(seconds * (self._total - done) / done)} left")
        return "  ".join(parts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds) + 1, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM", "") != "dumb"
