"""The PDN lexer, which calls a visitor for each token; moves are not parsed here.

The grammar is that of PDN 3.0 for reading, extended for real files; where a record deviates from the
standard but can be read, the visitor gets a warning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from crownhead.notation.pdn.brackets import Brackets
from crownhead.notation.pdn.visitor import Visitor
from crownhead.rules.errors import NotationError

DEEPEST = 24  # nesting of variations; the deepest found in practice is 7
MAX_MOVES = 20_000  # in one record, with its variations
MAX_TAGS = 1_000

_V = TypeVar("_V", bound=Visitor)

_SQUARE = r"(?:\d{1,4}|[a-lA-L]\d{1,2})"
_WORD = r"[^\W\d_]+(?!\w)"
_TOKEN = re.compile(
    rf"""(?:\s|\\[rn])*(?:
      (?P<result>(?:1/2\s*[-–:]\s*1/2|½\s*[-–:]\s*½|(?:[012][-:]0|0[-:][12]|1[-:]1)(?![\d/])|1/2|½)(?!\s*[-:xX]\s*\d))
    | (?P<number>\d+\s*\.[.\s]*)
    | (?P<move>{_SQUARE}(?:\s*[-–:xX×]\s*{_SQUARE})+|(?:[a-lA-L]\d{{1,2}}){{2,}}
          |[a-lA-L][:xX]?[a-lA-L]\d{{1,2}})
    | (?P<star>\*)
    | (?P<strength>[!?]+|\(\s*[!?]+\s*\))
    | (?P<nag>\$\d+)
    | (?P<dot>\.)
    | (?P<unknown>-\s*-)
    | (?P<comment>\{{[^{{}}]*\}})
    | (?P<variation>\()
    | (?P<tag>\[(?:\s*\[)*\s*(?P<name>[^\s"\]]*)\s*
          (?:"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]|(?P<loose>[^\n\]]*)\]?))
    | (?P<line>[%;][^\n]*)
    | (?P<words>{_WORD}(?:[\s,;.'’-]+{_WORD})*[.,;]*)
    | (?P<setup>/\s*FEN\s*"(?P<fen>[^"\n]*)"\s*/)
    | (?P<end>\Z)
    | (?P<junk>\S)
    )""",
    re.VERBOSE,
)
_IDENTIFIER = re.compile(r"[A-Z][A-Za-z0-9_]*")
_ESCAPE = re.compile(r'\\(["\\])')
_GOES_ON = re.compile(r"\s*(?![\s\[*]|1\s*\.|\Z)")
_SPACE = re.compile(r"\s*")
_STRAY = re.compile(r"\S{1,20}")
_TWO_LETTERS = re.compile(r"[^\W\d_]{2}")
_NEXT_RESULT = re.compile(r"(?<!\S)(?:\*|[012]-0|0-[12]|1-1|1/2-1/2)(?!\S)")


def walk(text: str, make: Callable[[], _V], *, is_last: bool = True) -> Iterator[_V]:
    """Yield a visitor made by ``make`` for each game of ``text``, in order.

    ``is_last``: no game follows, so the last one does not need a result.
    """
    at, brackets = _skip(text, 0), Brackets(text)
    while at < len(text):
        visitor = make()
        scanner = _Scanner(text, visitor, brackets, is_last=is_last)
        at = _skip(text, scanner.scan(at))
        if scanner.failed:
            following = _NEXT_RESULT.search(text, at)
            at = len(text) if following is None else _skip(text, following.end())
        if scanner.has_content:
            yield visitor


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


class _Scanner:
    """Reads one record from ``text``."""

    def __init__(self, text: str, visitor: Visitor, brackets: Brackets, *, is_last: bool) -> None:
        self.failed = False
        self.has_content = False  # whether the record has any content
        self._text = text
        self._visitor = visitor
        self._brackets = brackets
        self._is_last = is_last
        self._moves = 0
        self._tags = 0
        self._depth = 0
        self._is_gapped = False  # whether an unknown move has been skipped
        self._number = -1  # index of a move number without a move so far

    def scan(self, at: int) -> int:
        """Read to the end of the record and return its index."""
        text, on_move, begun, moves = self._text, self._visitor.move, at, 0
        self._visitor.begin(at)
        while match := _TOKEN.match(text, at):
            kind = match.lastgroup
            begin, at = match.start(kind or 0), match.end()
            if kind == "move":
                on_move(match["move"], begin)
                self._number = -1
                self._moves = moves = moves + 1
            elif kind == "number":
                self._number = -1 if ".." in match["number"] else begin
            else:
                going, at = self._other(match, begin)
                if not going:
                    break
        self.has_content = self.has_content or moves > 0
        if moves > MAX_MOVES and not self.failed:
            self._fail(f"a game of at most {MAX_MOVES} moves", begun)
        self._visitor.end(at)
        return at

    def _other(self, match: re.Match[str], begin: int) -> tuple[bool, int]:
        """Handle a token other than a move; return whether the record continues, and the next index."""
        end, kind = match.end(), match.lastgroup or ""
        if kind in _REMARKS:
            self._remark(kind, match[kind], begin)
            return True, end
        match kind:
            case "tag":
                return self._tag(match, begin)
            case "result":
                return self._result(re.sub(r"\s", "", match["result"]), begin, end)
            case "star":
                return self._star(begin, end)
            case "variation":
                return self._variation(begin)
            case "setup":
                return self._setup(match, begin)
            case "end":
                return self._end(begin)
            case "words" if self._is_remark(match["words"]):
                error = NotationError("a move, or a remark in braces", match["words"])
                self._visitor.warn(error, begin)
                self._visitor.comment(match["words"], begin)
                return True, end
            case "junk" if self._depth and match["junk"] == ")":
                self._depth -= 1
                self._visitor.end_variation(begin)
                return True, end
        return self._fail(_EXPECTED.get(match["junk"], "a move, a comment or a result"), begin)

    def _remark(self, kind: str, token: str, begin: int) -> None:
        visitor = self._visitor
        match kind:
            case "comment":
                visitor.comment(token[1:-1], begin)
            case "line":
                if token[1:].strip():
                    visitor.comment(token[1:].translate(_BRACES), begin)
            case "strength":
                visitor.strength(token.strip("() \t\r\n"), begin)
            case "nag":
                visitor.nag(int(token[1:5]), begin)
            case "unknown":
                self._number = -1
                self.has_content = True
                if not self._is_gapped:
                    self._warn("a known move", begin)
                self._is_gapped = True
                visitor.comment(token, begin)
            case _:
                self._warn("no isolated full stop", begin)

    def _is_remark(self, words: str) -> bool:
        """Whether bare words, such as *White resigns*, stand in a game; a single letter is a misprint."""
        return (self.has_content or self._moves > 0) and _TWO_LETTERS.search(words) is not None

    def _tag(self, match: re.Match[str], begin: int) -> tuple[bool, int]:
        if self._moves:
            self._close(begin, is_ended=False)
            return False, begin
        self._tags += 1
        if self._tags > MAX_TAGS:
            return self._fail(f"a game of at most {MAX_TAGS} tags", begin)
        name, value = match["name"], match["value"]
        if value is None:
            value = match["loose"].strip().strip('"')
            self._warn("""a tag such as '[Event "Final"]'""", begin)
        if _IDENTIFIER.fullmatch(name):  # other names occur in old exports and are ignored
            self.has_content = True
            self._visitor.tag(name, _ESCAPE.sub(r"\1", value), begin)
        return True, match.end()

    def _result(self, text: str, begin: int, end: int) -> tuple[bool, int]:
        if self._depth:  # in a variation it is a comment
            self._visitor.comment(text, begin)
            return True, end
        self.has_content = True
        self._close(begin, is_ended=True)
        self._visitor.result(text, begin)
        return False, end

    def _star(self, begin: int, end: int) -> tuple[bool, int]:
        """Handle ``*``, which ends the game, or marks a forced move if it directly follows one."""
        glued = self._moves > 0 and not self._text[begin - 1].isspace()
        if self._depth or (glued and _GOES_ON.match(self._text, end) is not None):
            self._visitor.nag(_FORCED, begin)
            return True, end
        return self._result("*", begin, end)

    def _variation(self, begin: int) -> tuple[bool, int]:
        end = self._closing(begin)
        if isinstance(end, tuple):
            return end
        if not self._visitor.wants_variations:
            return True, end
        if self._is_prose(begin + 1, end - 1):
            prose = self._text[begin + 1 : end - 1].translate(_BRACES)
            self._visitor.comment(prose, begin)
            return True, end
        if self._depth == DEEPEST:
            return self._fail(f"variations at most {DEEPEST} deep", begin)
        self._depth += 1
        self._number = -1
        self._visitor.begin_variation(begin)
        return True, begin + 1

    def _closing(self, begin: int) -> int | tuple[bool, int]:
        """Return the end of a bracket, or the result of a failure if it is not closed."""
        end = self._brackets.end(begin)
        if end is not None:
            return end
        brace = self._brackets.brace(begin)
        if brace is not None:
            return self._fail("comments that open and close", brace)
        return self._fail("a variation that closes", begin)

    def _is_prose(self, begin: int, end: int) -> bool:
        """Whether a bracket contains words instead of moves."""
        at = begin
        while match := _TOKEN.match(self._text, at, end):
            if match.lastgroup in ("junk", "tag", "words"):
                return True
            if match.lastgroup == "end":
                return False
            at = match.end()
            if match.lastgroup == "variation":
                inner = self._brackets.end(at - 1)
                if inner is None:
                    return True
                at = inner
        return False

    def _setup(self, match: re.Match[str], begin: int) -> tuple[bool, int]:
        try:
            self._visitor.setup(match["fen"], begin)
        except NotationError as error:
            return self._fail(error.expected, begin)
        self.has_content = True
        return True, match.end()

    def _end(self, begin: int) -> tuple[bool, int]:
        if self._depth:
            return self._fail("a variation that closes", begin)
        self._close(begin, is_ended=self._is_last)
        return False, len(self._text)

    def _close(self, begin: int, *, is_ended: bool) -> None:
        if self._number >= 0:
            self._warn("a move after its number", self._number)
        if self._moves and not is_ended:
            self._warn("a result or '*' between games", begin)

    def _warn(self, expected: str, begin: int) -> None:
        self._visitor.warn(self._error(expected, begin), begin)

    def _fail(self, expected: str, begin: int) -> tuple[bool, int]:
        self.failed = self.has_content = True
        self._visitor.fail(self._error(expected, begin), begin)
        return False, begin

    def _error(self, expected: str, begin: int) -> NotationError:
        stray = _STRAY.match(self._text, begin)
        return NotationError(expected, stray[0] if stray else "the end")


_REMARKS = frozenset({"comment", "line", "strength", "nag", "unknown", "dot"})
_FORCED = 7  # the NAG
_EXPECTED = {"{": "a comment that closes, without braces in it"}  # instead of a stray character
_BRACES = str.maketrans("{}", "()")
