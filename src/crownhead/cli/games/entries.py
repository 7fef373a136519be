"""The records of an input one by one, with the text that each stands in and what can be asked of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from crownhead.cli.sources import InputFile
from crownhead.notation.pdn import results
from crownhead.notation.pdn.game_type import variant_from_tags
from crownhead.notation.pdn.lexer import walk
from crownhead.notation.pdn.replay import ReplayError, Steps, choose, ended, game_of, start_of
from crownhead.notation.pdn.source import LONGEST_BLOCK, blocks
from crownhead.notation.pdn.visitor import GameRecord
from crownhead.rules.errors import CrownheadError, NotationError
from crownhead.rules.position import Position
from crownhead.rules.schema import Colour, Variant

_YEAR_FIRST = re.compile(r"(\d{4})(?:[.\-/](\d{1,2})(?:[.\-/](\d{1,2}))?)?")
_YEAR_LAST = re.compile(r"(?:(\d{1,2})[.\-/])?(\d{1,2})[.\-/](\d{4})(?!\d)")
_DATES = ("Date", "UTCDate", "EventDate")

Date = tuple[int, ...]  # year, month, day, as far as they are known


class Entry:
    """A record of a file; its moves are replayed only when something is asked that needs them."""

    def __init__(self, record: GameRecord, text: str, line: int, default: Variant) -> None:
        """``text``, from ``line`` on, is all of it as it stands.

        Bytes that are not UTF-8 are escaped (PEP 383).
        """
        self.record = record
        self.text = text
        self.line = line
        self._default = default

    @property
    def proper_text(self) -> str:
        """The text, what is not UTF-8 being read as Latin-1."""
        return _proper(self.text)

    def tag(self, name: str) -> str:
        """The value of a tag, on one line; nothing where it is missing or not known."""
        value = " ".join(_proper(self.record.tags.get(name, "")).split())
        return "" if value == "?" else value

    @cached_property
    def variant(self) -> Variant | None:
        """Its variant; None if it names one that is not known."""
        try:
            return variant_from_tags(self.record.tags, self._default)
        except CrownheadError:
            return None

    @cached_property
    def steps(self) -> Steps:
        """The texts of its moves."""
        return ended(self.record)[0]

    @property
    def length(self) -> int:
        """How many moves it has; one by each side makes a move, and one that is half made counts."""
        return (len(self.steps) + 1) // 2

    @property
    def share(self) -> float | None:
        """What the side that begins the variant won of the game, from 0 to 1, as recorded."""
        by_tag = results.meaning(self._result)
        return results.meaning(self.record.terminator) if by_tag is None else by_tag

    @property
    def both_lost(self) -> bool:
        """Whether it is recorded as lost for both sides."""
        return self.share is None and results.BOTH_LOST in (self._result, self.record.terminator)

    @property
    def winner(self) -> Colour | None:
        """The side that won, where the variant is known and a side did."""
        if self.variant is None or self.share not in (0.0, 1.0):
            return None
        first = self.variant.start.first
        return first if self.share == 1.0 else first.opponent

    @property
    def date(self) -> Date:
        """The year, and the month and day where they are given; empty where nothing is."""
        return next(filter(None, (date_of(self.tag(name)) for name in _DATES)), ())

    @property
    def has_setup(self) -> bool:
        """Whether it begins elsewhere than at the start of its variant."""
        return bool(self.record.tags.get("FEN", "").strip())

    def positions(self) -> Iterator[Position]:
        """Its positions in order, up to where it cannot be read."""
        try:
            position = start_of(self.record, self._default)
            yield position
            index = 0
            while index < len(self.steps):
                move, used = choose(position, self.steps, index, [])
                position = position.play(move)
                yield position
                index += used
        except ReplayError:
            return

    @property
    def is_legal(self) -> bool:
        """Whether it can be read as a game."""
        try:
            game_of(self.record, self._default)
        except ReplayError:
            return False
        return True

    @property
    def _result(self) -> str:
        return self.record.tags.get("Result", "").strip()


def entries(file: InputFile, default: Variant) -> Iterator[Entry]:
    """The records of an input; their texts put together are the input but for a byte order mark.

    Raises ``NotationError`` if it is no text or a record is overlong, ``Unreadable`` on reading.
    """
    unclaimed = ""  # what stands before the first record, or between two in a block of its own
    for block in blocks(_Escaped(file)):
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
            yield Entry(record, text, line, default)
            begin, line, unclaimed = end, line + text.count("\n"), ""


def date_of(text: str) -> Date:
    """The date in a text such as ``1999.08.??``, ``1999-08-12`` or ``12.08.1999``; empty if there is none."""
    found = _YEAR_FIRST.match(text)
    if found is not None:
        parts = found.groups()
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
    """The lines of a file as text that can be turned back into the same bytes."""

    def __init__(self, file: InputFile) -> None:
        self._feed = file

    def readline(self, size: int, /) -> str:
        return self._feed.readline(size).decode("utf-8", "surrogateescape")


def _proper(text: str) -> str:
    """A text whose escaped bytes are read as Latin-1, which PDN 2.0 was written in."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    return text
