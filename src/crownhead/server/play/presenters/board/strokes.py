"""The names of squares drawn as lines, for pictures that know no fonts: digits, and letters from a to l."""

from __future__ import annotations

from dataclasses import dataclass

# Each in a box 8 wide and 12 high, the line on which it stands at y = 12.
GLYPHS = {
    "0": "M4 0C1.4 0 .6 2.8 .6 6S1.4 12 4 12 7.4 9.2 7.4 6 6.6 0 4 0Z",
    "1": "M1.6 2.6L4.6 0V12",
    "2": "M.8 3.2C.8 1.3 2.2 0 4 0S7.2 1.2 7.2 3.2C7.2 6 3 8.5 .6 12H7.4",
    "3": (
        "M.8 1.9C1.5 .7 2.6 0 4 0 5.9 0 7 1.2 7 2.9S5.8 5.7 3.4 5.7C6 5.7 7.4 7 7.4 8.8S6 12 4 12"
        "C2.4 12 1.2 11.3 .5 10"
    ),
    "4": "M5.6 12V0L.5 8.6H7.6",
    "5": (
        "M6.8 0H1.6L1.1 5.2C1.9 4.7 2.8 4.4 3.9 4.4 6 4.4 7.4 5.9 7.4 8.1S5.9 12 3.8 12"
        "C2.3 12 1.2 11.4 .5 10.4"
    ),
    "6": (
        "M6.6 1.2"
        "C6 .4 5.2 0 4.3 0 1.8 0 .6 2.8 .6 6.6 .6 10.2 1.9 12 4 12S7.4 10.4 7.4 8.1 6 4.4 4.1 4.4 .6 6 .6 8"
    ),
    "7": "M.6 0H7.4L2.9 12",
    "8": (
        "M4 5.6C2.2 5.6 1 4.5 1 2.9S2.2 0 4 0 7 1.3 7 2.9 5.8 5.6 4 5.6"
        "C2 5.6 .5 6.8 .5 8.8S2 12 4 12 7.5 10.8 7.5 8.8 6 5.6 4 5.6Z"
    ),
    "9": (
        "M1.4 10.8C2 11.6 2.8 12 3.7 12 6.2 12 7.4 9.2 7.4 5.4"
        "C7.4 1.8 6.1 0 4 0S.6 1.6 .6 3.9 2 7.6 3.9 7.6 7.4 6 7.4 4"
    ),
    "a": "M6.6 4.2V12M6.6 8.1C6.6 5.8 5.3 4.2 3.6 4.2S.6 5.8 .6 8.1 1.9 12 3.6 12 6.6 10.4 6.6 8.1",
    "b": "M1 0V12M1 8.1C1 5.8 2.3 4.2 4 4.2S7 5.8 7 8.1 5.7 12 4 12 1 10.4 1 8.1",
    "c": "M6.6 5.6C6 4.7 5.1 4.2 4 4.2 2.1 4.2 .8 5.8 .8 8.1S2.1 12 4 12C5.1 12 6 11.5 6.6 10.6",
    "d": "M6.6 0V12M6.6 8.1C6.6 5.8 5.3 4.2 3.6 4.2S.6 5.8 .6 8.1 1.9 12 3.6 12 6.6 10.4 6.6 8.1",
    "e": "M.9 8H6.9C6.9 5.7 5.7 4.2 4 4.2S.8 5.8 .8 8.1 2.1 12 4 12C5.1 12 6 11.6 6.6 10.8",
    "f": "M5.8 .3C3.6-.3 2.7 .8 2.7 2.8V12M.9 4.4H5.3",
    "g": (
        "M6.6 4.2V12.6C6.6 14.6 5.4 15.6 3.6 15.6 2.6 15.6 1.6 15.3 1 14.6"
        "M6.6 8.1C6.6 5.8 5.3 4.2 3.6 4.2S.6 5.8 .6 8.1 1.9 12 3.6 12 6.6 10.4 6.6 8.1"
    ),
    "h": "M1 0V12M1 7C1.4 5.3 2.6 4.2 4.1 4.2 5.8 4.2 6.8 5.3 6.8 7.4V12",
    "i": "M4 4.4V12M4 .9V1.3",
    "j": "M4.6 4.4V13C4.6 14.8 3.8 15.6 2.2 15.4M4.6 .9V1.3",
    "k": "M1 0V12M6.4 4.4L1 9M3 7.3L6.8 12",
    "l": "M4 0V12",
}
WIDTH, GAP, HEIGHT = 8.0, 2.0, 12.0
_CAPITALS = 0.72  # how high a digit is, where the size of the text is 1
_THICK = 1.7


@dataclass(frozen=True, slots=True)
class Pen:
    """What lines are drawn with; ``around``: how much wider they are than letters, in the picture's units."""

    colour: str
    size: float
    around: float = 0.0


def draw_text(text: str, *, x: float, y: float, pen: Pen, middle: bool) -> str:
    """A text that begins at ``x``, or has its middle there, and stands on ``y``."""
    scale = pen.size * _CAPITALS / HEIGHT
    step = WIDTH + GAP
    left = x - (len(text) * step - GAP) * scale / 2 if middle else x
    parts = (
        f'<path transform="translate({at * step:g} {-HEIGHT:g})" d="{GLYPHS[letter]}"/>'
        for at, letter in enumerate(text.lower())
        if letter in GLYPHS
    )
    return (
        f'<g transform="translate({left:g} {y:g}) scale({scale:g})" fill="none" stroke="{pen.colour}" '
        f'stroke-width="{_THICK + pen.around / scale:g}" stroke-linecap="round" stroke-linejoin="round">'
        f"{''.join(parts)}</g>"
    )
