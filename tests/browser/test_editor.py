"""The position editor: by click, drag and keyboard, with checks by the rules, and pictures."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from crownhead import VARIANTS, Position
from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_by_touch, drag_with_mouse
from tests.browser.test_board import focused_square
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

EMPTY = "W:W:B"


def editor(
    new_visitor: NewVisitor, fen: str = EMPTY, variant: str = "american", **options: object
) -> Visitor:
    """A guest in the position editor."""
    guest = new_visitor(**options)
    guest.go(f"/analysis/?setup=1&variant={variant}&fen={quote(fen)}")
    return guest


def fen(visitor: Visitor) -> str:
    return visitor.page.get_by_role("textbox", name="FEN").input_value()


def asked(page: Page) -> str:
    """The FEN in the URL."""
    return parse_qs(urlsplit(page.url).query)["fen"][0]


def test_a_click_puts_a_piece_and_another_removes_it(new_visitor: NewVisitor) -> None:
    guest = editor(new_visitor)

    guest.square(18).click()
    guest.page.get_by_label("red king").check()
    guest.square(9).click()
    guest.square(10).click()
    guest.square(10).click()

    assert fen(guest) == asked(guest.page) == "W:W18:BK9"
    expect(guest.status).to_have_text("White to move. 2 possible moves.")
    expect(guest.square(9)).to_have_accessible_name("9, red king")


def test_a_possible_position_is_judged_without_a_request(new_visitor: NewVisitor) -> None:
    guest = editor(new_visitor)
    guest.square(18).click()
    expect(guest.status).to_have_text("White to move. 2 possible moves.")
    asked_for: list[str] = []
    guest.page.on("request", lambda request: asked_for.append(request.url))
    guest.page.get_by_label("Red", exact=True).check()
    expect(guest.status).to_have_text("White wins: one side has no pieces left.")
    guest.page.get_by_label("red king").check()
    guest.square(9).click()
    expect(guest.status).to_have_text("Red to move. 4 possible moves.")
    assert [address for address in asked_for if "/analysis/" in address] == []
    picture = guest.page.get_by_role("link", name="SVG").get_attribute("href")
    assert picture == "/diagram.svg?variant=american&fen=B%3AW18%3ABK9&flip=1"
    guest.open_link("Analyse this position")
    expect(guest.status).to_have_text("Red to move.")


def test_without_webassembly_the_server_judges(new_visitor: NewVisitor) -> None:
    guest = new_visitor()
    guest.page.add_init_script("delete globalThis.WebAssembly")
    guest.go("/analysis/?setup=1&fen=W:W18:BK9")
    guest.page.get_by_label("Red", exact=True).check()
    expect(guest.status).to_have_text("Red to move. 4 possible moves.")


def test_the_eraser_empties_squares(new_visitor: NewVisitor) -> None:
    guest = editor(new_visitor, "W:W18:BK9")

    guest.page.get_by_label("eraser").check()
    guest.square(9).click()
    guest.square(1).click()

    assert fen(guest) == "W:W18:B"


@pytest.mark.parametrize("by", ["mouse", "finger"])
def test_pieces_are_dragged_about_and_off_the_board(new_visitor: NewVisitor, by: str) -> None:
    if by == "mouse":
        guest = editor(new_visitor, "W:W18,32:BK9")
        drag_with_mouse(guest, 32, off=(3, 3))
        drag_with_mouse(guest, 18, 9)
        assert fen(guest) == "W:W9:B"
    else:
        guest = editor(new_visitor, "W:W18:BK9", has_touch=True, viewport={"width": 360, "height": 640})
        drag_by_touch(guest, 18, 22)
        assert fen(guest) == "W:W22:BK9"


@pytest.mark.parametrize("has_javascript", [True, False])
def test_the_move_count_of_a_king_is_kept_while_it_stays(
    new_visitor: NewVisitor, has_javascript: bool
) -> None:
    guest = editor(new_visitor, "W:WK46,28:BK5,7:+1+2", "frisian", java_script_enabled=has_javascript)
    guest.page.get_by_label("eraser").check(force=True)

    guest.square(7).click()
    assert fen(guest) == "W:W28,K46:BK5:+1+2"
    if not has_javascript:
        guest.page.get_by_label("eraser").check(force=True)
    guest.square(46).click()

    assert fen(guest) == "W:W28:BK5:+1+0"


def test_a_position_can_be_set_up_by_keyboard(new_visitor: NewVisitor) -> None:
    guest = editor(new_visitor)
    guest.square(1).focus()

    guest.page.keyboard.type("18")
    guest.page.keyboard.press("Enter")
    guest.page.keyboard.press("ArrowUp")
    there = focused_square(guest.page)
    guest.page.keyboard.press("Space")
    assert fen(guest) == f"W:W18,{there}:B"
    guest.page.keyboard.press("Delete")

    assert fen(guest) == "W:W18:B"


@pytest.mark.parametrize("by_the_browser", [True, False])
def test_an_illegal_position_is_explained(new_visitor: NewVisitor, *, by_the_browser: bool) -> None:
    guest = editor(new_visitor)
    if not by_the_browser:
        guest.page.route("**/*.wasm", lambda route: route.abort())
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url.removeprefix(guest.address)))
    guest.square(3).click()
    guest.page.get_by_label("red man").check()
    guest.square(30).click()

    expect(guest.status).to_have_text("This position is not possible in American checkers.")
    expect(guest.page.locator(".reasons li")).to_have_text(
        [
            "A man of Red can't stand on 30: it would have been crowned there.",
            "A man of White can't stand on 3: it would have been crowned there.",
        ]
    )
    expect(guest.square(30)).to_have_accessible_name("30, red man, not allowed here")
    expect(guest.page.get_by_role("link", name="Analyse this position")).to_have_count(0)
    expect(guest.page.get_by_role("link", name="SVG")).to_have_count(0)
    guest.square(30).click()
    expect(guest.square(3)).to_have_accessible_name("3, white man, not allowed here")
    assert any(path.startswith("/analysis/") for path in asked) is not by_the_browser
    guest.console_errors.clear()


def test_a_position_can_be_played_on_from_either_side(new_visitor: NewVisitor) -> None:
    guest = editor(new_visitor, "W:W18:BK9")

    guest.page.get_by_label("Red", exact=True).check()
    expect(guest.status).to_contain_text("Red to move.")
    guest.open_link("Analyse this position")

    expect(guest.status).to_have_text("Red to move.")
    expect(guest.square(9)).to_have_accessible_name("9, red king, can move")


def test_the_url_restores_the_position(new_visitor: NewVisitor) -> None:
    guest = editor(new_visitor)
    guest.square(18).click()
    guest.page.keyboard.press("f")
    guest.square(22).click()

    guest.go(guest.path)

    assert fen(guest) == "W:W18,22:B"
    expect(guest.page.locator("checkers-board button").first).to_have_attribute("data-square", "1")


def test_pictures_are_saved_as_svg_and_png(new_visitor: NewVisitor) -> None:
    guest = editor(new_visitor, "W:W18:BK9")
    expect(guest.page.get_by_role("link", name="SVG")).to_be_visible()

    with guest.page.expect_download() as svg:
        guest.page.get_by_role("link", name="SVG").click()
    with guest.page.expect_download() as png:
        guest.page.get_by_role("button", name="PNG").click()

    assert svg.value.path().read_text() == Position.from_fen("W:W18:BK9").svg(flip=True)
    assert png.value.suggested_filename == "position.png"
    data = png.value.path().read_bytes()
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 1024


@pytest.mark.parametrize("key", ["mule", "parachute", "canadian", "turkish", "alquerque", "hawaiian"])
def test_every_kind_of_piece_of_every_family_can_be_placed(new_visitor: NewVisitor, key: str) -> None:
    guest = editor(new_visitor, variant=key)
    brushes = guest.page.locator(".palette input:not([value='none'])")
    row = VARIANTS[key]
    middle = row.board.squares // 2

    for at in range(brushes.count()):
        brushes.nth(at).check()
        guest.square(middle + at).click()
        name = brushes.nth(at).locator("xpath=following-sibling::span").inner_text()
        expect(guest.square(middle + at)).to_have_accessible_name(re.compile(f", {name}"))

    assert guest.page.locator("checkers-board svg.piece").count() == brushes.count()
