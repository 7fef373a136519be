"""Reading several inputs: unreadable ones are reported, the others are read, and progress is shown."""

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
from crownhead.cli.sources import STANDARD_INPUT, InputFile, Unreadable, display_name, opened, size_of
from crownhead.rules.errors import NotationError

BAD_INPUT, UNREADABLE = 1, 2


class RunStatus:
    """Counts games, shows progress, and keeps the exit status."""

    def __init__(self, progress: Progress) -> None:
        self.status = 0
        self.games = 0
        self._progress = progress
        self._before = 0
        self._feed: InputFile | None = None

    def begin(self, file: InputFile) -> None:
        """Start reading another input."""
        self._before += 0 if self._feed is None else self._feed.size
        self._feed = file

    def game(self) -> None:
        """Count a game."""
        self.games += 1
        done = 0 if self._feed is None else self._feed.done
        self._progress.show(self._before + done, f"{self.games:,} games")

    def reporter(self, file: InputFile) -> Callable[[object], None]:
        """Return a function that reports information about an input."""
        return lambda message: self._progress.print(f"{display_name(file.name)}: info: {message}")

    def complain(self, sentence: str, status: int) -> None:
        """Report a problem and update the exit status."""
        self._progress.print(sentence)
        self.status = max(self.status, status)


def read_each(
    files: Sequence[str], read: Callable[[InputFile, RunStatus], None], *, what: str, is_shared: bool
) -> RunStatus:
    """Call ``read`` with each file in turn; ``is_shared`` is passed to ``Progress``."""
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
                status.complain(f"crownhead: {display_name(file)}: {error}", BAD_INPUT)
    return status


def total_of(files: Sequence[str]) -> int:
    """Return the total size of the files in bytes, or 0 if the size of one is unknown."""
    sizes = [size_of(file) for file in files]
    return sum(sizes) if all(sizes) else 0


def add_output(parser: argparse._ActionsContainer) -> None:
    """Add ``--out``."""
    parser.add_argument(
        "--out",
        metavar="FILE",
        help="output file, compressed if it ends in .gz (default: standard output)",
    )


@contextmanager
def output(name: str | None, *, other_than: Sequence[str]) -> Iterator[BinaryIO]:
    """Open the output: a file, compressed if its name ends in .gz, or standard output.

    Raises ``OSError``, also if the file is one of the inputs, which would be overwritten.
    """
    if name is None or name == STANDARD_INPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    if any(_is_same(path, Path(other)) for other in other_than if other != STANDARD_INPUT):
        raise OSError(errno.EINVAL, "expected an output file that is not an input file", name)
    with path.open("wb") as file:
        if path.suffix != ".gz":
            yield file
            return
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
            yield cast(BinaryIO, packed)


def is_on_terminal(name: str | None) -> bool:
    """Whether the output goes to the terminal."""
    return (name is None or name == STANDARD_INPUT) and sys.stdout.isatty()


def _is_same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except OSError:
        return False
