"""Every theme can be seen: pieces, marks and names stand out (WCAG 2.2, 3:1; text 4.5:1)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import crownhead.server

TOKENS = Path(crownhead.server.__file__).parent / "static/crownhead/css/tokens.css"
BLOCK = re.compile(r"(?P<selector>[^{}]+)\{(?P<body>[^{}]*)\}")
TOKEN = re.compile(r"(--[\w-]+):\s*(#[0-9a-f]{6});")
THEMES = ("tournament", "wood", "slate", "contrast")
MARKS = ("last", "selected", "target", "movable", "planned")

Colours = dict[str, str]


def colours(theme: str, *, dark: bool) -> Colours:
    """All colours that hold under a theme by day or by night."""
    files = [TOKENS, TOKENS.with_name("dark.css")] if dark else [TOKENS]
    blocks = [block for file in files for block in BLOCK.finditer(file.read_text())]
    found: Colours = {}
    for part in (":root", f'[data-theme="{theme}"]'):  # a theme's own colours before those of any page
        for block in blocks:
            rooted = ":root" in block["selector"]
            if part in block["selector"] and rooted == (part == ":root"):
                found |= dict(TOKEN.findall(block["body"]))
    return found


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


EACH = pytest.mark.parametrize("theme", THEMES)
DAY_AND_NIGHT = pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])


@EACH
@DAY_AND_NIGHT
def test_marks_stand_out_from_their_squares(theme: str, dark: bool) -> None:
    chosen = colours(theme, dark=dark)

    faint = {
        (mark, ground): round(contrast(chosen[f"--mark-{mark}{ending}"], chosen[f"--board-{ground}"]), 2)
        for mark in MARKS
        for ground, ending in (("dark", ""), ("light", "-light"))
    }

    assert {pair: ratio for pair, ratio in faint.items() if ratio < 3} == {}


@EACH
@DAY_AND_NIGHT
@pytest.mark.parametrize("side", ["red", "black", "white"])
def test_pieces_stand_out_by_their_disc_or_their_rim(theme: str, dark: bool, side: str) -> None:
    chosen = colours(theme, dark=dark)

    for ground in ("dark", "light"):
        parts = (chosen[f"--{side}-disc"], chosen[f"--{side}-rim"])
        assert max(contrast(part, chosen[f"--board-{ground}"]) for part in parts) >= 3, ground
    assert contrast(chosen[f"--{side}-emblem"], chosen[f"--{side}-disc"]) >= 3


@EACH
@DAY_AND_NIGHT
def test_the_sides_differ_in_lightness(theme: str, dark: bool) -> None:
    chosen = colours(theme, dark=dark)

    for side in ("red", "black"):
        assert contrast(chosen[f"--{side}-disc"], chosen["--white-disc"]) >= 3


@EACH
@DAY_AND_NIGHT
def test_names_of_squares_can_be_read(theme: str, dark: bool) -> None:
    chosen = colours(theme, dark=dark)

    assert contrast(chosen["--board-number"], chosen["--board-dark"]) >= 4.5
    assert contrast(chosen["--board-number-light"], chosen["--board-light"]) >= 4.5
    assert contrast(chosen["--board-edge"], chosen["--board-frame"]) >= 4.5


def test_day_and_night_differ() -> None:
    assert colours("wood", dark=False)["--board-light"] != colours("wood", dark=True)["--board-light"]
    assert colours("wood", dark=True)["--page"] == "#161412"
