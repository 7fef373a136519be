"""Boards as HTML and SVG, put together in Python: a template takes ten times as long for their many parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from django.utils.safestring import SafeString, mark_safe

from crownhead import Colour, Piece, PieceKind

if TYPE_CHECKING:
    from crownhead.server.play.presenters.board.boards import BoardPresenter, Field
    from crownhead.server.play.presenters.board.diagrams import Diagram, EdgeName

_UNUSED = '<span class="square" aria-hidden="true"></span>'


def squares_markup(board: BoardPresenter) -> SafeString:
    """The rows of squares; buttons of a `live` board send what they ask for."""
    rows = "".join(f'<div class="row" role="row">{_row(row, live=board.live)}</div>' for row in board.rows)
    return mark_safe(rows)  # nosec B308 B703 # every text in it is escaped below


@lru_cache(maxsize=256)
def edges_markup(edges: tuple[EdgeName, ...]) -> SafeString:
    """The names around a board."""
    texts = "".join(
        f'<text x="{edge.x}" y="{edge.y}" data-edge="{edge.kind}"{" data-own" if edge.own else ""}'
        f"{' data-algebraic' if edge.algebraic else ''}>{escape(edge.text)}</text>"
        for edge in edges
    )
    return mark_safe(texts)  # nosec B308 B703 # every text in it is escaped


@lru_cache(maxsize=1024)
def diagram_markup(diagram: Diagram) -> SafeString:
    """A small board for looking at."""
    size = f'{diagram.width} {diagram.height}"'
    dark = "".join(f"M{x} {y}h1v1h-1z" for x, y in diagram.dark)
    parts = (
        f'<svg class="diagram" viewBox="0 0 {size} role="img" aria-label="{escape(diagram.label)}"',
        f' data-dark="{diagram.dark_side}"{" data-stones" if diagram.lines else ""}'
        f"{' data-lines' if diagram.on_points else ''}>",
        f'<rect class="light" width="{diagram.width}" height="{diagram.height}"/>',
        f'<path class="dark" d="{dark}"/>',
        f'<path class="line" d="{diagram.lines}"/>' if diagram.lines else "",
        *(f'<rect class="ring" x="{x}.06" y="{y}.06" width=".88" height=".88"/>' for x, y in diagram.rings),
        *(f'<polyline class="move-path" points="{_points(way)}"/>' for way in diagram.arrows),
        *_pieces(diagram),
        *(f'<circle class="move-target" cx="{x}.5" cy="{y}.5" r=".17"/>' for x, y in diagram.dots),
        *(f'<text class="name" x="{x}.04" y="{y}.2">{escape(name)}</text>' for x, y, name in diagram.names),
        "</svg>",
    )
    return mark_safe("".join(parts))  # nosec B308 B703 # every text in it is escaped


@lru_cache(maxsize=512)
def discs_markup(discs: tuple[bool, ...], colour: Colour) -> SafeString:
    """A small disc for each piece that a player can capture; true: it is captured."""
    drawn = "".join(
        f'<svg class="disc-mini" viewBox="0 0 100 100" data-colour="{colour}"{" data-gone" if gone else ""}>'
        '<use href="#piece-man"/></svg>'
        for gone in discs
    )
    return mark_safe(drawn)  # nosec B308 B703 # constants


def _pieces(diagram: Diagram) -> Iterator[str]:
    """The pieces, each as it is drawn on boards; all men of a side as two paths where boards are many."""
    drawn = diagram.pieces
    if not diagram.detailed:
        drawn = tuple(placed for placed in drawn if placed[2].kind is not PieceKind.MAN)
        for colour in Colour:
            men = (
                f"M{x}.5 {y}.5h.01" for x, y, piece in diagram.pieces if piece == Piece(colour, PieceKind.MAN)
            )
            if dots := "".join(men):
                yield f'<path class="rims" data-colour="{colour}" d="{dots}"/>'
                yield f'<path class="discs" data-colour="{colour}" d="{dots}"/>'
    for x, y, piece in drawn:
        yield (
            f'<use href="#piece-{piece.kind}" x="{x}" y="{y}" width="1" height="1"'
            f' data-colour="{piece.colour}"/>'
        )


def _points(way: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{x}.5,{y}.5 " for x, y in way)


def _row(row: Iterable[Field], *, live: bool) -> str:
    return "".join(_square(drawn, live=live) if drawn.number else _UNUSED for drawn in row)


@lru_cache(maxsize=8192)
def _square(drawn: Field, *, live: bool) -> str:
    kind = 'type="submit" formmethod="get" formnovalidate' if live else 'type="button"'
    parts = (
        f'<div class="square" role="gridcell" data-shade="{drawn.shade}">',
        f'<button class="square-button" {kind}',
        f' name="at" value="{drawn.touch}" data-square="{drawn.number}"',
        f' data-state="{drawn.state}"' if drawn.state else "",
        f' data-last="{drawn.last}"' if drawn.last else "",
        f' data-mark="{drawn.mark}"' if drawn.mark else "",
        f' aria-label="{escape(drawn.label)}"><span class="number" aria-hidden="true"',
        f' data-algebraic="{escape(drawn.algebraic)}"' if drawn.algebraic else "",
        f">{escape(drawn.name)}</span>",
        _piece(drawn.piece, ghost=drawn.ghost) if drawn.piece else "",
        "</button></div>",
    )
    return "".join(parts)


def _piece(piece: Piece, *, ghost: bool) -> str:
    return (
        f'<svg class="piece" viewBox="0 0 100 100" aria-hidden="true" data-colour="{piece.colour}"'
        f' data-kind="{piece.kind}"{" data-ghost" if ghost else ""}><use href="#piece-{piece.kind}"/></svg>'
    )
