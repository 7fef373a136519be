"""One input after the other: what cannot be read is told, the others are read, and progress is shown."""

from __future__ import annotations

import argparse
import errno
import gzip
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from crownhead.cli.progress import Progress
from crownhead.cli.sources import STANDARD_INPUT, InputFile, Unreadable, opened, shown, size_of
from crownhead.rules.errors import NotationError

BAD_INPUT, UNREADABLE = 1, 2


class RunStatus:
    """Counts games as they are read, shows how far that is, and has the last word on how it went."""

    def __init__(self, progress: Progress) -> None:
        self.status = 0
        self.games = 0
        self._progress = progress
        self._before = 0
        self._feed: InputFile | None = None

    def begin(self, file: InputFile) -> None:
        """Another input is read from now on."""
        self._before += 0 if self._feed is None else self._feed.size
        self._feed = file

    def game(self) -> None:
        """A game has been read."""
        self.games += 1
        done = 0 if self._feed is None else self._feed.done
        self._progress.show(self._before + done, f"{self.games:,} games")

    def complain(self, sentence: str, status: int) -> None:
        """Something is bad."""
        self._progress.say(sentence)
        self.status = max(self.status, status)


def read_each(
    files: Sequence[str], read: Callable[[InputFile, RunStatus], None], *, what: str, is_shared: bool
) -> RunStatus:
    """Let ``read`` have every file in turn; ``is_shared`` as of ``Progress``."""
    with Progress(what, total=total_of(files), is_shared=is_shared) as progress:
        status = RunStatus(progress)
        for file in files:
            try:
                with opened(file) as source:
                    status.begin(source)
                    read(source, status)
            except Unreadable as error:
                status.complain(f"crownhead: {error}", UNREADABLE)
            except NotationError as error:
                status.complain(f"crownhead: {shown(file)}: {error}", BAD_INPUT)
    return status


def total_of(files: Sequence[str]) -> int:
    """The bytes of all the files; 0 if that of one is not known, as of the standard input."""
    sizes = [size_of(file) for file in files]
    return sum(sizes) if all(sizes) else 0


def add_output(parser: argparse._ActionsContainer) -> None:
    """``--out``."""
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="write there, packed if it ends in .gz (default: standard output)",
    )


@contextmanager
def output(name: str | None, *, other_than: Sequence[str]) -> Iterator[BinaryIO]:
    """Where games are written to: a file, packed if its name ends in .gz, or the standard output.

    Raises ``OSError``, also if the file is one of the inputs, which would be lost.
    """
    if name is None or name == STANDARD_INPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if any(_is_same(path, Path(other)) for other in other_than if other != STANDARD_INPUT):
        raise OSError(errno.EINVAL, "expected another file to write to than one that is read", name)
    with path.open("wb") as file:
        if path.suffix != ".gz":
            yield file
            return
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            yield cast(BinaryIO, packed)


def is_on_terminal(name: str | None) -> bool:
    """Whether what is written there shows on the terminal."""
    return (name is None or name == STANDARD_INPUT) and sys.stdout.isatty()


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
