"""A sliding window over a binary file, read by the kernel or line by line."""

from __future__ import annotations

import io
import zlib
from dataclasses import replace
from typing import Protocol

from crownhead.notation.pdn.source import LONGEST_LINE, Block, Cutter, blocks, damaged, first_texts, line_of

_CHUNK = 1 << 18  # bytes
_WIDEST = 4  # bytes of a character
_LONGEST = 1 << 15  # maximum bytes of a record for the kernel; real games need a tenth


class Bytes(Protocol):
    """An open file of bytes."""

    def read1(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes; none at the end."""


class Window:
    """``text`` is the current window; from the index ``at`` on it has not been processed."""

    def __init__(self, file: Bytes) -> None:
        """Start with an empty window."""
        self.text = b""
        self.at = 0
        self.is_all = False  # whether the window reaches the end of the file
        self._file = file
        self._damage: Exception | None = None
        self._line = 1  # the line number at ``at``
        self._is_begun = False

    @property
    def is_text(self) -> bool:
        """Whether the window contains no null bytes."""
        return b"\0" not in self.text

    @property
    def left(self) -> int:
        """The number of unprocessed bytes in the window."""
        return len(self.text) - self.at

    def widen(self) -> bool:
        """Drop processed bytes and read more of the file; return whether there was more."""
        chunk = b""
        if self._damage is None:
            try:
                chunk = self._file.read1(_CHUNK)
            except Exception as error:  # raised later, after the games read before
                self._damage = error
        self.text, self.at = self.text[self.at :] + chunk, 0
        self.is_all = not chunk and self._damage is None
        return bool(chunk)

    def advance_to(self, end: int) -> None:
        """Mark everything before ``end``, the start of a line, as processed."""
        self._line += self.text.count(b"\n", self.at, end)
        self._is_begun = self._is_begun or end > self.at
        self.at = end

    def has_more(self, *, is_cut: bool) -> bool:
        """Return whether the kernel should be called again, after reading more of the file if necessary.

        ``is_cut``: the window ended within a record.
        """
        if self.is_all or (self.left and not (is_cut and self.left <= _LONGEST)):
            return False
        return self.widen() or self.is_all

    def peek(self, most: int) -> str:
        """Return the text of the next blocks, at most ``most`` characters, which stay unprocessed."""
        enough = most * _WIDEST
        while self.left < enough and self.widen():
            pass
        raw = self.text[self.at : self.at + enough]
        is_whole = self.is_all and self.left <= enough
        coming = (block.text for block in blocks(io.BytesIO(raw)) if is_whole or not block.is_last)
        return first_texts(coming, most)

    def next_block(self) -> Block | None:
        """Return the next block of lines, as ``source.blocks`` would split them; None at the end.

        Raises ``NotationError`` if it is not text, ``OSError`` if it cannot be read.
        """
        cutter = Cutter(self._line)
        while raw := self._peek_line():
            done = cutter.add(line_of(raw, is_first=not self._is_begun))
            if done is not None:
                return done
            self.advance_to(self.at + len(raw))
        last = cutter.take()
        return None if last is None else replace(last, is_last=True)

    def _peek_line(self) -> bytes:
        while (found := self.text.find(b"\n", self.at, self.at + LONGEST_LINE)) < 0:
            if self.left >= LONGEST_LINE or not self.widen():
                break
        if found < 0 and self._damage is not None and self.left < LONGEST_LINE:
            self._raise(self._damage)
        end = self.at + LONGEST_LINE if found < 0 else found + 1
        return self.text[self.at : end]

    def _raise(self, damage: Exception) -> None:
        if isinstance(damage, EOFError | zlib.error):
            raise damaged(self._line - 1, damage) from damage
        raise damage
