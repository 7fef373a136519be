"""Statistics of games as files: an SVG chart or a CSV table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape

from crownhead.cli.games.figures import Figures
from crownhead.cli.games.report import periods, sides
from crownhead.cli.games.tally import Score
from crownhead.cli.tables import clipped, counted, percent, printable

_WIDTH, _MARGIN, _GAP = 960, 24, 36  # units
_NAMES = 250  # width of the labels to the left of bars
_ROW = 24
_COLUMNS = 220  # height of column charts
_TOP = 12  # maximum number of openings and players
_LONGEST_NAME = 34
_INK, _FAINT, _PAPER = "#26323a", "#8a949b", "#ffffff"
_FIRST, _DRAWN, _SECOND, _UNKNOWN, _PLAIN = "#a8322a", "#c9b67c", "#31597a", "#d9d9d9", "#4f7a5b"
_HEADING = ("table", "name", "games", "first_wins", "draws", "second_wins")


def csv_table(figures: Figures) -> str:
    """Return all counts as CSV: table, name, games and results.

    For players, ``first_wins`` are their wins and ``second_wins`` their losses.
    """
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_HEADING)
    rows.writerow(_row("all", "games", figures.score))
    rows.writerows(("length", f"{low}-{high}", games, "", "", "") for low, high, games in figures.bins())
    for table, scores in (
        ("year", figures.by_year()),
        ("variant", figures.variants.by_games()),
        ("opening", figures.openings.by_games()),
        ("player", figures.players.by_games()),
        ("event", figures.events.by_games()),
    ):
        rows.writerows(_row(table, name, score) for name, score in scores)
    return text.getvalue()


def _row(table: str, name: str, score: Score) -> tuple[object, ...]:
    return table, printable(name), score.games, score.wins, score.draws, score.losses


def svg(figures: Figures) -> str:
    """Return results, lengths, years, openings and players as an SVG chart."""
    first, second = sides(figures)
    sheet = _Sheet()
    sheet.title(counted(figures.games, "game"))
    if figures.games:
        sheet.legend(
            ((_FIRST, f"{first} won"), (_DRAWN, "drawn"), (_SECOND, f"{second} won"), (_UNKNOWN, "unknown"))
        )
        sheet.shares("Results", [("all games", figures.score), *figures.variants.by_games()[:_TOP]])
        lengths = [(f"{low}–{high}", games) for low, high, games in figures.bins()]
        sheet.columns("Lengths in moves", lengths)
        sheet.columns("Years", [(name, score.games) for name, score in periods(figures)])
        sheet.shares("Openings", figures.openings.by_games()[:_TOP])
        sheet.shares("Players (won, drawn, lost)", figures.players.by_games()[:_TOP])
    return sheet.document()


class _Sheet:
    """An SVG document built from top to bottom."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._words: list[str] = []
        self._y = _MARGIN

    def title(self, text: str) -> None:
        self._y += 22
        self._parts.append(_text(_MARGIN, self._y, text, size=22, weight="bold"))
        self._words.append(text)
        self._y += _ROW // 2

    def legend(self, entries: Sequence[tuple[str, str]]) -> None:
        self._y += _ROW
        for index, (colour, text) in enumerate(entries):
            x = _MARGIN + index * 150
            self._parts.append(_bar(x, self._y - 11, 12, 12, colour))
            self._parts.append(_text(x + 18, self._y, text))

    def shares(self, heading: str, rows: Sequence[tuple[str, Score]]) -> None:
        """Add a bar for each row, divided by result."""
        if not rows:
            return
        self._head(heading)
        most = max(score.games for _, score in rows)
        for name, score in rows:
            self._y += _ROW
            self._parts.append(_text(_MARGIN + _NAMES - 10, self._y - 6, _fit(name), anchor="end"))
            x = float(_MARGIN + _NAMES)
            for colour, count in _cut(score):
                length = count * (_WIDTH - _NAMES - 2 * _MARGIN - 70) / most
                if count:
                    note = f"{name}: {count} of {score.games} ({percent(count, score.games)})"
                    self._parts.append(_bar(x, self._y - 19, length, _ROW - 6, colour, note))
                x += length
            self._parts.append(_text(x + 6, self._y - 6, str(score.games), colour=_FAINT))

    def columns(self, heading: str, rows: Sequence[tuple[str, int]]) -> None:
        """Add a column chart."""
        if not rows:
            return
        self._head(heading)
        most, pitch = max(count for _, count in rows), (_WIDTH - 2 * _MARGIN) / max(len(rows), 8)
        base, every = self._y + _COLUMNS, 1 + len(rows) // 18
        for index, (name, count) in enumerate(rows):
            x, height = _MARGIN + index * pitch, count * (_COLUMNS - 30) / (most or 1)
            self._parts.append(_bar(x + 1, base - height, pitch - 2, height, _PLAIN, f"{name}: {count}"))
            middle = x + pitch / 2
            if index % every == 0:
                self._parts.append(_text(middle, base + 16, name, anchor="middle", size=11))
                self._parts.append(
                    _text(middle, base - height - 5, str(count), anchor="middle", size=11, colour=_FAINT)
                )
        self._y = base + 16

    def document(self) -> str:
        height = round(self._y + _MARGIN)
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDTH} {height}" '
                f'font-family="system-ui, sans-serif">',
                f"<title>{escape(self._words[0])}</title>",
                f"<desc>{escape(', '.join(self._words[1:]) or 'nothing to draw')}</desc>",
                f'<rect width="{_WIDTH}" height="{height}" fill="{_PAPER}"/>',
                *self._parts,
                "</svg>\n",
            )
        )

    def _head(self, heading: str) -> None:
        self._y += _GAP
        self._parts.append(_text(_MARGIN, self._y, heading, size=15, weight="bold"))
        self._words.append(heading)
        self._y += 6


def _cut(score: Score) -> Iterator[tuple[str, int]]:
    yield _FIRST, score.wins
    yield _DRAWN, score.draws
    yield _SECOND, score.losses
    yield _UNKNOWN, score.games - score.known


def _fit(name: str) -> str:
    return clipped(name, _LONGEST_NAME)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    size: int = 13,
    anchor: str = "start",
    weight: str = "normal",
    colour: str = _INK,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
        f'fill="{colour}">{escape(printable(text))}</text>'
    )


def _bar(x: float, y: float, width: float, height: float, colour: str, note: str = "") -> str:
    data = f"<title>{escape(printable(note))}</title>" if note else ""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" '
        f'fill="{colour}">{data}</rect>'
    )
