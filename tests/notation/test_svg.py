"""The board as SVG: every variant, from either side, with what is asked for and nothing that is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crownhead import CrownheadError, Position
from crownhead.notation.numberings import Numbering
from crownhead.notation.svg import THEMES, Mark, Numbers, Paint, Theme
from tests.notation.play import KEYS

SVG = "{http://www.w3.org/2000/svg}"
MULES = Position.from_fen("B:WM29,30,K18:BM1,K5,10", "mule")
CROWN, HORSESHOE, CANOPY = "M-20 13", "M-12 14", "M-22 -2 A22 20"


def pieces(picture: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    return [group for group in root.findall(f"{SVG}g") if group.get("transform")]


def texts(picture: str) -> dict[str, tuple[int, int]]:
    root = ElementTree.fromstring(picture)
    return {
        str(text.text): (int(str(text.get("x"))), int(str(text.get("y")))) for text in root.iter(f"{SVG}text")
    }


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 counts it."""
    darker, lighter = sorted(_luminance(colour) for colour in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("variant", KEYS)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("numbers", Numbers)
def test_every_variant_is_drawn_in_every_way(variant: str, theme: str, flip: bool, numbers: Numbers) -> None:
    position = Position.start(variant)
    picture = position.svg(flip=flip, theme=theme, numbers=numbers)
    assert picture == position.svg(flip=flip, theme=theme, numbers=numbers)
    assert len(pieces(picture)) == len(position.pieces)
    board, margin = position.variant.board, 88 if numbers is Numbers.OUTSIDE else 0
    size = f"{board.width * 100 + margin} {board.height * 100 + margin}"
    assert ElementTree.fromstring(picture).get("viewBox") == f"0 0 {size}"


def test_notebooks_show_the_picture() -> None:
    assert MULES._repr_svg_() == MULES.svg()


# -------------------------------------------------------------------------------- title and description
def test_the_picture_has_a_title_and_a_description() -> None:
    root = ElementTree.fromstring(MULES.svg())
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Mule checkers, Red to move"
    assert root.findtext(f"{SVG}desc") == (
        "Red kings: 5. Red men: 10. Red mules: 1. White kings: 18. White men: 30. White mules: 29. "
        f"FEN {MULES.fen()}"
    )


def test_the_darker_side_is_called_as_players_call_it() -> None:
    russian = Position.from_fen("B:Wa1:Bh8", "russian").svg()
    assert "<title>Russian draughts, Black to move</title>" in russian
    assert THEMES["light"].black.face in russian
    assert THEMES["light"].red.face not in russian
    assert THEMES["light"].red.face in MULES.svg()


def test_the_description_mentions_marks_arrows_and_the_last_move() -> None:
    before = Position.from_fen("B:W6,15,32:B1,28", "american")
    move = before.parse("1x19")
    picture = before.play(move).svg(
        last_move=move, marks={28: Mark.CROSS, 32: "ring", 19: "ring"}, arrows=[(32, 27)]
    )
    expected = (
        "Last move: 1 to 10 to 19. Marked with a cross: 28. Marked with a ring: 32, 19. Arrows: 32 to 27."
    )
    assert expected in str(ElementTree.fromstring(picture).findtext(f"{SVG}desc"))


# -------------------------------------------------------------------------------- the board
def test_a_flipped_board_has_black_at_the_bottom() -> None:
    position = Position.from_fen("B:W29:B4", "american")
    upright = [piece.get("transform") for piece in pieces(position.svg())]
    flipped = [piece.get("transform") for piece in pieces(position.svg(flip=True))]
    assert upright == ["translate(750 50)", "translate(50 750)"]
    assert flipped == upright[::-1]


def test_kings_and_marked_men_bear_an_emblem_of_their_own() -> None:
    assert [MULES.svg().count(emblem) for emblem in (CROWN, HORSESHOE, CANOPY)] == [2, 2, 0]
    parachutists = Position.from_fen("W:WPb8,Kc3,a3:BPa1,d6", "parachute").svg()
    assert [parachutists.count(emblem) for emblem in (CROWN, HORSESHOE, CANOPY)] == [1, 0, 2]


def test_the_board_of_alquerque_is_drawn_as_lines() -> None:
    root = ElementTree.fromstring(Position.start("alquerque").svg())
    lines = next(path for path in root.findall(f"{SVG}path") if path.get("stroke") == THEMES["light"].line)
    drawn = str(lines.get("d"))
    assert drawn.count("M") == 20 + 20 + 16  # rows, files, diagonals
    assert "M50 450L150 350" in drawn
    assert "M50 350L150 250" not in drawn


@pytest.mark.parametrize(
    ("variant", "dark"), [("american", 32), ("gothic", 32), ("hawaiian", 0), ("turkish", 0), ("alquerque", 0)]
)
def test_squares_are_shaded_where_pieces_move_along_diagonals(variant: str, dark: int) -> None:
    root = ElementTree.fromstring(Position.start(variant).svg())
    shaded = [path for path in root.findall(f"{SVG}path") if path.get("fill") == THEMES["light"].dark]
    assert sum(str(path.get("d")).count("z") for path in shaded) == dark


def test_squares_that_look_alike_have_edges() -> None:
    (edges,) = ElementTree.fromstring(Position.start("turkish").svg()).findall(f"{SVG}path")
    assert edges.get("stroke") == THEMES["light"].line
    assert str(edges.get("d")).count("M") == 7 + 7


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_names_can_be_read_on_both_shades(theme: Theme) -> None:
    assert contrast(theme.number, theme.dark) >= 4.5
    assert contrast(theme.label, theme.light) >= 4.5
    assert contrast(theme.label, theme.page) >= 4.5
    assert contrast(theme.line, theme.light) >= 3


# -------------------------------------------------------------------------------- numbers
def test_numbers_can_be_left_out() -> None:
    assert MULES.svg().count("<text") == 32
    assert MULES.svg(numbers="none").count("<text") == 0


def test_names_stand_on_squares_that_have_names() -> None:
    assert texts(Position.start("russian").svg())["b8"] == (106, 19)
    assert texts(Position.start("jamaican").svg())["a1"] == (6, 19)


@pytest.mark.parametrize(
    ("numbering", "at_the_lower_left"),
    [(Numbering.NATIVE, "29"), (Numbering.MIRRORED, "4"), ("algebraic", "h8"), ("from-a1", "32")],
)
def test_squares_are_named_in_the_numbering_asked_for(numbering: Any, at_the_lower_left: str) -> None:
    assert texts(MULES.svg(numbering=numbering))[at_the_lower_left] == (6, 719)


def test_files_and_ranks_stand_around_the_board() -> None:
    around = texts(Position.start("russian").svg(numbers="outside"))
    assert sorted(around) == [*"12345678", *"abcdefgh"]
    assert around["a"][0] < around["b"][0] < around["h"][0]
    assert around["8"][1] < around["1"][1]
    turned = texts(Position.start("russian").svg(numbers="outside", flip=True))
    assert turned["a"][0] > turned["h"][0]
    assert turned["8"][1] > turned["1"][1]


def test_the_numbers_at_the_ends_of_ranks_stand_around_the_board() -> None:
    around = texts(Position.start("international").svg(numbers="outside"))
    assert sorted(around, key=int) == "1 5 6 10 11 15 16 20 21 25 26 30 31 35 36 40 41 45 46 50".split()
    assert around["46"][0] < around["50"][0]
    turned = texts(Position.start("international").svg(numbers="outside", flip=True))
    assert turned["46"][0] > turned["50"][0]


# -------------------------------------------------------------------------------- what is drawn over it
def test_the_last_move_is_traced_along_its_path() -> None:
    before = Position.from_fen("B:W6,15,32:B1,28", "american")
    move = before.parse("1x19")
    picture = before.play(move).svg(last_move=move)
    assert "M150 50L350 250L550 450" in picture


def test_a_piece_taken_off_by_its_own_side_is_a_last_move_too() -> None:
    before = Position.start("hawaiian")
    move = before.parse("d5")
    picture = before.play(move).svg(last_move=move)
    assert "Last move: d5 to d5." in picture


def test_every_mark_has_its_own_shape() -> None:
    plain = MULES.svg()
    drawn = {shape: MULES.svg(marks={14: shape}).replace(plain, "") for shape in Mark}
    outlines = {
        shape: [path.get("d") or path.tag for path in ElementTree.fromstring(picture)][-1]
        for shape, picture in drawn.items()
    }
    assert len(set(outlines.values())) == len(Mark)


def test_squares_that_are_listed_are_ringed_once_each() -> None:
    assert MULES.svg(marks=[14, 14, 15]) == MULES.svg(marks={14: "ring", 15: "ring"})


def test_squares_are_named_as_in_the_picture() -> None:
    russian = Position.start("russian")
    assert russian.svg(marks=["C3"], arrows=[("c3", 18)]) == russian.svg(marks=[22], arrows=[(22, 18)])
    assert MULES.svg(marks=["1"], numbering="mirrored") == MULES.svg(marks=[32], numbering="mirrored")


def test_an_arrow_points_from_square_to_square() -> None:
    root = ElementTree.fromstring(MULES.svg(arrows=[(18, 22)]))
    (polygon,) = root.findall(f"{SVG}polygon")
    points = [tuple(map(float, pair.split(","))) for pair in str(polygon.get("points")).split()]
    tip = points[3]
    assert abs(tip[0] - 250) < 10
    assert abs(tip[1] - 550) < 10


def test_the_picture_has_the_size_that_is_asked_for() -> None:
    root = ElementTree.fromstring(MULES.svg(size=320))
    assert (root.get("width"), root.get("height")) == ("320", "320")
    oblong = ElementTree.fromstring(Position.start("spantsiretti").svg(size=500))
    assert (oblong.get("width"), oblong.get("height")) == ("500", "400")


# -------------------------------------------------------------------------------- what is refused
@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"flip": 1}, "expected True or False as flip"),
        ({"numbers": True}, "expected 'none' or 'inside' or 'outside' as numbers"),
        ({"numbering": "roman"}, "as numbering, got 'roman'"),
        ({"last_move": "11-15"}, "expected a Move as last_move"),
        ({"marks": [0]}, "expected squares from 1 to 32, or named as '1' is as marks, got 0"),
        ({"marks": [33]}, "expected squares from 1 to 32"),
        ({"marks": [-1]}, "expected squares from 1 to 32"),
        ({"marks": [True]}, "expected squares from 1 to 32"),
        ({"marks": ["z9"]}, "expected squares from 1 to 32"),
        ({"marks": [[1]]}, "expected squares from 1 to 32, or named as '1' is as marks, got [1]"),
        ({"marks": "14"}, "expected squares, or a mapping of squares to marks"),
        ({"marks": 14}, "expected squares, or a mapping of squares to marks"),
        ({"marks": {14: "star"}}, "'ring' or 'frame' or 'cross' or 'dot' as marks, got 'star'"),
        ({"marks": {14: None}}, "as marks, got None"),
        ({"arrows": [(1, 1)]}, "expected pairs of two different squares as arrows"),
        ({"arrows": [(1,)]}, "expected pairs of squares as arrows"),
        ({"arrows": "ab"}, "expected pairs of squares as arrows"),
        ({"arrows": 5}, "expected pairs of squares as arrows"),
        ({"arrows": [(1, 2)] * 1000}, "expected at most 200 pairs of squares as arrows"),
        ({"theme": "pink"}, "expected a Theme or one of light, dark, print, contrast as theme"),
        ({"theme": ["light"]}, "expected a Theme or one of light"),
        ({"size": 0}, "expected a width from 1 to 10000 pixels as size, got 0"),
        ({"size": 10**9}, "expected a width from 1 to 10000 pixels"),
        ({"size": "320"}, "expected a width from 1 to 10000 pixels"),
        ({"size": True}, "expected a width from 1 to 10000 pixels"),
        ({"theme": "x" * 10_000}, "as theme, got 'xxx"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(asked: dict[str, Any], expected: str) -> None:
    with pytest.raises(CrownheadError) as caught:
        MULES.svg(**asked)
    assert expected in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_move_of_a_larger_board_is_refused() -> None:
    move = Position.start("international").parse("34-30")
    with pytest.raises(CrownheadError, match="as last_move"):
        MULES.svg(last_move=move)


@pytest.mark.parametrize("colour", ['"/><script>', "", "#12", "url(x)", 5, "red;stroke:blue"])
def test_a_theme_takes_nothing_but_colours(colour: Any) -> None:
    with pytest.raises(CrownheadError, match="expected a colour such as"):
        Paint(colour, "#000", "#000")


def test_a_theme_of_ones_own_is_used() -> None:
    paint = Paint("#123456", "white", "#abc")
    theme = replace(THEMES["light"], dark="#010203", red=paint)
    picture = MULES.svg(theme=theme)
    assert "#123456" in picture
    assert "#010203" in picture
    assert THEMES["light"].dark not in picture


anything = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from([*Mark, *Numbering])
)
squares = st.integers(-1, 40) | st.sampled_from(["c3", "1", "32", "h9", ""])


@given(
    st.sampled_from(["american", "russian", "alquerque", "turkish"]),
    st.fixed_dictionaries(
        {},
        optional={
            "flip": anything,
            "numbers": anything | st.sampled_from(Numbers),
            "numbering": anything,
            "last_move": anything,
            "marks": anything | st.lists(squares) | st.dictionaries(squares, anything),
            "arrows": anything | st.lists(st.tuples(squares, squares) | anything),
            "theme": anything | st.sampled_from(sorted(THEMES)),
            "size": anything,
        },
    ),
)
def test_whatever_is_requested_is_drawn_or_refused(variant: str, asked: dict[str, Any]) -> None:
    try:
        picture = Position.start(variant).svg(**asked)
    except CrownheadError:
        return
    ElementTree.fromstring(picture)
