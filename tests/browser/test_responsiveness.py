"""What the page of a game needs from an input to its paint, on a device whose processor is four times slower.

Counted is the processor time of the page's main thread, which other programs on a busy machine do not change.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import CDPSession, Locator, Route

from tests.browser.accessibility import DESKTOP, PHONE
from tests.browser.conftest import NewVisitor
from tests.browser.pointer import devtools, middle_of
from tests.browser.test_live import start_game
from tests.browser.visitors import Visitor

pytestmark = pytest.mark.browser

SLOWER = 4  # times
# Milliseconds: all took 20 to 85 when this was written. A slower machine, or garbage that is collected just
# then, has room; what is called good is 200.
LONGEST = 150
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class Meter:
    """The inputs of a visitor, and the milliseconds that each takes on a slow device until it is painted."""

    def __init__(self, visitor: Visitor) -> None:
        self.page, self.wire = visitor.page, devtools(visitor.page)
        self.times: dict[str, float] = {}
        self.wire.send("Performance.enable", {"timeDomain": "threadTicks"})

    def click(self, name: str, target: Locator) -> None:
        """Press and release the mouse over something."""
        self.page.mouse.move(*middle_of(target))
        self.page.evaluate(_PAINTED)
        before = spent(self.wire)
        self.page.mouse.down()
        self.page.mouse.up()
        self._note(name, before)

    def press(self, name: str, key: str) -> None:
        """Press and release a key."""
        before = spent(self.wire)
        self.page.keyboard.press(key)
        self._note(name, before)

    def _note(self, name: str, before: float) -> None:
        self.page.evaluate(_PAINTED)
        self.times[name] = round((spent(self.wire) - before) * SLOWER)


def spent(wire: CDPSession) -> float:
    """The processor time of the main thread so far, in milliseconds."""
    metrics = wire.send("Performance.getMetrics")["metrics"]
    (seconds,) = (metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
    return float(seconds) * 1000


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_page_of_a_game_answers_at_once(new_visitor: NewVisitor, size: dict[str, int]) -> None:
    width, height = size["width"], size["height"]
    red, _white = start_game(new_visitor, f"quick-red-{width}", f"quick-white-{width}")
    red.page.set_viewport_size({"width": width, "height": height})
    held: list[Route] = []
    red.page.route("**/games/**", lambda route: held.append(route))
    meter = Meter(red)

    meter.click("open a menu", red.page.locator("[data-menu] summary").first)
    meter.press("close it", "Escape")
    meter.click("open the settings", red.page.get_by_role("button", name="Board settings"))
    meter.press("close them", "Escape")
    meter.click("select a piece", red.square(10))
    meter.click("select another", red.square(11))
    meter.click("hop", red.square(15))
    with red.page.expect_request("**/games/**"):
        meter.click("submit", red.submit)
    held.pop().continue_()
    red.expect_move_made(1)
    assert {name: time for name, time in meter.times.items() if not 0 < time < LONGEST} == {}
