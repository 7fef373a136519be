"""Tables and bars of characters, and texts from files made fit for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


def table(heading: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """The lines of a table, its columns as wide as they must be; those in ``right`` end flush."""
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    lines = []
    for row in (heading, *rows):
        cells = [
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def bar(count: int, most: int, *, width: int = 40) -> str:
    """A bar of up to ``width`` characters; something is seen of whatever is not nothing."""
    length = round(width * count / most) if most else 0
    return _block() * max(length, count > 0)


def printable(text: str) -> str:
    """A text of a file without what a terminal would obey instead of showing."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _UNSEEN for letter in text)


def clipped(text: str, width: int) -> str:
    """The text, or its beginning with an ellipsis, in at most ``width`` characters."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def percent(part: int, whole: int) -> str:
    """``12.5%``; nothing of nothing is a dash."""
    return f"{100 * part / whole:.1f}%" if whole else "–"


def _block() -> str:
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "#"
    return "█"
