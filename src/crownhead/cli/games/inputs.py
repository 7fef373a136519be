"""One input after the other: what cannot be read is told, the others are read, and progress is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from crownhead.cli.progress import Progress
from crownhead.cli.sources import Feed, Unreadable, opened, shown, size_of
from crownhead.cli.tables import printable
from crownhead.rules.errors import NotationError

BAD_INPUT, UNREADABLE = 1, 2


class Watch:
    """Counts games as they are read, shows how far that is, and has the last word on how it went."""

    def __init__(self, progress: Progress) -> None:
        self.status = 0
        self.games = 0
        self._progress = progress
        self._before = 0
        self._feed: Feed | None = None

    def begin(self, feed: Feed) -> None:
        """Another input is read from now on."""
        self._before += 0 if self._feed is None else self._feed.size
        self._feed = feed

    def game(self) -> None:
        """A game has been read."""
        self.games += 1
        done = 0 if self._feed is None else self._feed.done
        self._progress.show(self._before + done, f"{self.games:,} games")

    def complain(self, sentence: str, status: int) -> None:
        """Something is bad."""
        self._progress.say(printable(sentence))
        self.status = max(self.status, status)


def read_each(
    files: Sequence[str], read: Callable[[Feed, Watch], None], *, what: str, is_shared: bool
) -> Watch:
    """Let ``read`` have every file in turn; ``is_shared`` as of ``Progress``."""
    with Progress(what, total=total_of(files), is_shared=is_shared) as progress:
        watch = Watch(progress)
        for file in files:
            try:
                with opened(file) as feed:
                    watch.begin(feed)
                    read(feed, watch)
            except Unreadable as error:
                watch.complain(f"crownhead: {error}", UNREADABLE)
            except NotationError as error:
                watch.complain(f"crownhead: {shown(file)}: {error}", BAD_INPUT)
    return watch


def total_of(files: Sequence[str]) -> int:
    """The bytes of all the files; 0 if that of one is not known, as of the standard input."""
    sizes = [size_of(file) for file in files]
    return sum(sizes) if all(sizes) else 0


@contextmanager
def output(name: str | None) -> Iterator[BinaryIO]:
    """Where games are written to: a file, or the standard output; raises ``OSError``."""
    if name is None or name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with Path(name).open("wb") as file:
        yield file


def is_on_terminal(name: str | None) -> bool:
    """Whether what is written there shows on the terminal."""
    return (name is None or name == "-") and sys.stdout.isatty()
