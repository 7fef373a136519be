"""Nothing lies over the board or a clock of a game, nor moves them: no notice, and no offer."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import NewVisitor
from tests.browser.test_live import start_game, submit
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

LIVE = {"clock": {"initial": 600, "increment": 0}}
PHONE: ViewportSize = {"width": 360, "height": 560}
LANDSCAPE: ViewportSize = {"width": 560, "height": 360}
ZOOMED: ViewportSize = {"width": 640, "height": 400}
TINY: ViewportSize = {"width": 320, "height": 256}
DESKS: list[ViewportSize] = [{"width": 1280, "height": 800}, {"width": 1366, "height": 768}]
WINDOWS = [PHONE, LANDSCAPE, *DESKS]
# Whether two elements, the first of each selector, have a place of the window in common.
_MEETS = """([one, other]) => {
  const [a, b] = [one, other].map((selector) => document.querySelector(selector).getBoundingClientRect());
  return a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
}"""
_UPPER, _LOWER = (f".play .strip:{which}-child .clock" for which in ("first", "last"))
_NOTICE = """(page) => {
  const box = document.createElement("div");
  box.role = "status";
  box.innerHTML = "<ul class=notices><li class=notice data-level=success>The game has started.</ul>";
  page.prepend(box);
}"""


def meets(page: Page, one: str, other: str) -> bool:
    """Whether two parts of a page have a place of the window in common."""
    found: bool = page.evaluate(_MEETS, [one, other])
    return found


def places(page: Page) -> list[object]:
    """Where board and clocks are."""
    return [part.bounding_box() for part in page.locator(".board-form, .play .clock").all()]


def test_what_the_club_says_neither_moves_nor_covers_board_and_clocks(new_visitor: NewVisitor) -> None:
    correspondence = start_game(new_visitor, "says-red", "says-white")
    live = start_game(new_visitor, "tells-red", "tells-white", **LIVE)
    for player in (correspondence[1], live[1]):
        for window in WINDOWS:
            player.page.set_viewport_size(window)
            player.go(player.path)
            before = places(player.page)
            player.page.locator("main").evaluate(_NOTICE)
            expect(player.page.locator(".notice")).to_be_in_viewport(ratio=1)
            assert places(player.page) == before, window
            for part in (".board-form", _UPPER, _LOWER):
                assert not meets(player.page, ".notice", part), (window, part)


@pytest.mark.parametrize("window", [PHONE, DESKS[0]], ids=["phone", "desk"])
def test_why_a_typed_move_is_refused_stands_beside_its_field(
    new_visitor: NewVisitor, window: ViewportSize
) -> None:
    size = window["width"]
    red, _ = start_game(new_visitor, f"beside-red-{size}", f"beside-white-{size}")
    red.page.set_viewport_size(window)
    red.go(red.path)
    before = places(red.page)

    red.field.fill("1-99")
    red.page.keyboard.press("Enter")

    why = red.page.locator(".submit-bar [role='alert']")
    expect(why).to_have_text("That move is not legal here. There is no such square on this board.")
    expect(red.field).to_have_accessible_description(why.inner_text())
    expect(red.page.locator(".notice")).to_have_count(0)
    red.page.evaluate("document.activeElement.blur()")
    red.page.evaluate("scrollTo(0, 0)")
    expect(why).to_be_in_viewport(ratio=1)
    assert places(red.page) == before
    assert len(red.console_errors) == 1
    assert "422" in red.console_errors.pop()


def test_an_offer_on_a_phone_leaves_the_clocks_and_the_icons(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "uncovered-red", "uncovered-white", **LIVE)
    submit(red, 11, 15)
    white.expect_turn()
    submit(white, 22, 18)
    red.expect_turn()
    for player in (red, white):
        player.page.set_viewport_size(PHONE)
    before = places(red.page)

    white.call(f"/games/{white.path.split('/')[2]}/draw-offer")

    offered = white.page.get_by_role("button", name="Draw offered")
    expect(offered).to_be_disabled()
    expect(offered).to_be_in_viewport(ratio=1)
    resign = white.page.get_by_role("button", name="Resign")
    expect(resign).to_be_in_viewport(ratio=1)
    resign.click(trial=True)
    accept = red.page.get_by_role("button", name="Accept")
    expect(accept).to_be_in_viewport(ratio=0.9)
    assert places(red.page) == before
    for window in (PHONE, LANDSCAPE, TINY):
        red.page.set_viewport_size(window)
        red.page.evaluate("scrollTo(0, 0)")
        for part in (".board-form", _UPPER, _LOWER):
            assert not meets(red.page, ".offer:has(.button):not([hidden])", part), (window, part)
        red.page.get_by_role("button", name="Resign").click(trial=True)

    red.page.set_viewport_size(PHONE)
    submit(red, 15, 22)
    expect(offered).to_be_hidden()


def test_in_a_low_window_a_long_time_leaves_the_number_of_captured_pieces(new_visitor: NewVisitor) -> None:
    red, white = start_game(new_visitor, "low-red", "low-white")
    for player, *squares in ((red, 11, 15), (white, 22, 18), (red, 15, 22), (white, 25, 18)):
        player.expect_turn()
        submit(player, *squares)
    red.expect_turn()

    for window in (LANDSCAPE, ZOOMED):
        red.page.set_viewport_size(window)
        count, clock = (f".play .strip:last-child {part}" for part in ("[data-count]", ".clock-time"))
        red.page.locator(clock).evaluate("(place) => { place.textContent = '16 hours 27 minutes'; }")
        assert not meets(red.page, count, ".play .strip:last-child .clock"), window


def claimable(visitor: Visitor) -> None:
    """Show the strip by which a player claims the game of an opponent who has left."""
    visitor.page.locator("form[data-abandoned]").evaluate("(form) => form.removeAttribute('hidden')")


def test_the_way_to_claim_the_game_leaves_the_board(new_visitor: NewVisitor) -> None:
    red, _ = start_game(new_visitor, "claims-red", "claims-white", **LIVE)
    for window in (TINY, PHONE, LANDSCAPE):
        red.page.set_viewport_size(window)
        claimable(red)
        assert not meets(red.page, "form[data-abandoned]", ".board-form"), window
