"""Pictures of boards as PNG, made from their SVG; alike on every host, for no font is asked for."""

from __future__ import annotations

import re
from functools import lru_cache

import resvg_py

from crownhead.server.play.presenters.board import strokes

LEAST, MOST = 40, 400  # pixels across; drawing and compressing four times as many takes four times as long
USUAL = MOST
# What is drawn for the sixty men of a large board. Every edge takes time, and nobody else's request goes on
# meanwhile, so a board with more, of which nearly every square is taken, is smaller.
SHAPES, CROWDED = 185, 240

_NAMES = re.compile(r'<g ([^>]*font-size="[^>]*)>(.*?)</g>', re.DOTALL)
_NAME = re.compile(r'<text x="([^"]+)" y="([^"]+)">([^<]*)</text>')
_ATTRIBUTE = re.compile(r'([a-z-]+)="([^"]*)"')


@lru_cache(maxsize=256)
def png(svg: str, width: int = USUAL) -> bytes:
    """The picture so many pixels wide, ``LEAST`` to ``MOST``; ``svg`` as ``notation.svg`` draws it.

    Of a board on which nearly every square is taken, it is at most ``CROWDED`` wide.
    """
    if svg.count("<circle") + svg.count("<path") > SHAPES:
        width = min(width, CROWDED)
    plain = _NAMES.sub(_draw_names, svg)
    return bytes(resvg_py.svg_to_bytes(svg_string=plain, width=width, skip_system_fonts=True))


def _draw_names(names: re.Match[str]) -> str:
    """A group of texts as lines, with what is painted around them where something is."""
    how = dict(_ATTRIBUTE.findall(names[1]))
    pens = [strokes.Pen(how["fill"], float(how["font-size"]))]
    if "stroke" in how:
        pens.insert(0, strokes.Pen(how["stroke"], float(how["font-size"]), float(how["stroke-width"])))
    middle = how.get("text-anchor") == "middle"
    return "".join(
        strokes.draw_text(text, x=float(x), y=float(y), pen=pen, middle=middle)
        for pen in pens
        for x, y, text in _NAME.findall(names[2])
    )
