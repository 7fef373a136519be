"""Reading games from a file one by one: a bad game is reported, the others are yielded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass

from crownhead.notation.pdn.lexer import Record, records
from crownhead.notation.pdn.replay import Fault, game_of
from crownhead.notation.pdn.source import LONGEST_BLOCK, Block, Source, blocks, opened
from crownhead.rules.errors import CrownheadError, NotationError
from crownhead.rules.game import Game
from crownhead.rules.lookup import variant_of
from crownhead.rules.schema import Variant

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BadGame:
    """A game that could not be read: which (from 1), where in the file (from 1) and why."""

    number: int
    line: int
    column: int
    event: str
    cause: CrownheadError

    def __str__(self) -> str:
        """One sentence for people."""
        event = f" ({self.event})" if self.event else ""
        return f"game {self.number}{event}, line {self.line}, column {self.column}: {self.cause}"


class Reader(Iterator[Game]):
    """The good games of a source, in order; ``bad`` and ``good`` count as they go by.

    ``errors`` holds the bad ones unless they are handed to a callback.
    """

    def __init__(
        self,
        source: Source,
        *,
        variant: str | Variant = "american",
        on_error: Callable[[BadGame], object] | None = None,
    ) -> None:
        """``variant`` is that of games that do not name theirs. Raises ``UnknownVariant``."""
        self.errors: list[BadGame] = []
        self.good = 0
        self.bad = 0
        self._variant = variant_of(variant)
        self._on_error = on_error
        self._games = self._read(source)

    def __iter__(self) -> Reader:
        return self

    def __next__(self) -> Game:
        """The next good game; raises ``OSError`` where the file cannot be read."""
        return next(self._games)

    def close(self) -> None:
        """Stop reading and let go of the file."""
        self._games.close()

    def _read(self, source: Source) -> Generator[Game, None, None]:
        with opened(source) as file:
            try:
                for block in blocks(file):
                    yield from self._games_of(block)
            except NotationError as error:
                self._report(Block(1, ""), Record(0), 0, error)

    def _games_of(self, block: Block) -> Iterator[Game]:
        if block.is_overlong:
            error = NotationError(f"a game of at most {LONGEST_BLOCK} characters", block.text)
            self._report(block, Record(0), 0, error)
            return
        for record in records(block.text):
            try:
                game = game_of(record, self._variant)
            except Fault as fault:
                self._report(block, record, fault.at, fault.cause)
            else:
                self.good += 1
                yield game

    def _report(self, block: Block, record: Record, at: int, cause: CrownheadError) -> None:
        self.bad += 1
        bad = BadGame(
            number=self.good + self.bad,
            line=block.line + block.text.count("\n", 0, at),
            column=at - block.text.rfind("\n", 0, at),
            event=record.tags.get("Event", ""),
            cause=cause,
        )
        if self._on_error is not None:
            self._on_error(bad)
        else:
            self.errors.append(bad)
            _LOG.warning("%s", bad)


def read(
    source: Source,
    *,
    variant: str | Variant = "american",
    on_error: Callable[[BadGame], object] | None = None,
) -> Reader:
    """The games of a PDN file, one after the other, however many there are.

    ``source`` is a path (``.gz`` is unpacked), an open file or PDN text; ``variant`` that of games
    that do not name theirs. A bad game is handed to ``on_error``, else kept in the reader's ``errors``
    and logged. Games come with the draw rules ``none`` and the result that is recorded. Raises
    ``UnknownVariant``, and ``OSError`` on reading.
    """
    return Reader(source, variant=variant, on_error=on_error)
