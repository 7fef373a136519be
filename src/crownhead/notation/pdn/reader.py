"""Reading games from a file one by one: a bad game is reported, the others are yielded."""

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

_MOST_FINDINGS = 100  # on a game, that are told

_LOG = logging.getLogger(__name__)

_Played = TypeVar("_Played")
_R = TypeVar("_R", bound=GameRecord)
_V = TypeVar("_V", bound=Visitor)


@dataclass(frozen=True, slots=True)
class _Place:
    """Which game of a file (from 1), where in it (from 1), and what is to be said."""

    number: int
    line: int
    column: int
    event: str
    cause: Exception

    def __str__(self) -> str:
        """One sentence for people."""
        event = f" ({self.event})" if self.event else ""
        return f"game {self.number}{event}, line {self.line}, column {self.column}: {self.cause}"


class PdnError(_Place):
    """A game that could not be read: which, where in the file and why."""

    __slots__ = ()


class PdnWarning(_Place):
    """Something about a game that was read: it is not as the standard has it."""

    __slots__ = ()


class PdnInfo(PdnWarning):
    """Nothing is wrong, but a choice was made: later moves settled a capture, or the tag a result."""

    __slots__ = ()


class Tally:
    """How many games of a source are ``good`` and ``bad``, and the warnings about good ones, ``warnings``.

    ``errors`` holds the bad ones unless they are handed to a callback.
    """

    def __init__(
        self,
        *,
        on_error: Callable[[PdnError], object] | None,
        on_warning: Callable[[PdnWarning], object] | None,
    ) -> None:
        """Nothing yet."""
        self.errors: list[PdnError] = []
        self.good = 0
        self.bad = 0
        self.warnings = 0
        self._on_error = on_error
        self._on_warning = on_warning

    def approve(self, block: Block, record: GameRecord) -> None:
        """Count a game that was read, and hand on what is remarked of it."""
        self.good += 1
        for remark in record.findings[:_MOST_FINDINGS]:
            self._doubt(block, record, remark)
        if len(record.findings) > _MOST_FINDINGS:
            error = NotationError(f"at most {_MOST_FINDINGS} findings on a game", len(record.findings))
            self._doubt(block, record, Finding(error, record.at))

    def reject(self, block: Block, record: GameRecord, at: int, cause: CrownheadError) -> None:
        """Report a game that was not."""
        self.bad += 1
        bad = PdnError(self.good + self.bad, *block.where(at), record.tags.get("Event", ""), cause)
        if self._on_error is not None:
            self._on_error(bad)
        else:
            self.errors.append(bad)
            _LOG.warning("%s", bad)

    def _doubt(self, block: Block, record: GameRecord, remark: Finding) -> None:
        kind = PdnInfo if remark.is_info else PdnWarning
        self.warnings += not remark.is_info
        number, event = self.good + self.bad, record.tags.get("Event", "")
        doubt = kind(number, *block.where(remark.at), event, remark.cause)
        if self._on_warning is not None:
            self._on_warning(doubt)
        else:
            _LOG.info("%s", doubt)


class Reader(Tally, Iterator[_Played], Generic[_Played]):
    """The good games of a source, in order; the tally grows as they go by."""

    def __init__(
        self,
        games: Callable[[Reader[_Played]], Generator[_Played, None, None]],
        *,
        on_error: Callable[[PdnError], object] | None,
        on_warning: Callable[[PdnWarning], object] | None,
    ) -> None:
        """``games`` reads them and tells this reader of each."""
        super().__init__(on_error=on_error, on_warning=on_warning)
        self._games = games(self)

    def __iter__(self) -> Reader[_Played]:
        return self

    def __next__(self) -> _Played:
        """The next good game; raises ``OSError`` where the file cannot be read."""
        return next(self._games)

    def close(self) -> None:
        """Stop reading and let go of the file."""
        self._games.close()


def read(
    source: Source,
    *,
    variant: str | Variant = "american",
    on_error: Callable[[PdnError], object] | None = None,
    on_warning: Callable[[PdnWarning], object] | None = None,
) -> Reader[Game]:
    """The games of a PDN file, one after the other, however many there are.

    ``source`` is a path (``.gz`` is unpacked), an open file or PDN text; ``variant`` that of games
    that do not name theirs. A bad game is handed to ``on_error``, else kept in the reader's ``errors``
    and logged. What is not as the standard has it but was read is handed to ``on_warning``, else
    counted. Games come with the draw rules ``none`` and the result that is recorded. Raises
    ``UnknownVariant``, and ``OSError`` on reading.
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
    """The visitors that ``make`` made, each told of one game of a source; nothing is replayed.

    Raises ``NotationError`` if the source is no text, ``OSError`` if it cannot be read.
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
    """What ``play`` makes of the records of a source; the tally is told of each.

    ``plain`` takes records that it knows how to deal with from a source of bytes, wherever it comes to some.
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
