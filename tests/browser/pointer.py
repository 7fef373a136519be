"""Drags pieces on a board by mouse, touch or pen."""

from __future__ import annotations

from itertools import pairwise

from playwright.sync_api import CDPSession, Locator, Page

from tests.browser.visitors import Visitor

Point = tuple[float, float]

REST = 150  # milliseconds


def middle(visitor: Visitor, square: int) -> Point:
    """The centre of a square on the screen."""
    return middle_of(visitor.square(square))


def middle_of(place: Locator) -> Point:
    """The centre of an element on the screen."""
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_with_mouse(visitor: Visitor, *squares: int, off: Point | None = None) -> None:
    """Press on the first square and release on the last, or at ``off`` outside the board."""
    points = [middle(visitor, square) for square in squares] + ([off] if off else [])
    mouse = visitor.page.mouse
    mouse.move(*points[0])
    mouse.down()
    for point in points[1:]:
        mouse.move(*point, steps=4)
    mouse.up()


def drag_by_touch(visitor: Visitor, *squares: int) -> None:
    """The same by touch; the finger rests before it is lifted, or it would be a fling."""
    points = [middle(visitor, square) for square in squares]
    screen = devtools(visitor.page)
    _touch(screen, "touchStart", points[0])
    for before, after in pairwise(points):
        for part in (0.25, 0.5, 0.75, 1.0):
            at = before[0] + part * (after[0] - before[0]), before[1] + part * (after[1] - before[1])
            _touch(screen, "touchMove", at)
    visitor.page.wait_for_timeout(REST)
    _touch(screen, "touchMove", points[-1])
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def swipe(visitor: Visitor, start: Point, *, up: float) -> None:
    """Swipe upwards, as for scrolling."""
    screen = devtools(visitor.page)
    _touch(screen, "touchStart", start)
    for step in range(1, 11):
        _touch(screen, "touchMove", (start[0], start[1] - up * step / 10))
    screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def drag_with_pen(visitor: Visitor, *squares: int) -> None:
    """The same by pen."""
    points = [middle(visitor, square) for square in squares]
    screen = devtools(visitor.page)
    _pen(screen, "mousePressed", points[0])
    for point in points[1:]:
        _pen(screen, "mouseMoved", point)
    _pen(screen, "mouseReleased", points[-1])


def devtools(page: Page) -> CDPSession:
    """A session of the DevTools protocol."""
    return page.context.new_cdp_session(page)


def _touch(screen: CDPSession, kind: str, at: Point) -> None:
    screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]})


def _pen(screen: CDPSession, kind: str, at: Point) -> None:
    held = kind != "mouseReleased"
    event = {"type": kind, "x": at[0], "y": at[1], "button": "left", "buttons": int(held), "clickCount": 1}
    screen.send("Input.dispatchMouseEvent", {**event, "pointerType": "pen"})
