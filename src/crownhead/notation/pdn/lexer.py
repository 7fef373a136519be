"""From the text of some games to their tags, move texts and results; the moves are not understood here.

Comments, variations, move numbers, move strengths and NAGs are passed over. The grammar is that of
PDN 3.0 for reading, widened by what real files hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from crownhead.rules.errors import NotationError

_SQUARE = r"(?:\d{1,4}|[a-lA-L]\d{1,2})"
_TOKEN = re.compile(
    rf"""(?:\s|\\[rn])*(?:
      (?P<result>(?:1/2\s*[-–:]\s*1/2|½\s*[-–:]\s*½|(?:[012][-:]0|0[-:][12]|1[-:]1)(?![\d/])|1/2|½)(?!\s*[-:xX]\s*\d))
    | (?P<number>\d+\s*\.[.\s]*)
    | (?P<move>{_SQUARE}(?:\s*[-–:xX×]\s*{_SQUARE})+|(?:[a-lA-L]\d{{1,2}}){{2,}})
    | (?P<star>\*)
    | (?P<remark>\$\d+|[!?]+|\(\s*[!?]+\s*\)|\.)
    | (?P<comment>\{{[^{{}}]*\}})
    | (?P<variation>\()
    | (?P<tag>\[(?:\s*\[)*\s*(?P<name>[^\s"\]]*)\s*
          (?:"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]|(?P<loose>[^\n\]]*)\]?))
    | (?P<line>[%;][^\n]*)
    | (?P<setup>/\s*FEN\s*"(?P<fen>[^"\n]*)"\s*/)
    | (?P<end>\Z)
    | (?P<junk>\S)
    )""",
    re.VERBOSE,
)
_BRACKET = re.compile(r"\{[^{}]*\}|[(){}]")
_IDENTIFIER = re.compile(r"[A-Z][A-Za-z0-9_]*")
_ESCAPE = re.compile(r'\\(["\\])')
_GOES_ON = re.compile(r"\s*(?![\s\[*]|1\s*\.|\Z)")
_SPACE = re.compile(r"\s*")
_STRAY = re.compile(r"\S{1,20}")
_NEXT_RESULT = re.compile(r"(?<!\S)(?:\*|[012]-0|0-[12]|1-1|1/2-1/2)(?!\S)")


@dataclass(slots=True)
class Record:
    """What one game of a file says; ``moves`` are texts with the index where each begins."""

    at: int
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, int]] = field(default_factory=list)
    result: str = ""
    fault: NotationError | None = None
    fault_at: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing at all."""
        return not (self.tags or self.moves or self.result or self.fault)


def records(text: str) -> Iterator[Record]:
    """The games of ``text``, in order; one that cannot be read carries its ``fault``."""
    at = _skip(text, 0)
    while at < len(text):
        record = Record(at)
        at = _skip(text, _Scanner(text, record).scan(at))
        if record.fault is not None:
            following = _NEXT_RESULT.search(text, at)
            at = len(text) if following is None else _skip(text, following.end())
        if not record.is_empty:
            yield record


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


class _Scanner:
    """Reads one record from ``text``."""

    def __init__(self, text: str, record: Record) -> None:
        self._text = text
        self._record = record
        self._has_body = False

    def scan(self, at: int) -> int:
        """Read to the end of the record and return where that is."""
        text, moves = self._text, self._record.moves
        while match := _TOKEN.match(text, at):
            kind = match.lastgroup
            begin, at = match.start(kind or 0), match.end()
            if kind == "move":
                moves.append((match["move"], begin))
                self._has_body = True
            elif kind not in _PASSED_OVER:
                going, at = self._other(match, begin)
                if not going:
                    return at
        return at

    def _other(self, match: re.Match[str], begin: int) -> tuple[bool, int]:
        """Deal with a token that matters; whether the record goes on, and where reading does."""
        end = match.end()
        match match.lastgroup:
            case "tag":
                if self._has_body:
                    return False, begin
                self._tag(match)
            case "result":
                self._record.result = re.sub(r"\s", "", match["result"])
                return False, end
            case "star":
                if not self._is_strength(begin, end):
                    self._record.result = "*"
                    return False, end
            case "variation":
                return self._variation(begin)
            case "setup":
                return self._setup(match, begin)
            case "end":
                return False, len(self._text)
            case _:
                return self._fail("a move, a comment or a result", begin)
        return True, end

    def _tag(self, match: re.Match[str]) -> None:
        name = match["name"]
        value = match["value"]
        if value is None:
            value = match["loose"].strip().strip('"')
        if _IDENTIFIER.fullmatch(name):  # other names are met in old exports; they say nothing to us
            self._record.tags.setdefault(name, _ESCAPE.sub(r"\1", value))

    def _is_strength(self, begin: int, end: int) -> bool:
        """Whether ``*`` marks a forced move: it is glued to a move and the game goes on."""
        glued = begin > 0 and not self._text[begin - 1].isspace() and self._record.moves
        return bool(glued) and _GOES_ON.match(self._text, end) is not None

    def _variation(self, begin: int) -> tuple[bool, int]:
        depth, at = 0, begin
        while bracket := _BRACKET.search(self._text, at):
            at = bracket.end()
            depth += {"(": 1, ")": -1}.get(bracket[0], 0)
            if bracket[0] in "{}":
                return self._fail("comments that open and close", bracket.start())
            if depth == 0:
                return True, at
        return self._fail("a variation that closes", begin)

    def _setup(self, match: re.Match[str], begin: int) -> tuple[bool, int]:
        if self._record.moves:
            return self._fail("moves, the position being set up once only,", begin)
        self._record.tags["FEN"] = match["fen"]
        return True, match.end()

    def _fail(self, expected: str, begin: int) -> tuple[bool, int]:
        stray = _STRAY.match(self._text, begin)
        self._record.fault = NotationError(expected, stray[0] if stray else "the end")
        self._record.fault_at = begin
        return False, begin


_PASSED_OVER = frozenset({"number", "remark", "comment", "line"})
