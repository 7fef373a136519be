"""From a file, packed or not, to blocks of text that hold whole games, with bounded memory."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from crownhead.rules.errors import NotationError


class Lines(Protocol):
    """An open file of text or bytes."""

    def readline(self, size: int, /) -> str | bytes:
        """The next line, or ``size`` of it; nothing at the end."""


Source = str | Path | Lines

LONGEST_LINE = 1 << 16
LONGEST_BLOCK = 1 << 20  # the longest games on record, with comments, stay below a tenth of it
_CUT_FROM = 1 << 14  # a block this long may also be cut behind a result

_TAG = re.compile(r"\s*\[[\s\[]*(?:[^\W\d_]|&#\d)")  # some exporters wrote names as HTML entities
_NEXT_GAME = re.compile(r"\s*\[Event\s")  # cuts even an unclosed comment
_ENDS_GAME = re.compile(r"(?:^|\s)(?:\*|[012]-[012]|1/2-1/2)\s*\Z")
_COMMENT = re.compile(r"\{[^}]*\}?|[%;]")
_LINE_BREAK = re.compile("\n")
_BEFORE_A_GAME = ("", "%", ";")  # what a line may begin with that is part of no game yet
_LITERAL_BREAK = re.compile(r"(?:\\[rn])+\s*\Z")  # backslash and letter, left by some exporters


@dataclass(frozen=True)
class Block:
    """Consecutive lines of a source; ``line`` is the number of the first, from 1."""

    line: int
    text: str
    is_overlong: bool = False  # it goes on, beyond what a game may have
    is_last: bool = False

    def where(self, at: int) -> tuple[int, int]:
        """Line and column, from 1, of an index in the text."""
        before = bisect_left(self._breaks, at)
        begin = self._breaks[before - 1] if before else -1
        return self.line + before, at - begin

    @cached_property
    def _breaks(self) -> list[int]:
        return [found.start() for found in _LINE_BREAK.finditer(self.text)]


@contextmanager
def opened(source: Source) -> Iterator[Lines]:
    """``source`` ready to be read: a path (``.gz`` is unpacked), a file, or PDN text.

    A string is PDN text if it begins with a tag or has a line break, else a path. Files that were
    handed over are left open. Raises ``OSError``.
    """
    if isinstance(source, str) and ("\n" in source or _TAG.match(source)):
        yield io.StringIO(source)
    elif isinstance(source, str | Path):
        path = Path(source)
        with path.open("rb") as file:
            yield gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
    else:
        yield source


def blocks(file: Lines) -> Iterator[Block]:
    """The text of a file cut between games.

    Raises ``NotationError`` if it is no text, ``OSError`` if it cannot be read.
    """
    cutter = Cutter()
    for line in _lines(file):
        done = cutter.add(line)
        if done is not None:
            yield done
    last = cutter.take()
    if last is not None:
        yield replace(last, is_last=True)


def _lines(file: Lines) -> Iterator[str]:
    number = 0
    try:
        while raw := file.readline(LONGEST_LINE):
            number += 1
            yield line_of(raw, is_first=number == 1)
    except (EOFError, zlib.error) as error:
        raise damaged(number, error) from error


def line_of(raw: str | bytes, *, is_first: bool) -> str:
    """A line as text; raises ``NotationError`` if it is none."""
    line = raw if isinstance(raw, str) else decoded(raw)
    if "\0" in line:
        raise NotationError("a text file", line[:20])
    return line.removeprefix("\ufeff") if is_first else line


def damaged(lines: int, error: Exception) -> OSError:
    """What is raised where a packed file breaks off behind so many lines."""
    return gzip.BadGzipFile(f"damaged after line {lines}: {error}")


def decoded(raw: bytes) -> str:
    """UTF-8, or Latin-1 as PDN 2.0 had it."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class Cutter:
    """Gathers lines, from the one with a number on, until a tag opens a line after moves."""

    def __init__(self, first_line: int = 1) -> None:
        self._next_line = first_line
        self._first_line = first_line
        self._lines: list[str] = []
        self._length = 0
        self._has_moves = False
        self._in_comment = False

    def add(self, line: str) -> Block | None:
        """Take the next line; the block it closes, if it closes one."""
        if self._in_comment:
            opens = _NEXT_GAME.match(line) is not None
        else:
            opens = self._has_moves and _TAG.match(line) is not None
        ends = self._length > _CUT_FROM and not self._in_comment and self._ends_game()
        done = self.take() if opens or ends else None
        self._note(line)
        return done

    def take(self) -> Block | None:
        """What has been gathered, and begin anew."""
        block = Block(self._first_line, "".join(self._lines), self._length > LONGEST_BLOCK)
        self._lines, self._length = [], 0
        self._first_line = self._next_line
        self._has_moves = self._in_comment = False
        return block if block.text.strip() else None

    def _note(self, line: str) -> None:
        self._next_line += line.endswith("\n")
        self._length += len(line)
        if self._length <= LONGEST_BLOCK:
            self._lines.append(line)
        if not self._in_comment and _TAG.match(line):
            _, closed, behind = _LITERAL_BREAK.sub("", line).rpartition("]")
            self._has_moves = self._has_moves or bool(closed and behind.strip())
            return
        self._has_moves = self._has_moves or line.lstrip()[:1] not in _BEFORE_A_GAME
        if "{" in line or "}" in line:
            self._in_comment = _is_open_after(line, is_open=self._in_comment)

    def _ends_game(self) -> bool:
        return bool(self._lines) and _ENDS_GAME.search(self._lines[-1]) is not None


def _is_open_after(line: str, *, is_open: bool) -> bool:
    at = line.find("}") + 1 if is_open else 0
    if is_open and not at:
        return True
    for match in _COMMENT.finditer(line, at):
        if match[0][0] != "{":
            return False
        if not match[0].endswith("}"):
            return True
    return False
