"""The input files of a command: opened, decompressed if necessary, and tracked for progress."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

STANDARD_INPUT = "-"
_PACKED = b"\x1f\x8b"  # the magic number of gzip


class Unreadable(Exception):
    """An input cannot be opened or read completely."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason

    def __reduce__(self) -> tuple[type[Unreadable], tuple[str, str]]:
        return type(self), (self.name, self.reason)


class InputFile:
    """An open input; ``size`` is the file size in bytes, 0 if unknown."""

    def __init__(self, name: str, file: BufferedReader, *, size: int) -> None:
        """``file`` is decompressed if its name or first bytes say that it is compressed."""
        self.name = name
        self.size = size
        self._file = file
        packed = name.endswith(".gz") or file.peek(2)[:2] == _PACKED
        self._lines: gzip.GzipFile | BufferedReader = gzip.GzipFile(fileobj=file) if packed else file

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or ``size`` bytes of it; raises ``Unreadable``."""
        return self._read(self._lines.readline, size)

    def read1(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes, none at the end; raises ``Unreadable``."""
        return self._read(self._lines.read1, size)

    def _read(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except (EOFError, zlib.error) as error:
            raise Unreadable(display_name(self.name), f"damaged: {error}") from error
        except OSError as error:
            raise Unreadable(display_name(self.name), error.strerror or str(error)) from error

    @property
    def done(self) -> int:
        """The number of bytes read so far, 0 if unknown."""
        return self._file.tell() if self.size else 0


@contextmanager
def opened(name: str) -> Iterator[InputFile]:
    """Open a file, or standard input for ``-``; raises ``Unreadable``."""
    if name == STANDARD_INPUT:
        yield InputFile(name, _standard_input(), size=0)
        return
    with _file(name) as file:
        yield _fed(name, file)


def size_of(name: str) -> int:
    """Return the size of a file in bytes, 0 if it has none."""
    path = Path(name)
    try:
        return path.stat().st_size if name != STANDARD_INPUT and path.is_file() else 0
    except (OSError, ValueError):
        return 0


def display_name(name: str) -> str:
    """Return the name of an input for messages."""
    return "standard input" if name == STANDARD_INPUT else name or "''"


def _file(name: str) -> BufferedReader:
    if not name:
        raise Unreadable(display_name(name), "expected a file name")
    try:
        return Path(name).open("rb")
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        raise Unreadable(name, getattr(error, "strerror", None) or str(error)) from error


def _fed(name: str, file: BufferedReader) -> InputFile:
    try:
        return InputFile(name, file, size=size_of(name))
    except OSError as error:
        raise Unreadable(name, error.strerror or str(error)) from error


def _standard_input() -> BufferedReader:
    if sys.stdin is None:
        raise Unreadable(display_name(STANDARD_INPUT), "closed")
    if not isinstance(sys.stdin.buffer, BufferedReader):
        raise Unreadable(display_name(STANDARD_INPUT), "not a file")
    return sys.stdin.buffer
