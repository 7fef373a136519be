"""The games of an input one by one, each with its text and its properties."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property

from crownhead.cli.sources import InputFile
from crownhead.notation.pdn import results
from crownhead.notation.pdn.conventions import Conventions
from crownhead.notation.pdn.game_type import variant_from_tags
from crownhead.notation.pdn.lexer import walk
from crownhead.notation.pdn.recognition import SAMPLE, VariantRecognised, recognise, variant_for
from crownhead.notation.pdn.replay import ReplayError, Steps, choose, ended, game_of, start_of
from crownhead.notation.pdn.source import LONGEST_BLOCK, Blocks
from crownhead.notation.pdn.visitor import GameRecord
from crownhead.rules.errors import CrownheadError, NotationError
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, Variant

_YEAR_FIRST = re.compile(r"(\d{4})(?:[.\-/](\d{1,2})(?:[.\-/](\d{1,2}))?)?")
_YEAR_LAST = re.compile(r"(?:(\d{1,2})[.\-/])?(\d{1,2})[.\-/](\d{4})(?!\d)")
_DATES = ("Date", "UTCDate", "EventDate")

Date = tuple[int, ...]  # year, month and day, as far as known


class Entry:
    """A game of a file; its moves are replayed only when needed."""

    def __init__(self, record: GameRecord, text: str, line: int, conventions: Conventions) -> None:
        """``text`` is its original text, which starts at ``line``.

        Bytes that are not UTF-8 are escaped (PEP 383).
        """
        self.record = record
        self.text = text
        self.line = line
        self.conventions = conventions
        self._default = variant_for(record, conventions)

    @property
    def proper_text(self) -> str:
        """The text, with bytes that are not UTF-8 decoded as Latin-1."""
        return _proper(self.text)

    def tag(self, name: str) -> str:
        """Return the value of a tag on one line, empty if it is missing or unknown."""
        value = " ".join(_proper(self.record.tags.get(name, "")).split())
        return "" if value == "?" else value

    @cached_property
    def variant(self) -> Variant | None:
        """The variant; None if the game names an unknown one."""
        try:
            return variant_from_tags(self.record.tags, self._default)
        except CrownheadError:
            return None

    @cached_property
    def steps(self) -> Steps:
        """The moves as text."""
        return ended(self.record)[0]

    @property
    def length(self) -> int:
        """The number of moves, where one by each side is a move and a last half move counts as one."""
        return (len(self.steps) + 1) // 2

    @property
    def share(self) -> float | None:
        """The recorded score of the side that begins the variant, from 0 to 1, or None."""
        by_tag = results.meaning(self._result)
        return results.meaning(self.record.terminator) if by_tag is None else by_tag

    @property
    def both_lost(self) -> bool:
        """Whether the game is recorded as lost by both sides."""
        return self.share is None and results.BOTH_LOST in (self._result, self.record.terminator)

    @property
    def winner(self) -> Colour | None:
        """The winner, if there is one and the variant is known."""
        if self.variant is None or self.share not in (0.0, 1.0):
            return None
        first = self.variant.start.first
        return first if self.share == 1.0 else first.opponent

    @property
    def date(self) -> Date:
        """The year, with month and day if given; empty if unknown."""
        return next(filter(None, (date_of(self.tag(name)) for name in _DATES)), ())

    @property
    def has_setup(self) -> bool:
        """Whether the game has its own start position."""
        return bool(self.record.tags.get("FEN", "").strip())

    def positions(self) -> Iterator[Position]:
        """Yield the positions in order, as far as the game can be read."""
        try:
            numbering = self.conventions.numbering
            position = start_of(self.record, self._default, numbering)
            yield position
            index = 0
            while index < len(self.steps):
                move, used = choose(position, self.steps, index, [], numbering)
                position = position.play(move)
                yield position
                index += used
        except ReplayError:
            return

    @property
    def is_legal(self) -> bool:
        """Whether the whole game is legal."""
        try:
            game_of(self.record, self._default, self.conventions.numbering)
        except ReplayError:
            return False
        return True

    @property
    def _result(self) -> str:
        return self.record.tags.get("Result", "").strip()


def entries(
    file: InputFile, conventions: Conventions, on_recognised: Callable[[VariantRecognised], object]
) -> Iterator[Entry]:
    """Yield the games of an input; their texts together are the input without its byte order mark.

    ``on_recognised`` is called with the variant of games that do not name theirs, if it is recognised. Raises
    ``NotationError`` if the input is not text or a game is too long, ``Unreadable`` on read errors.
    """
    unclaimed = ""  # text before the first game, or between two in a block of its own
    coming = Blocks(_Escaped(file))
    for block in coming:
        if block.is_overlong:
            expected = f"a game of at most {LONGEST_BLOCK} characters at line {block.line}"
            raise NotationError(expected, block.text)
        begins = [(record.at, record) for record in walk(block.text, GameRecord, is_last=block.is_last)]
        if not begins:
            unclaimed += block.text
            continue
        ends = [at for at, _ in begins[1:]] + [len(block.text)]
        begin, line = 0, block.line - unclaimed.count("\n")
        for (_, record), end in zip(begins, ends, strict=True):
            text = unclaimed + block.text[begin:end]
            if conventions.needs_variant(record):
                rest = block.text[record.at :]
                found = recognise(rest + coming.peek(SAMPLE - len(rest)), conventions.numbering)
                conventions.variant = found.variant
                on_recognised(found)
            yield Entry(record, text, line, conventions)
            begin, line, unclaimed = end, line + text.count("\n"), ""


def date_of(text: str) -> Date:
    """Parse a date such as ``1999.08.??``, ``1999-08-12`` or ``12.08.1999``; empty if there is none."""
    match = _YEAR_FIRST.match(text)
    if match is not None:
        parts = match.groups()
    else:
        turned = _YEAR_LAST.match(text)
        if turned is None:
            return ()
        parts = (turned[3], turned[2], turned[1])
    known: list[int] = []
    for part in parts:
        if part is None or int(part) == 0:
            break
        known.append(int(part))
    return tuple(known)


class _Escaped:
    """The lines of a file as text that can be converted back to the same bytes."""

    def __init__(self, file: InputFile) -> None:
        self._feed = file

    def readline(self, size: int, /) -> str:
        return self._feed.readline(size).decode("utf-8", "surrogateescape")


def _proper(text: str) -> str:
    """Decode escaped bytes as Latin-1, the encoding of PDN 2.0."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text
