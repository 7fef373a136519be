"""The conditions of ``pdn filter``, created from its options, cheapest first."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import islice

from crownhead.cli.games.entries import Date, Entry, date_of
from crownhead.cli.games.opening import Openings
from crownhead.rules.errors import CrownheadError
from crownhead.rules.lookup import AUTO
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, Variant
from crownhead.rules.variants import VARIANTS

_DATE = re.compile(r"\d{4}(?:[.\-/]\d{1,2}){0,2}", re.ASCII)
_MAX_STARTS = 1000  # start positions for which the line is cached
_BETWEEN = re.compile(r"[.\-/]")

Condition = Callable[[Entry], bool]


class Ending(StrEnum):
    """A result to filter by."""

    FIRST = "1-0"  # the side that begins the variant has won
    SECOND = "0-1"
    DRAW = "draw"
    BLACK = "black"
    WHITE = "white"
    UNKNOWN = "unknown"

    def is_of(self, entry: Entry) -> bool:
        """Whether a game has this result, as recorded."""
        match self:
            case Ending.FIRST:
                return entry.share == 1.0
            case Ending.SECOND:
                return entry.share == 0.0
            case Ending.DRAW:
                return entry.share == 0.5
            case Ending.UNKNOWN:
                return entry.share is None
        return entry.winner is Colour(self.value)


def conditions_of(arguments: argparse.Namespace) -> list[Condition]:
    """Return the conditions to meet; raises ``CrownheadError`` for an invalid position or line."""
    return [*_of_tags(arguments), *_of_length(arguments), *_of_play(arguments)]


def _of_tags(arguments: argparse.Namespace) -> Iterator[Condition]:
    if arguments.player:
        yield lambda entry: _names(arguments.player, entry.tag("White"), entry.tag("Black"))
    if arguments.white:
        yield lambda entry: _names(arguments.white, entry.tag("White"))
    if arguments.black:
        yield lambda entry: _names(arguments.black, entry.tag("Black"))
    if arguments.event:
        yield lambda entry: _names(arguments.event, entry.tag("Event"))
    if arguments.year:
        yield lambda entry: entry.date[:1] in [(year,) for year in arguments.year]
    if arguments.begin:
        yield lambda entry: bool(entry.date) and _is_from(entry.date, arguments.begin)
    if arguments.end:
        yield lambda entry: bool(entry.date) and _is_from(arguments.end, entry.date)
    if arguments.result:
        yield lambda entry: any(ending.is_of(entry) for ending in arguments.result)
    if arguments.variant:
        yield lambda entry: entry.variant is not None and entry.variant.key in arguments.variant


def _of_length(arguments: argparse.Namespace) -> Iterator[Condition]:
    if arguments.min_moves is not None:
        yield lambda entry: entry.length >= arguments.min_moves
    if arguments.max_moves is not None:
        yield lambda entry: entry.length <= arguments.max_moves


def _of_play(arguments: argparse.Namespace) -> Iterator[Condition]:
    likely = arguments.variant or (list(VARIANTS) if arguments.assume == AUTO else [arguments.assume])
    if arguments.moves:
        yield _Beginning(arguments.moves.split(), likely)
    if arguments.opening:
        openings = Openings()
        yield lambda entry: _names(arguments.opening, openings.of(entry))
    if arguments.position:
        yield _Reached(arguments.position, likely)
    if arguments.valid:
        yield lambda entry: entry.is_legal


def date(text: str) -> Date:
    """Parse a date such as ``1999``, ``1999-08`` or ``1999.08.12``."""
    parts = date_of(text)
    if not _DATE.fullmatch(text) or len(parts) != len(_BETWEEN.split(text)) or parts > (parts[0], 12, 31):
        raise argparse.ArgumentTypeError(f"expected a date such as 1999, 1999-08 or 1999-08-12, got {text!r}")
    return parts


def ending(text: str) -> Ending:
    """Parse a result."""
    termination = _SYNONYMS.get(text.lower())
    if termination is not None:
        return termination
    try:
        return Ending(text.lower())
    except ValueError:
        known = ", ".join(Ending)
        raise argparse.ArgumentTypeError(f"expected one of {known}, got {text!r}") from None


def _names(wanted: Sequence[str], *names: str) -> bool:
    return any(part.casefold() in name.casefold() for part in wanted for name in names)


def _is_from(later: Date, earlier: Date) -> bool:
    """Whether ``later`` is not before ``earlier``, as far as both are known."""
    known = min(len(later), len(earlier))
    return later[:known] >= earlier[:known]


_SYNONYMS = {
    "2-0": Ending.FIRST,
    "0-2": Ending.SECOND,
    "1/2-1/2": Ending.DRAW,
    "1/2": Ending.DRAW,
    "1-1": Ending.DRAW,
    "*": Ending.UNKNOWN,
}


class _Beginning:
    """The condition that a game begins with a line of moves, in any notation."""

    def __init__(self, moves: Sequence[str], likely: Sequence[str]) -> None:
        """Raises ``CrownheadError`` if the line is illegal in all of the ``likely`` variants."""
        self._moves = moves
        self._line = lru_cache(_MAX_STARTS)(self._played)
        _of_any(likely, lambda key: _line(Position.start(key), moves))

    def __call__(self, entry: Entry) -> bool:
        if len(entry.steps) < len(self._moves):
            return False
        beginning = list(islice(entry.positions(), len(self._moves) + 1))
        return bool(beginning) and self._line(beginning[0]) == beginning[1:]

    def _played(self, start: Position) -> list[Position] | None:
        try:
            return _line(start, self._moves)
        except CrownheadError:
            return None


class _Reached:
    """The condition that a position occurs in a game; king runs are ignored."""

    def __init__(self, fen: str, likely: Sequence[str]) -> None:
        """Raises ``CrownheadError`` if the FEN is invalid in all of the ``likely`` variants."""
        self._fen = fen
        self._wanted = cache(self._read)
        _of_any(likely, lambda key: Position.from_fen(fen, key))

    def __call__(self, entry: Entry) -> bool:
        wanted = None if entry.variant is None else self._wanted(entry.variant)
        if wanted is None:
            return False
        if wanted.variant.rules.king_run:
            return any(_shows(position) == _shows(wanted) for position in entry.positions())
        return any(position == wanted for position in entry.positions())

    def _read(self, variant: Variant) -> Position | None:
        try:
            return Position.from_fen(self._fen, variant)
        except CrownheadError:
            return None


def _shows(position: Position) -> tuple[object, ...]:
    return position.turn, position.pieces


def _of_any(keys: Sequence[str], attempt: Callable[[str], object]) -> None:
    """Try an action for each variant; raise the first error if it fails for all."""
    first: CrownheadError | None = None
    for key in keys:
        try:
            attempt(key)
        except CrownheadError as error:
            first = first or error
        else:
            return
    if first is not None:
        raise first


def _line(start: Position, moves: Sequence[str]) -> list[Position]:
    line, position = [], start
    for text in moves:
        position = position.play(text)
        line.append(position)
    return line
