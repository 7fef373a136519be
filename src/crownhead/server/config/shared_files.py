"""Files that are sent: one that many clients are sent at the same time lies in memory once."""

import os
from collections.abc import Iterator
from contextlib import closing
from threading import Lock
from typing import IO
from weakref import WeakValueDictionary

LONGEST = 4 << 20  # bytes: of a longer file each client is sent pieces of its own
PIECE = 1 << 16


class Contents:
    """All of a file."""

    __slots__ = ("__weakref__", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data


class SentFile:
    """The `wsgi.file_wrapper` (PEP 3333): an iterable that knows that it is a file."""

    def __init__(self, file: IO[bytes], _block_size: int = PIECE) -> None:
        self._file = file

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self._file.read(PIECE), b"")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def contents(self) -> Contents | None:
        """All of it, for others too, after which it is closed; None of a part of one, or of a long one."""
        try:
            stat = os.fstat(self._file.fileno())
        except OSError:  # it is part of one
            return None
        if stat.st_size > LONGEST:
            return None
        key = (self._file.name, stat.st_dev, stat.st_ino, stat.st_mtime_ns, stat.st_size)
        with closing(self), _lock:
            contents = in_use.get(key)
            if contents is None:
                contents = in_use[key] = Contents(self._file.read())
        return contents


in_use: WeakValueDictionary[tuple[str, int, int, int, int], Contents] = WeakValueDictionary()
_lock = Lock()
