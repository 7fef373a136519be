"""Reading games from a file one by one; bad games are reported, the others yielded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from crownhead.notation.pdn.fast_path import plain_games
from crownhead.notation.pdn.lexer import walk
from crownhead.notation.pdn.replay import ReplayError, game_of
from crownhead.notation.pdn.source import LONGEST_BLOCK, Block, Source, blocks, opened
from crownhead.notation.pdn.visitor import Finding, GameRecord, Visitor
from crownhead.notation.pdn.window import Bytes, Window
from crownhead.rules.errors import CrownheadError, NotationError
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

_MOST_FINDINGS = 100  # maximum number of findings reported per game

_LOG = logging.getLogger(__name__)

_Played = TypeVar("_Played")
_R = TypeVar("_R", bound=GameRecord)
_V = TypeVar("_V", bound=Visitor)


@dataclass(frozen=True, slots=True)
class _Place:
    """A message about a game: its number, line and column (all from 1), and the cause."""

    number: int
    line: int
    column: int
    event: str
    cause: Exception

    def __str__(self) -> str:
        """Return the message with its location."""
        event = f" ({self.event})" if self.event else ""
        return f"game {self.number}{event}, line {self.line}, column {self.column}: {self.cause}"


class PdnError(_Place):
    """A game that could not be read: which one, where in the file, and why."""

    __slots__ = ()


class PdnWarning(_Place):
    """A deviation from the standard in a game that could be read."""

    __slots__ = ()


class PdnInfo(PdnWarning):
    """A choice that the reader made: later moves resolved a capture, or the tag the result."""

    __slots__ = ()


class Tally:
    """Counts of ``good`` and ``bad`` games, and of ``warnings`` about good ones.

    ``errors`` contains the bad ones unless they are passed to a callback.
    """

    def __init__(
        self,
        *,
        on_error: Callable[[PdnError], object] | None,
        on_warning: Callable[[PdnWarning], object] | None,
    ) -> None:
        """Start with all counts at 0."""
        self.errors: list[PdnError] = []
        self.good = 0
        self.bad = 0
        self.warnings = 0
        self._on_error = on_error
        self._on_warning = on_warning

    def approve(self, block: Block, record: GameRecord) -> None:
        """Count a valid game and report its findings."""
        self.good += 1
        for finding in record.findings[:_MOST_FINDINGS]:
            self._report(block, record, finding)
        if len(record.findings) > _MOST_FINDINGS:
            error = NotationError(f"at most {_MOST_FINDINGS} messages about a game", len(record.findings))
            self._report(block, record, Finding(error, record.at))

    def reject(self, block: Block, record: GameRecord, at: int, cause: CrownheadError) -> None:
        """Count and report a bad game."""
        self.bad += 1
        bad = PdnError(self.good + self.bad, *block.where(at), record.tags.get("Event", ""), cause)
        if self._on_error is not None:
            self._on_error(bad)
        else:
            self.errors.append(bad)
            _LOG.warning("%s", bad)

    def _report(self, block: Block, record: GameRecord, finding: Finding) -> None:
        kind = PdnInfo if finding.is_info else PdnWarning
        self.warnings += not finding.is_info
        number, event = self.good + self.bad, record.tags.get("Event", "")
        message = kind(number, *block.where(finding.at), event, finding.cause)
        if self._on_warning is not None:
            self._on_warning(message)
        else:
            _LOG.info("%s", message)


class Reader(Tally, Iterator[_Played], Generic[_Played]):
    """An iterator over the valid games of a source, which also counts games and messages."""

    def __init__(
        self,
        games: Callable[[Reader[_Played]], Generator[_Played, None, None]],
        *,
        on_error: Callable[[PdnError], object] | None,
        on_warning: Callable[[PdnWarning], object] | None,
    ) -> None:
        """``games`` is a generator function that reads games and reports to this reader."""
        super().__init__(on_error=on_error, on_warning=on_warning)
        self._games = games(self)

    def __iter__(self) -> Reader[_Played]:
        return self

    def __next__(self) -> _Played:
        """Return the next valid game; raises ``OSError`` if the file cannot be read."""
        return next(self._games)

    def close(self) -> None:
        """Stop reading and close the file."""
        self._games.close()


def read(
    source: Source,
    *,
    variant: str | Variant = "american",
    on_error: Callable[[PdnError], object] | None = None,
    on_warning: Callable[[PdnWarning], object] | None = None,
) -> Reader[Game]:
    """Read the games of a PDN file of any length one by one.

    ``source`` is a path (``.gz`` is decompressed), an open file or PDN text; ``variant`` is used for games
    that do not name theirs. Bad games are passed to ``on_error``, or else collected in the reader's
    ``errors`` and logged. Warnings and info messages about valid games are passed to ``on_warning``, or else
    logged; warnings are also counted. Games have the draw rules ``none`` and the recorded result. Raises
    ``UnknownVariant``, and ``OSError`` while reading.
    """
    default = variant_of(variant)

    def games(reader: Reader[Game]) -> Generator[Game, None, None]:
        def plain(window: Window) -> Generator[Game, None, None]:
            for game in plain_games(window, default):
                reader.good += 1
                yield game

        return replayed(source, reader, GameRecord, lambda record: game_of(record, default), plain=plain)

    return Reader(games, on_error=on_error, on_warning=on_warning)


def visit(source: Source, make: Callable[[], _V]) -> Iterator[_V]:
    """Yield a visitor created by ``make`` for each game of a source, without replaying moves.

    Raises ``NotationError`` if the source is not text, ``OSError`` if it cannot be read.
    """
    with opened(source) as file:
        for block in blocks(file):
            yield from walk(block.text, make, is_last=block.is_last)


def replayed(
    source: Source,
    tally: Tally,
    make: Callable[[], _R],
    play: Callable[[_R], _Played],
    *,
    plain: Callable[[Window], Iterable[_Played]] = lambda _: (),
) -> Generator[_Played, None, None]:
    """Yield the result of ``play`` for each record of a source, and report it to ``tally``.

    ``plain`` handles simple records of a binary source on the fast path.
    """
    with opened(source) as file:
        try:
            if not hasattr(file, "read1"):
                for block in blocks(file):
                    yield from _of_block(block, tally, make, play)
                return
            window = Window(cast(Bytes, file))
            yield from plain(window)
            while (rest := window.next_block()) is not None:
                yield from _of_block(rest, tally, make, play)
                yield from plain(window)
        except NotationError as error:
            tally.reject(Block(1, ""), GameRecord(), 0, error)


def _of_block(
    block: Block, tally: Tally, make: Callable[[], _R], play: Callable[[_R], _Played]
) -> Iterable[_Played]:
    if block.is_overlong:
        error = NotationError(f"a game of at most {LONGEST_BLOCK} characters", block.text)
        tally.reject(block, GameRecord(), 0, error)
        return
    for record in walk(block.text, make, is_last=block.is_last):
        try:
            played = play(record)
        except ReplayError as fault:
            tally.reject(block, record, fault.at, fault.cause)
        else:
            tally.approve(block, record)
            yield played
