"""Text tables and bars, and cleaning text for the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

_UNSEEN = "\N{REPLACEMENT CHARACTER}"


def table(heading: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> list[str]:
    """Return the lines of a table; the columns in ``right`` are right-aligned."""
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
    """Return a bar of up to ``width`` characters, at least one if ``count`` is positive."""
    length = round(width * count / most) if most else 0
    return _block() * max(length, count > 0)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, such as *1 game* or *20 games*."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def printable(text: str) -> str:
    """Replace control characters, which a terminal would interpret."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else _UNSEEN for letter in text)


def clipped(text: str, width: int) -> str:
    """Shorten a text to ``width`` characters, with an ellipsis."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def percent(part: int, whole: int) -> str:
    """Format a percentage, ``12.5%``, or a dash if ``whole`` is 0."""
    return f"{100 * part / whole:.1f}%" if whole else "–"


def _block() -> str:
    try:
        "█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "#"
    return "█"
