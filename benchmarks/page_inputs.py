"""What pages need from an input to its paint, on a device whose processor is slower.

Counted is the processor time of the page's main thread, which other programs on a busy machine hardly change.
"""

from __future__ import annotations

from playwright.sync_api import Locator, Route, ViewportSize

from tests.browser.pointer import devtools, middle_of
from tests.browser.visitors import Visitor

_CHOICES = ("Wood", "Modern", "Around the board", "Tournament", "Usual for the game", "In the squares")
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"


class Meter:
    """The inputs of a visitor, and the milliseconds that each takes on a slow device until it is painted."""

    def __init__(self, visitor: Visitor, *, slowed: int) -> None:
        self.page, self.slowed, self.wire = visitor.page, slowed, devtools(visitor.page)
        self.times: dict[str, float] = {}
        self.wire.send("Performance.enable", {"timeDomain": "threadTicks"})

    def click(self, name: str, target: Locator) -> None:
        """Press and release the mouse over something."""
        self.page.mouse.move(*middle_of(target))
        self.page.evaluate(_PAINTED)
        before = self._spent()
        self.page.mouse.down()
        self.page.mouse.up()
        self._note(name, before)

    def choose(self, label: str, form: Locator) -> None:
        """Choose something that is not chosen yet."""
        field = form.get_by_label(label, exact=True)
        field.evaluate(
            "(element) => element.scrollIntoView({ block: 'center' })"
        )  # not behind the menu of a phone
        self.click(f'choose "{label}"', field)

    def press(self, name: str, key: str) -> None:
        """Press and release a key."""
        before = self._spent()
        self.page.keyboard.press(key)
        self._note(name, before)

    def _note(self, name: str, before: float) -> None:
        self.page.evaluate(_PAINTED)
        self.times[name] = (self._spent() - before) * self.slowed

    def _spent(self) -> float:
        """The processor time of the main thread so far, in milliseconds."""
        metrics = self.wire.send("Performance.getMetrics")["metrics"]
        (seconds,) = (metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        return float(seconds) * 1000


def inputs(player: Visitor, other: Visitor, *, viewport: ViewportSize, slowed: int) -> dict[str, float]:
    """Milliseconds of each input on the page of a new game, until its first move is on its way."""
    game = player.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})["id"]
    other.call(f"/waiting-room/{game}/join")
    player.page.set_viewport_size(viewport)
    player.go(f"/games/{game}/")
    held: list[Route] = []  # what is answered meanwhile would be counted
    player.page.route("**/games/**", lambda route: held.append(route))
    meter = Meter(player, slowed=slowed)
    meter.click("open a menu", player.page.locator("[data-menu] summary").first)
    meter.press("close it", "Escape")
    meter.click("open the board settings", player.page.get_by_role("button", name="Board settings"))
    for label in _CHOICES:
        meter.choose(label, player.page.get_by_role("dialog"))
    meter.press("close them", "Escape")
    meter.click("select a piece", player.square(10))
    meter.click("select another", player.square(11))
    meter.click("hop", player.square(15))
    with player.page.expect_request("**/games/**"):
        meter.click("submit", player.submit)
    for route in held:
        route.continue_()
    player.expect_move_made(1)
    player.page.unroute("**/games/**")
    return meter.times


def preferences(member: Visitor, *, viewport: ViewportSize, slowed: int) -> dict[str, float]:
    """Milliseconds of each choice on the page of preferences, whose board shows it."""
    member.page.set_viewport_size(viewport)
    member.go("/preferences/")
    meter = Meter(member, slowed=slowed)
    for label in _CHOICES:
        meter.choose(label, member.page.locator("form.chosen"))
    return meter.times
