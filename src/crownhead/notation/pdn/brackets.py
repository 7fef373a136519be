"""Finding matching brackets in linear time, however deeply they are nested."""

from __future__ import annotations

import re

_BRACKET = re.compile(r"\{[^{}]*\}|[(){}]")


class Brackets:
    """The round brackets of a text, ignoring those in comments."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[int, int] = {}
        self._braces: dict[int, int] = {}

    def end(self, begin: int) -> int | None:
        """Return the index after the bracket that closes the one at ``begin``; None if not closed."""
        if begin not in self._ends and begin not in self._braces:
            self._look_from(begin)
        return self._ends[begin] or None

    def brace(self, begin: int) -> int | None:
        """Return the index of an unmatched brace that prevents a bracket from closing, if any."""
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
