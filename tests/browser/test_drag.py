"""Pieces are dragged with mouse, pen and finger; what is dropped elsewhere goes back; pages scroll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Seat
from tests.browser.hands import drag_with_finger, drag_with_mouse, drag_with_pen, middle, swipe
from tests.browser.test_board import hint, try_board
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
Drag = Callable[..., None]


def trial(seat: Seat, fen: str = "", **options: Any) -> Visitor:
    """A guest at the try-out board, with the options of his window."""
    guest = seat(**options)
    guest.go(f"/try/?fen={fen}")
    return guest


@pytest.mark.parametrize("drag", [drag_with_mouse, drag_with_pen])
def test_a_piece_is_dragged_to_where_it_goes(seat: Seat, drag: Drag) -> None:
    guest = trial(seat)

    drag(guest, 11, 15)

    expect(guest.page.locator(".plies")).to_contain_text("11-15")
    expect(guest.status).to_have_text("White to move.")


def test_a_piece_is_dragged_with_a_finger(seat: Seat) -> None:
    guest = trial(seat, **PHONE)

    drag_with_finger(guest, 11, 15)

    expect(guest.page.locator(".plies")).to_contain_text("11-15")
    assert guest.page.evaluate("scrollY") == 0


def test_a_capture_is_dragged_hop_by_hop_or_to_its_end(seat: Seat) -> None:
    fen = "W:W26:B22,14,6,7,28"
    hops, whole = trial(seat, fen), trial(seat, fen)

    drag_with_mouse(hops, 26, 17)
    expect(hops.square(10)).to_have_attribute("data-state", "selected")
    drag_with_mouse(hops, 10, 1)
    drag_with_mouse(whole, 26, 3)

    expect(hops.page.locator(".plies")).to_contain_text("26x1")
    expect(whole.page.locator(".plies")).to_contain_text("26x3")


def test_what_is_dropped_outside_goes_back(seat: Seat) -> None:
    guest = trial(seat)

    drag_with_mouse(guest, 11, 15, off=(5, 5))

    expect(guest.square(11)).to_have_attribute("data-state", "movable")
    expect(guest.page.locator("[style], [data-held], [data-above]")).to_have_count(0)
    assert hint(guest) == "Move cancelled."


def test_what_is_dropped_where_it_cannot_go_goes_back(seat: Seat) -> None:
    guest = trial(seat)

    drag_with_mouse(guest, 11, 20)

    expect(guest.square(11)).to_have_attribute("data-state", "movable")
    expect(guest.status).to_have_text("Red to move.")


def test_a_pointer_that_trembles_is_a_click(seat: Seat) -> None:
    guest = trial(seat)
    x, y = middle(guest, 11)

    guest.page.mouse.move(x, y)
    guest.page.mouse.down()
    guest.page.mouse.move(x + 2, y + 2)
    expect(guest.page.locator("[data-held]")).to_have_count(0)
    guest.page.mouse.up()

    expect(guest.square(15)).to_have_attribute("data-state", "target")


def test_a_held_piece_follows_and_escape_lets_it_go(seat: Seat) -> None:
    guest = trial(seat)
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


def test_a_piece_that_may_not_move_says_why_when_it_is_dragged(seat: Seat) -> None:
    guest = try_board(seat, "W:W22,30:B17,4")

    drag_with_mouse(guest, 30, 26)

    assert hint(guest) == "You must jump with 22."
    expect(guest.page.locator("[data-held]")).to_have_count(0)


@pytest.mark.parametrize(("square", "scrolls"), [(15, True), (23, True), (11, False)])
def test_a_finger_scrolls_the_page_unless_it_is_on_a_piece_that_can_move(
    seat: Seat, square: int, scrolls: bool
) -> None:
    guest = trial(seat, **PHONE)
    x, y = middle(guest, square)

    swipe(guest, (x, y), up=180)

    if scrolls:
        guest.page.wait_for_function("scrollY > 60")
    else:
        assert guest.page.evaluate("scrollY") == 0


def test_a_drag_while_the_page_is_new_is_not_listened_to(seat: Seat) -> None:
    guest = trial(seat)

    moved = guest.page.evaluate(
        """() => {
          const board = document.querySelector("checkers-board");
          const fresh = board.cloneNode(true);
          board.replaceWith(fresh);
          const spot = fresh.querySelector("button[data-square='11']");
          const at = spot.getBoundingClientRect();
          const told = (type, by) => spot.dispatchEvent(new PointerEvent(type, {
            bubbles: true, isPrimary: true, pointerId: 7, button: 0,
            clientX: at.x + 9 + by, clientY: at.y + 9,
          }));
          told("pointerdown", 0);
          told("pointermove", 20);
          return fresh.querySelectorAll("[data-held]").length;
        }"""
    )

    assert moved == 0
