"""Walks the daily ways of members in headless Chromium: `PYTHONPATH=. python benchmarks/journeys.py`.

Each step is one action (a click, a touch or a filled field), timed from the action until the page shows
what it led to. A club of its own is served on this machine, over loopback; the machine should be quiet.
With `--dry` the figures are only printed.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from journeys_report import ELSEWHERE, Walk, write
from pages import PHONE as TALL_PHONE
from pages import SLOWED, SWITCHES, served
from tests.browser.conftest import CHROMIUM
from tests.browser.visitors import PASSWORD, Visitor, open_window

DESKTOP: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 360, "height": 560}
_HAS = """([selector, text]) => [...document.querySelectorAll(selector)].some(
  (one) => one.checkVisibility() && one.textContent.includes(text))"""
_FIRST_MOVE = "document.querySelector('checkers-board').moves[0].path"
_SUBMIT = ".submit-bar:not([hidden]) > button"
_ENOUGH = 20_000  # milliseconds


@dataclass(slots=True)
class Walker:
    """Notes what somebody does in a window, and how long each page takes to follow."""

    visitor: Visitor
    walk: Walk

    @property
    def page(self) -> Page:
        """The page in the window."""
        return self.visitor.page

    def does(
        self, what: str, act: Callable[[], object], selector: str, text: str = "", *, count: int = 1
    ) -> None:
        """One step; it is over when something visible that fits ``selector`` has ``text``."""
        begun = time.perf_counter()
        act()
        self.page.wait_for_function(_HAS, arg=[selector, text], polling="raf", timeout=_ENOUGH)
        self.walk.add(what, actions=count, seconds=time.perf_counter() - begun)

    def opens(self, path: str, selector: str, text: str = "") -> None:
        """Where the way begins: no action of the way itself."""
        self.does(f"opens `{path}`", lambda: self.visitor.go(path), selector, text, count=0)

    def moves(self, origin: int, target: int, selector: str, text: str = "") -> None:
        """Touches a man and where it goes."""
        square = self.visitor.square
        self.does(f"touches {origin}", square(origin).click, f"[data-square='{target}'][data-state='target']")
        self.does(f"touches {target}", square(target).click, selector, text)


def first_move_of_a_visitor(walker: Walker) -> None:
    """From the front page to a move and its answer, without an account."""
    walker.opens("/", "checkers-board[data-ready]")
    walker.moves(11, 15, "[data-status]", "Your move.")


def first_move_of_a_new_member(walker: Walker) -> None:
    """From the front page through sign-up to a move against the computer."""
    page = walker.page
    walker.opens("/", "checkers-board[data-ready]")
    link = page.get_by_role("link", name="Sign up and play")
    walker.does("presses *Sign up and play*", link.click, "form [name='password1']")
    for label, text in (("Name", "newcomer"), ("E-mail", "newcomer@club.example"), ("Password", PASSWORD)):
        entry = page.locator("main").get_by_label(label)
        walker.does(f"fills in *{label}*", partial(entry.fill, text), "main form")
    button = page.locator("main").get_by_role("button", name="Sign up")
    walker.does("presses *Sign up*", button.click, ".first-steps")
    link = page.locator(".first-steps a").first
    walker.does("presses the first of three steps", link.click, "main form button.large")
    walker.does("presses *Play*", page.locator("main form button.large").click, "checkers-board[data-ready]")
    walker.moves(11, 15, _SUBMIT, "Submit")
    walker.does("presses *Submit*", walker.visitor.submit.click, ".plies a[href='?ply=1']")


def my_games_to_the_next(walker: Walker) -> None:
    """From the list of games to a move in one, and on to the next that waits."""
    page = walker.page
    walker.opens("/", ".games .entry")
    entry = page.locator("main .games a").first
    walker.does("opens the first game", entry.click, ".status strong", "Your turn.")
    here = page.locator("[data-game]").get_attribute("data-game")
    walker.visitor.settle()
    page.locator("[name='then']").select_option("next")  # once: it is kept
    walker.moves(11, 15, _SUBMIT, "Submit")
    there = f"[data-game]:not([data-game='{here}']) .status strong"
    walker.does("presses *Submit*", walker.visitor.submit.click, there, "Your turn.")


def offer_to_live_game(walker: Walker, other: Visitor) -> None:
    """Two people look for a live game; the second finds the offer of the first."""
    page = walker.page
    other.go("/waiting-room/")
    other.page.get_by_role("button", name="5 + 3").click()
    expect(other.status).to_have_text("Waiting for an opponent.")
    walker.opens("/waiting-room/", ".quick")
    button = page.get_by_role("button", name="5 + 3")
    walker.does("presses *5 + 3 live*", button.click, "[data-live-game] .status strong")
    begun = time.perf_counter()
    expect(other.page.locator("[data-live-game] .strip .clock").first).to_be_visible()
    walker.walk.add("(the other is on the board, too)", actions=0, seconds=time.perf_counter() - begun)


def lost_connection(walker: Walker, other: Visitor) -> None:
    """A move is made without a connection, and sent when it is back."""
    page, context = walker.page, walker.page.context
    if walker.visitor.status.inner_text() != "Your turn.":
        raise RuntimeError("expected the walker to be on turn")
    lost = "[data-connection-lost]"
    walker.does("(the connection goes)", lambda: context.set_offline(True), lost, "lost", count=0)
    origin, target = page.evaluate(_FIRST_MOVE)
    walker.moves(int(origin), int(target), lost, "will be sent")
    begun = time.perf_counter()
    context.set_offline(False)
    other.expect_turn()
    walker.walk.add("(it is back: the other has the move)", actions=0, seconds=time.perf_counter() - begun)


def all_ways(browser: Browser, address: str) -> list[Walk]:
    """Every way, those of visitors and lists on a phone as well."""
    walks = []

    def window(name: str, size: ViewportSize) -> Visitor:
        phone = size["width"] < 500
        visitor = open_window(browser, address, viewport=size, has_touch=phone, is_mobile=phone)
        if name:
            visitor.sign_up(name)
        return visitor

    def walks_it(title: str, visitor: Visitor) -> Walker:
        walks.append(Walk(title))
        return Walker(visitor, walks[-1])

    for place, size in (("", DESKTOP), (", phone 360×560", PHONE)):
        first_move_of_a_visitor(walks_it(f"visitor: front page → first move{place}", window("", size)))
    slow = window("", PHONE)
    slow.page.context.new_cdp_session(slow.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    slow_way = f"visitor: front page → first move, phone 360×560 with a processor {SLOWED} times as slow"
    first_move_of_a_visitor(walks_it(slow_way, slow))
    first_move_of_a_new_member(walks_it("sign-up → first move", window("", DESKTOP)))
    for number, (place, size) in enumerate((("", DESKTOP), (", phone 360×560", PHONE))):
        mover, rival = window(f"mover{number}", size), window(f"rival{number}", TALL_PHONE)
        _begin_two(mover, rival)
        my_games_to_the_next(walks_it(f"my games → move → next game{place}", mover))
    second, first = window("second", DESKTOP), window("first", DESKTOP)
    offer_to_live_game(walks_it("offer → live game", second), first)
    sides = (second, first)
    for player in sides:
        player.settle()
    on_turn = next(one for one in sides if one.status.inner_text() == "Your turn.")
    other = next(one for one in sides if one is not on_turn)
    lost_connection(walks_it("lost connection in a live game", on_turn), other)
    return walks


def _begin_two(mover: Visitor, rival: Visitor) -> None:
    """Two games by days in which the mover is on turn."""
    for visitor in (mover, rival):
        visitor.go("/rules/")  # for the cookie that the API asks for
    for _ in range(2):
        game = mover.call("/games", {"variant": "american", "colour": "first", "days_per_move": 3})["id"]
        rival.call(f"/waiting-room/{game}/join")


def main() -> None:
    """Walk, print, and write the section."""
    parser = argparse.ArgumentParser(description="walk the club's daily ways in headless Chromium")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    chosen = parser.parse_args()
    before = os.getloadavg()[0]
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        walks = all_ways(browser, address)
        version = browser.version
        browser.close()
    for walk in walks:
        print(walk.summary(), "| elsewhere:", ELSEWHERE.get(walk.kind, ("", 0))[1])
    if not chosen.dry:
        write(walks, chromium=version, load=before)


if __name__ == "__main__":
    main()
