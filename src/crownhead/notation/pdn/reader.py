"""Reading games from a file one by one; bad games are reported, the others yielded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar, cast

from crownhead.notation.numberings import Numbering
from crownhead.notation.pdn.conventions import Conventions
from crownhead.notation.pdn.fast_path import plain_games
from crownhead.notation.pdn.lexer import walk
from crownhead.notation.pdn.recognition import SAMPLE, VariantRecognised, alternatives, recognise
from crownhead.notation.pdn.replay import ReplayError, game_of
from crownhead.notation.pdn.source import LONGEST_BLOCK, Block, Blocks, Source, blocks, checked, opened
from crownhead.notation.pdn.visitor import Finding, GameRecord, Visitor
from crownhead.notation.pdn.window import Bytes, Window
from crownhead.rules.errors import NotationError
from crownhead.rules.game import Game
from crownhead.rules.lookup import AUTO
from crownhead.rules.schema import Variant

_MAX_FINDINGS = 100  # maximum number of findings reported per game

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


@dataclass(frozen=True, slots=True)
class PdnError(_Place):
    """A game that could not be read: which one, where in the file, and why.

    A finding and no exception: it is passed to a callback, never raised; ``cause`` is the exception.
    ``game`` has its legal moves up to the fault; None if not even its start position is known.
    """

    game: Game | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """Return the message with its location."""
        return _Place.__str__(self)


class PdnWarning(_Place):
    """A deviation from the standard in a game that could be read.

    A finding, which has nothing to do with Python's ``Warning``; ``cause`` says what deviates.
    """

    __slots__ = ()


class PdnInfo(PdnWarning):
    """A choice that the reader made: which variant it is, or what later moves or tags told.

    The mildest warning, so that callbacks get it as ``PdnWarning``; where only deviations matter, leave it
    out by its type. For the variant, ``cause`` is a ``VariantRecognised``.
    """

    __slots__ = ()


class Tally:
    """Counts of ``good`` and ``bad`` games, and of ``warnings`` about good ones.

    ``errors`` contains the bad ones unless they are passed to a callback; ``recognised`` is the variant of
    games that do not name theirs, if it had to be recognised.
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
        self.recognised: VariantRecognised | None = None
        self._on_error = on_error
        self._on_warning = on_warning

    def approve(self, block: Block, record: GameRecord) -> None:
        """Count a valid game and report its findings."""
        for finding in record.findings[:_MAX_FINDINGS]:
            self.report(block, record, finding)
        if len(record.findings) > _MAX_FINDINGS:
            error = NotationError(f"at most {_MAX_FINDINGS} messages about a game", len(record.findings))
            self.report(block, record, Finding(error, record.at))
        self.good += 1

    def reject(self, block: Block, record: GameRecord, fault: ReplayError) -> None:
        """Count and report a bad game."""
        self.bad += 1
        event = record.tags.get("Event", "")
        bad = PdnError(self.good + self.bad, *block.where(fault.at), event, fault.cause, fault.game)
        if self._on_error is not None:
            self._on_error(bad)
        else:
            self.errors.append(bad)
            _LOG.warning("%s", bad)

    def report(self, block: Block, record: GameRecord, finding: Finding) -> None:
        """Report a finding about the next game."""
        kind = PdnInfo if finding.is_info else PdnWarning
        self.warnings += not finding.is_info
        number, event = self.good + self.bad + 1, record.tags.get("Event", "")
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
    variant: str | Variant = AUTO,
    numbering: Numbering = Numbering.NATIVE,
    on_error: Callable[[PdnError], object] | None = None,
    on_warning: Callable[[PdnWarning], object] | None = None,
) -> Reader[Game]:
    """Read the games of a PDN file of any length one by one.

    ``source`` is PDN text, a ``pathlib.Path`` (``.gz`` is decompressed) or an open file; a ``str`` is always
    text. ``variant`` is used for games that do not name theirs; with ``auto`` it is recognised. Squares are
    in ``numbering``. Bad games are passed to ``on_error``, or else collected in the reader's
    ``errors`` and logged. Warnings and info messages about valid games are passed to ``on_warning``, or else
    logged; warnings are also counted. Games have the draw rules ``none`` and the recorded result. Raises
    ``UnknownVariant``, ``NotationError`` for a file name instead of text, and ``OSError`` while reading.
    """
    conventions, origin = Conventions.of(variant, numbering), checked(source)

    def games(reader: Reader[Game]) -> Generator[Game, None, None]:
        def plain(window: Window) -> Generator[Game, None, None]:
            for game in plain_games(window, conventions):
                reader.good += 1
                yield game

        return replayed(origin, reader, GameRecord, game_of, conventions=conventions, plain=plain)

    return Reader(games, on_error=on_error, on_warning=on_warning)


def visit(source: Source, make: Callable[[], _V]) -> Iterator[_V]:
    """Yield a visitor created by ``make`` for each game of a source, without replaying moves.

    Raises ``NotationError`` if the source is not text, ``OSError`` if it cannot be read.
    """
    return _visited(checked(source), make)


def _visited(source: Source, make: Callable[[], _V]) -> Iterator[_V]:
    with opened(source) as file:
        for block in blocks(file):
            yield from walk(block.text, make, is_last=block.is_last)


def replayed(
    source: Source,
    tally: Tally,
    make: Callable[[], _R],
    play: Callable[[_R, Variant, Numbering], _Played],
    *,
    conventions: Conventions,
    plain: Callable[[Window], Iterable[_Played]] = lambda _: (),
) -> Generator[_Played, None, None]:
    """Yield the result of ``play`` for each record of a source, and report it to ``tally``.

    ``plain`` handles simple records of a binary source on the fast path.
    """
    files = _File(tally, make, play, conventions)
    with opened(source) as file:
        try:
            if not hasattr(file, "read1"):
                coming = Blocks(file)
                for block in coming:
                    yield from files.games(block, coming)
                return
            window = Window(cast(Bytes, file))
            yield from plain(window)
            while (rest := window.next_block()) is not None:
                yield from files.games(rest, window)
                yield from plain(window)
        except NotationError as error:
            tally.reject(Block(1, ""), GameRecord(), ReplayError(error, 0))


class _Peekable(Protocol):
    """Something that knows the text behind a block."""

    def peek(self, most: int, /) -> str:
        """Return the text of the next blocks, at most ``most`` characters."""


class _File(Generic[_R, _Played]):
    """Replays the records of a file block by block."""

    def __init__(
        self,
        tally: Tally,
        make: Callable[[], _R],
        play: Callable[[_R, Variant, Numbering], _Played],
        conventions: Conventions,
    ) -> None:
        self._tally = tally
        self._make = make
        self._play = play
        self._conventions = conventions

    def games(self, block: Block, following: _Peekable) -> Iterator[_Played]:
        """Yield the games of a block."""
        if block.is_overlong:
            error = NotationError(f"a game of at most {LONGEST_BLOCK} characters", block.text)
            self._tally.reject(block, GameRecord(), ReplayError(error, 0))
            return
        for record in walk(block.text, self._make, is_last=block.is_last):
            if self._conventions.needs_variant(record):
                self._recognise(block, record, following)
            try:
                played = self._played(record)
            except ReplayError as fault:
                self._tally.reject(block, record, fault)
            else:
                self._tally.approve(block, record)
                yield played

    def _recognise(self, block: Block, record: GameRecord, following: _Peekable) -> None:
        text = block.text[record.at :]
        found = recognise(text + following.peek(SAMPLE - len(text)), self._conventions.numbering)
        self._conventions.variant = found.variant
        self._tally.recognised = found
        self._tally.report(block, record, Finding(found, record.at, is_info=True))

    def _played(self, record: _R) -> _Played:
        """Replay a record, if need be as a game of another variant; raises ``ReplayError``."""
        known, numbering = len(record.findings), self._conventions.numbering
        try:
            return self._play(record, self._conventions.default, numbering)
        except ReplayError as fault:
            for other in alternatives(record, self._conventions):
                del record.findings[known:]
                with suppress(ReplayError):
                    played = self._play(record, other.variant, numbering)
                    record.findings.append(Finding(other, record.at, is_info=True))
                    return played
            raise fault
