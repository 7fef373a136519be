"""Where the brackets of a text close: no stretch of it is looked at twice, however they are nested."""

from __future__ import annotations

import re

_BRACKET = re.compile(r"\{[^{}]*\}|[(){}]")


class Brackets:
    """The round brackets of a text, those in comments apart."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[int, int] = {}
        self._braces: dict[int, int] = {}

    def end(self, begin: int) -> int | None:
        """The index behind the bracket that closes the one at ``begin``; None: it is not closed."""
        if begin not in self._ends and begin not in self._braces:
            self._look_from(begin)
        return self._ends[begin] or None

    def brace(self, begin: int) -> int | None:
        """Where a brace stands that no other belongs to, so that a bracket is not closed."""
        return self._braces.get(begin)

    def _look_from(self, begin: int) -> None:
        opened: list[int] = []
        at = begin
        while bracket := _BRACKET.search(self._text, at):
            at = bracket.end()
            match bracket[0]:
                case "(":
                    opened.append(at - 1)
                case ")":
                    self._ends[opened.pop()] = at
                    if not opened:
                        return
                case "{" | "}":
                    self._braces.update(dict.fromkeys(opened, at - 1))
                    break
        self._ends.update(dict.fromkeys(opened, 0))
