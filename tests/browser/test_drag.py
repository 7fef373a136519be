"""Dragging pieces by mouse, pen and touch; illegal drops go back; pages still scroll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.pointer import drag_by_touch, drag_with_mouse, drag_with_pen, middle, swipe
from tests.browser.test_board import hint, try_board
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
Drag = Callable[..., None]


def trial(new_visitor: NewVisitor, fen: str = "", **options: Any) -> Visitor:
    """A guest on the analysis board, in a window with options."""
    guest = new_visitor(**options)
    guest.go(f"/analysis/?fen={fen}")
    return guest


@pytest.mark.parametrize("drag", [drag_with_mouse, drag_with_pen])
def test_a_piece_is_dragged_to_where_it_goes(new_visitor: NewVisitor, drag: Drag) -> None:
    guest = trial(new_visitor)

    drag(guest, 11, 15)

    expect(guest.page.locator(".plies")).to_contain_text("11-15")
    expect(guest.status).to_have_text("White to move.")


def test_a_piece_is_dragged_with_a_finger(new_visitor: NewVisitor) -> None:
    guest = trial(new_visitor, **PHONE)

    drag_by_touch(guest, 11, 15)

    expect(guest.page.locator(".plies")).to_contain_text("11-15")
    assert guest.page.evaluate("scrollY") == 0


def test_a_capture_is_dragged_hop_by_hop_or_to_its_end(new_visitor: NewVisitor) -> None:
    fen = "W:W26:B22,14,6,7,28"
    hops, whole = trial(new_visitor, fen), trial(new_visitor, fen)

    drag_with_mouse(hops, 26, 17)
    expect(hops.square(10)).to_have_attribute("data-state", "selected")
    drag_with_mouse(hops, 10, 1)
    drag_with_mouse(whole, 26, 3)

    expect(hops.page.locator(".plies")).to_contain_text("26x1")
    expect(whole.page.locator(".plies")).to_contain_text("26x3")


def test_a_piece_dropped_outside_the_board_goes_back(new_visitor: NewVisitor) -> None:
    guest = trial(new_visitor)

    drag_with_mouse(guest, 11, 15, off=(5, 5))

    expect(guest.square(11)).to_have_attribute("data-state", "movable")
    expect(guest.page.locator("[style], [data-held], [data-above]")).to_have_count(0)
    assert hint(guest) == "Move cancelled."


def test_a_piece_dropped_on_an_illegal_square_goes_back(new_visitor: NewVisitor) -> None:
    guest = trial(new_visitor)

    drag_with_mouse(guest, 11, 20)

    expect(guest.square(11)).to_have_attribute("data-state", "movable")
    expect(guest.status).to_have_text("Red to move.")


def test_a_tiny_drag_counts_as_a_click(new_visitor: NewVisitor) -> None:
    guest = trial(new_visitor)
    x, y = middle(guest, 11)

    guest.page.mouse.move(x, y)
    guest.page.mouse.down()
    guest.page.mouse.move(x + 2, y + 2)
    expect(guest.page.locator("[data-held]")).to_have_count(0)
    guest.page.mouse.up()

    expect(guest.square(15)).to_have_attribute("data-state", "target")


def test_escape_cancels_a_drag(new_visitor: NewVisitor) -> None:
    guest = trial(new_visitor)
    guest.page.mouse.move(*middle(guest, 11))
    guest.page.mouse.down()
    guest.page.mouse.move(*middle(guest, 15), steps=3)
    expect(guest.square(15)).to_have_attribute("data-over", "")
    x, _y = middle(guest, 15)
    held = guest.page.locator("[data-held]").bounding_box()
    assert held is not None
    assert abs(held["x"] + held["width"] / 2 - x) < 3

    guest.page.keyboard.press("Escape")

    expect(guest.page.locator("[data-held]")).to_have_count(0)
    guest.page.mouse.up()
    expect(guest.status).to_have_text("Red to move.")


def test_a_piece_that_may_not_move_says_why_when_it_is_dragged(new_visitor: NewVisitor) -> None:
    guest = try_board(new_visitor, "W:W22,30:B17,4")

    drag_with_mouse(guest, 30, 26)

    assert hint(guest) == "You must jump with 22."
    expect(guest.page.locator("[data-held]")).to_have_count(0)


@pytest.mark.parametrize(("square", "scrolls"), [(15, True), (23, True), (11, False)])
def test_swiping_scrolls_the_page_except_on_a_movable_piece(
    new_visitor: NewVisitor, square: int, scrolls: bool
) -> None:
    guest = trial(new_visitor, **PHONE)
    x, y = middle(guest, square)

    swipe(guest, (x, y), up=180)

    if scrolls:
        guest.page.wait_for_function("scrollY > 60")
    else:
        assert guest.page.evaluate("scrollY") == 0


def test_a_drag_right_after_the_page_has_loaded_counts(new_visitor: NewVisitor) -> None:
    guest = trial(new_visitor)

    moved = guest.page.evaluate(
        """() => {
          const board = document.querySelector("checkers-board");
          const fresh = board.cloneNode(true);
          board.replaceWith(fresh);
          const button = fresh.querySelector("button[data-square='11']");
          const at = button.getBoundingClientRect();
          const dispatch = (type, by) => button.dispatchEvent(new PointerEvent(type, {
            bubbles: true, isPrimary: true, pointerId: 7, button: 0,
            clientX: at.x + 9 + by, clientY: at.y + 9,
          }));
          dispatch("pointerdown", 0);
          dispatch("pointermove", 20);
          return fresh.querySelectorAll("[data-held]").length;
        }"""
    )

    assert moved == 1
