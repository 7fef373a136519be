"""Splitting a file, compressed or not, into blocks of whole games in bounded memory."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Protocol

from crownhead.rules.errors import NotationError


class Lines(Protocol):
    """An open file of text or bytes."""

    def readline(self, size: int, /) -> str | bytes:
        """Return the next line, or ``size`` characters of it; empty at the end."""


Source = str | Path | Lines

LONGEST_LINE = 1 << 16
LONGEST_BLOCK = 1 << 20  # the longest known games with comments need less than a tenth
_CUT_FROM = 1 << 14  # a block this long can also end after a result

_TAG = re.compile(r"\s*\[[\s\[]*(?:[^\W\d_]|&#\d)")  # some exporters wrote names as HTML entities
_NEXT_GAME = re.compile(r"\s*\[Event\s")  # starts a new block even within an unclosed comment
_ENDS_GAME = re.compile(r"(?:^|\s)(?:\*|[012]-[012]|1/2-1/2)\s*\Z")
_COMMENT = re.compile(r"\{[^}]*\}?|[%;]")
_LINE_BREAK = re.compile("\n")
_FILE_NAME = re.compile(  # a line that ends like one, or a word with a slash and letters
    r"""[^\n\[\]{}"]*\.(?:pdn|pgn|txt|gz|zip)\s* | (?=\S*[^\W\d_]{2})[^\s\[\]{}"]*[/\\][^\s\[\]{}"]*\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE_A_GAME = ("", "%", ";")  # starts of lines that are not yet part of a game
_LITERAL_BREAK = re.compile(r"(?:\\[rn])+\s*\Z")  # a literal backslash and letter, written by some exporters


@dataclass(frozen=True)
class Block:
    """Consecutive lines of a source; ``line`` is the number of the first, from 1."""

    line: int
    text: str
    is_overlong: bool = False  # longer than a game may be
    is_last: bool = False

    def where(self, at: int) -> tuple[int, int]:
        """Return line and column, from 1, of an index in the text."""
        before = bisect_left(self._breaks, at)
        begin = self._breaks[before - 1] if before else -1
        return self.line + before, at - begin

    @cached_property
    def _breaks(self) -> list[int]:
        return [found.start() for found in _LINE_BREAK.finditer(self.text)]


def checked(source: Source) -> Source:
    """Return a source; raises ``NotationError`` if it is the name of a file instead of PDN text."""
    if isinstance(source, str) and _FILE_NAME.fullmatch(source):
        raise NotationError(f"PDN text, or pathlib.Path({source!r}) to read a file", source)
    if not isinstance(source, str | Path) and not hasattr(source, "readline"):
        raise NotationError("PDN text, a pathlib.Path or an open file", source)
    return source


@contextmanager
def opened(source: Source) -> Iterator[Lines]:
    """Open a source: PDN text, a path (``.gz`` is decompressed), or a file.

    Files that were passed in are not closed. Raises ``OSError``.
    """
    if isinstance(source, str):
        yield io.StringIO(source)
    elif isinstance(source, Path):
        path = Path(source)
        with path.open("rb") as file:
            yield gzip.GzipFile(fileobj=file) if path.suffix == ".gz" else file
    else:
        yield source


def first_texts(coming: Iterator[str], most: int) -> str:
    """Return the first of these texts, together at most ``most`` characters; errors end them."""
    texts: list[str] = []
    with suppress(NotationError):  # reported when it is read
        for text in coming:
            most -= len(text)
            if most < 0:
                break
            texts.append(text)
    return "".join(texts)


class Blocks(Iterator[Block]):
    """The text of a file in blocks of whole games; ``peek`` looks ahead.

    Raises ``NotationError`` if it is not text, ``OSError`` if it cannot be read.
    """

    def __init__(self, file: Lines) -> None:
        self._coming = blocks(file)
        self._seen: deque[Block] = deque()
        self._error: Exception | None = None

    def __next__(self) -> Block:
        """Return the next block."""
        if self._seen:
            return self._seen.popleft()
        if self._error is not None:
            raise self._error
        return next(self._coming)

    def peek(self, most: int) -> str:
        """Return the text of the next blocks, at most ``most`` characters."""
        return first_texts(self._peeked(), most)

    def _peeked(self) -> Iterator[str]:
        """Yield the texts of the next blocks."""
        yield from [block.text for block in self._seen]
        try:
            for block in self._coming:
                self._seen.append(block)
                yield block.text
        except Exception as error:  # raised later, after the blocks before
            self._error = error


def blocks(file: Lines) -> Iterator[Block]:
    """Yield the text of a file in blocks of whole games.

    Raises ``NotationError`` if it is not text, ``OSError`` if it cannot be read.
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
    """Decode a line; raises ``NotationError`` if it is not text."""
    line = raw if isinstance(raw, str) else decoded(raw)
    if "\0" in line:
        raise NotationError("a text file", line[:20])
    return line.removeprefix("\ufeff") if is_first else line


def damaged(lines: int, error: Exception) -> OSError:
    """Return the error for a compressed file that is damaged after some lines."""
    return gzip.BadGzipFile(f"damaged after line {lines}: {error}")


def decoded(raw: bytes) -> str:
    """Decode UTF-8, or Latin-1 as in PDN 2.0."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class Cutter:
    """Collects lines into blocks; a tag after moves starts a new block."""

    def __init__(self, first_line: int = 1) -> None:
        self._next_line = first_line
        self._first_line = first_line
        self._lines: list[str] = []
        self._length = 0
        self._has_moves = False
        self._in_comment = False

    def add(self, line: str) -> Block | None:
        """Add the next line; return the previous block if the line starts a new one."""
        if self._in_comment:
            opens = _NEXT_GAME.match(line) is not None
        else:
            opens = self._has_moves and _TAG.match(line) is not None
        ends = self._length > _CUT_FROM and not self._in_comment and self._ends_game()
        done = self.take() if opens or ends else None
        self._note(line)
        return done

    def take(self) -> Block | None:
        """Return the collected block, if any, and start a new one."""
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
