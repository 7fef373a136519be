"""The files a command is given: opened, unpacked if they are packed, and watched while they are read."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

STANDARD_INPUT = "-"
_PACKED = b"\x1f\x8b"  # how a gzip file begins


class Unreadable(Exception):
    """An input cannot be opened or read to its end: which, and why."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason

    def __reduce__(self) -> tuple[type[Unreadable], tuple[str, str]]:
        return type(self), (self.name, self.reason)


class InputFile:
    """An open input, line by line; ``size`` is that of the file in bytes, 0 where nobody knows."""

    def __init__(self, name: str, file: BufferedReader, *, size: int) -> None:
        """``file`` is unpacked if its name or its first bytes say that it is packed."""
        self.name = name
        self.size = size
        self._file = file
        packed = name.endswith(".gz") or file.peek(2)[:2] == _PACKED
        self._lines: gzip.GzipFile | BufferedReader = gzip.GzipFile(fileobj=file) if packed else file

    def readline(self, size: int, /) -> bytes:
        """The next line, or ``size`` bytes of it; raises ``Unreadable``."""
        return self._read(self._lines.readline, size)

    def read1(self, size: int, /) -> bytes:
        """At most ``size`` of the next bytes; none at the end. Raises ``Unreadable``."""
        return self._read(self._lines.read1, size)

    def _read(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except (EOFError, zlib.error) as error:
            raise Unreadable(shown(self.name), f"damaged: {error}") from error
        except OSError as error:
            raise Unreadable(shown(self.name), error.strerror or str(error)) from error

    @property
    def done(self) -> int:
        """How many bytes of the file have been read; 0 where that cannot be told."""
        return self._file.tell() if self.size else 0


@contextmanager
def opened(name: str) -> Iterator[InputFile]:
    """A file by its name, or the standard input for ``-``; raises ``Unreadable``."""
    if name == STANDARD_INPUT:
        yield InputFile(name, _standard_input(), size=0)
        return
    with _file(name) as file:
        yield _fed(name, file)


def size_of(name: str) -> int:
    """The size of a file in bytes; 0 if it is none that has a size."""
    path = Path(name)
    try:
        return path.stat().st_size if name != STANDARD_INPUT and path.is_file() else 0
    except (OSError, ValueError):
        return 0


def shown(name: str) -> str:
    """What an input is called in messages."""
    return "standard input" if name == STANDARD_INPUT else name or "''"


def _file(name: str) -> BufferedReader:
    if not name:
        raise Unreadable(shown(name), "expected the name of a file")
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
        raise Unreadable(shown(STANDARD_INPUT), "closed")
    if not isinstance(sys.stdin.buffer, BufferedReader):
        raise Unreadable(shown(STANDARD_INPUT), "not a file")
    return sys.stdin.buffer
