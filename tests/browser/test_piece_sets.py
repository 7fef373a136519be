"""Piece sets: drawn at once and on every page, kept on the device, and told apart when they are small."""

from __future__ import annotations

import base64
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from crownhead import PieceKind
from tests.browser.conftest import NewVisitor
from tests.browser.test_settings import choose
from tests.browser.visitors import Visitor
from tests.lengths import short_and_full

pytestmark = pytest.mark.browser

SETS = ("grooved", "plain", "ridged", "ringed", "modern")
COLOURS = ("black", "white")
SMALL = 32  # pixels
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced": {"forced_colors": "active"},
}
_KEPT = "JSON.parse(localStorage.getItem('crownhead:pieces'))"
_MAN = "document.querySelector('#piece-man').innerHTML.replace(/\\s+/gu, ' ')"
# The pieces of both sides, on squares of one colour, in rows from the upper left corner of the window.
_LINE_UP = """({ kinds, size }) => {
  const squares = kinds.flatMap((kind) => ["black", "white"].map((colour) => {
    const square = document.createElement("div");
    square.innerHTML = `<svg class="piece" viewBox="0 0 100 100" data-colour="${colour}"
      ><use href="#piece-${kind}"/></svg>`;
    Object.assign(square.style, { width: `${size}px`, height: `${size}px`, position: "relative" });
    square.style.background = "var(--board-dark)";
    square.style.forcedColorAdjust = "none";
    return square;
  }));
  const frame = document.createElement("div");
  frame.dataset.dark = "red";
  frame.className = "diagram"; // which has the colours of the theme
  Object.assign(frame.style, { display: "grid", gridTemplateColumns: `repeat(2, ${size}px)` });
  frame.append(...squares);
  document.body.replaceChildren(document.querySelector(".sprite"), frame);
}"""
_DRESS = """([theme, drawing]) => {
  document.documentElement.dataset.theme = theme;
  document.querySelector(".sprite > svg").outerHTML = drawing;
}"""
_DISC = """(colour) =>
  getComputedStyle(document.querySelector(`.piece[data-colour="${colour}"]`)).getPropertyValue("--disc").trim()"""
# The lightness of every pixel, 0 … 255, of each square from the left and the top.
_PIXELS = """async ({ picture, size, columns, rows }) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const squareAt = (column, row) => {
    const { data } = context.getImageData(column * size, row * size, size, size);
    return Array.from({ length: size * size }, (_, at) =>
      Math.round(0.2126 * data[4 * at] + 0.7152 * data[4 * at + 1] + 0.0722 * data[4 * at + 2]));
  };
  return Array.from({ length: rows * columns }, (_, at) => squareAt(at % columns, Math.floor(at / columns)));
}"""


def choose_set(visitor: Visitor, label: str) -> None:
    """Choose a set in the panel, and wait until it is drawn."""
    before = visitor.page.evaluate(_MAN)
    choose(visitor, label)
    visitor.page.wait_for_function(f"before => {_MAN} !== before", arg=before)


def test_a_set_is_drawn_at_once_and_on_every_page_without_a_request(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url))
    guest.go("/analysis/")
    expect(guest.page.locator(".sprite > svg")).to_have_count(1)
    assert not [url for url in asked if "/pieces/" in url]  # nobody has opened the settings

    choose_set(guest, "Ringed")
    drawn = guest.page.evaluate(_MAN)
    assert guest.page.locator(".sprite > svg").count() == 1
    asked.clear()
    guest.go("/")

    assert guest.page.evaluate(_MAN) == drawn
    assert not [url for url in asked if "/pieces/" in url]
    assert guest.page.evaluate("document.documentElement.dataset.pieces") == "ringed"


def test_the_usual_set_comes_back(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    usual = guest.page.evaluate(_MAN)
    choose_set(guest, "Plain")
    choose_set(guest, "Usual for the game")

    assert guest.page.evaluate(_MAN) == usual
    assert guest.page.evaluate(_KEPT) is None
    guest.go("/analysis/")
    assert guest.page.evaluate(_MAN) == usual


def test_the_drawings_of_an_older_version_are_replaced(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    choose_set(guest, "Modern")
    drawn = guest.page.evaluate(_MAN)
    guest.page.evaluate(f"""localStorage.setItem('crownhead:pieces', JSON.stringify(
      {{ address: "/static/old.svg", drawing: {_KEPT}.drawing.replaceAll("<circle", "<ellipse") }}))""")

    guest.go("/analysis/")

    guest.page.wait_for_function(f"drawn => {_MAN} === drawn", arg=drawn)


def test_drawings_that_are_none_are_left_out(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.go("/analysis/")
    usual = guest.page.evaluate(_MAN)
    for kept in ('{"drawing": "<b>no</b>"}', '{"drawing": 7}', "no JSON"):
        guest.page.evaluate("(kept) => localStorage.setItem('crownhead:pieces', kept)", kept)

        guest.go("/rules/")

        assert guest.page.evaluate(_MAN) == usual


def test_the_panel_shows_the_chosen_pieces_and_board(new_visitor: NewVisitor) -> None:
    guest = new_visitor(viewport={"width": 360, "height": 560})
    guest.go("/analysis/")
    guest.page.get_by_role("button", name="Board settings").click()
    panel = guest.page.get_by_role("dialog", name="Board settings")
    preview = panel.get_by_role("img", name="Preview")
    expect(preview).to_be_in_viewport(ratio=1)
    ground = "(preview) => getComputedStyle(preview.querySelector('.dark')).fill"
    before = preview.evaluate(ground), guest.page.evaluate(_MAN)

    panel.get_by_label("Slate", exact=True).check()
    panel.get_by_label("Ridged", exact=True).check()

    guest.page.wait_for_function(f"before => {_MAN} !== before", arg=before[1])
    assert preview.evaluate(ground) != before[0]
    expect(preview).to_be_in_viewport(ratio=1)
    wide = "(panel) => panel.scrollWidth > panel.clientWidth"
    assert not panel.evaluate(wide)
    for label in panel.locator("label").all():
        assert label.evaluate("(label) => label.scrollWidth <= label.clientWidth"), label.inner_text()


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("themes", short_and_full(["tournament"], ["wood", "slate", "contrast"]))
def test_kinds_and_sides_are_told_apart_when_they_are_small(
    new_visitor: NewVisitor, look: str, themes: list[str]
) -> None:
    guest = new_visitor(viewport={"width": 400, "height": 400}, **LOOKS[look])
    guest.go("/analysis/")
    samples = guest.page.locator("[data-dialog='settings'] .choice img")
    addresses = samples.evaluate_all("(all) => all.map((image) => image.src)")
    drawings = [guest.page.request.get(address).text() for address in addresses]
    assert len(drawings) == len(SETS)

    for name, drawing in zip(SETS, drawings, strict=True):
        for theme in themes:
            guest.page.evaluate(_DRESS, [theme, drawing.strip()])
            seen = pictures(guest.page)
            for kinds in combinations(PieceKind, 2):
                for colour in COLOURS:
                    share = unlike(*(seen[kind, colour] for kind in kinds))
                    assert share > 0.08, (name, theme, colour, *kinds)
            for (kind, colour), picture in seen.items():
                disc: str = guest.page.evaluate(_DISC, colour)
                assert body(picture, disc) > 0.12, (name, theme, kind, colour)


def pictures(page: Page) -> dict[tuple[PieceKind, str], list[int]]:
    """The pixels of every piece in a small square, as the page draws it."""
    kinds = list(PieceKind)
    page.evaluate(_LINE_UP, {"kinds": [str(kind) for kind in kinds], "size": SMALL})
    clip = {"x": 0, "y": 0, "width": 2 * SMALL, "height": len(kinds) * SMALL}
    picture = base64.b64encode(page.screenshot(clip=clip)).decode()  # type: ignore[arg-type]
    squares = page.evaluate(_PIXELS, {"picture": picture, "size": SMALL, "columns": 2, "rows": len(kinds)})
    names = [(kind, colour) for kind in kinds for colour in COLOURS]
    return dict(zip(names, squares, strict=True))


def unlike(one: list[int], other: list[int]) -> float:
    """The share of pixels that are clearly lighter in one picture than in the other."""
    return sum(abs(first - second) > 48 for first, second in zip(one, other, strict=True)) / len(one)


def body(picture: list[int], disc: str) -> float:
    """The share of pixels that are as light as a disc of this colour: what rings and signs leave free."""
    parts = [int(disc[at : at + 2], 16) for at in (1, 3, 5)]
    light = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))
    return sum(abs(pixel - light) < 24 for pixel in picture) / len(picture)
