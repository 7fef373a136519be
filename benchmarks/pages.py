"""Measures the club's pages in headless Chromium, for results/: `PYTHONPATH=. python benchmarks/pages.py`.

A club of its own is served on this machine, over loopback. The machine should be quiet: its load is noted.
With `--dry` the figures are only printed.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from crownhead import Game
from page_inputs import inputs, preferences
from pages_report import Series, write
from tests.browser.conftest import CHROMIUM
from tests.browser.pointer import devtools
from tests.browser.visitors import Visitor, open_window
from tests.club import Club

SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SLOWED = 4  # times
VISITS = 15
MOVES = 40
DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}

# Adds up what shifts without being touched.
_SHIFTS = """
globalThis.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) shifted += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
_FIRST_PAINT = """new Promise((found) => {
  new PerformanceObserver((list) => {
    for (const {name, startTime} of list.getEntries()) if (/contentful/.test(name)) found(startTime);
  }).observe({type: "paint", buffered: true});
})"""
# Notes when Submit is pressed, in milliseconds that the two windows share.
_PRESSED = """addEventListener("click", (event) => {
  if (event.target.closest(".submit-bar button")) {
    globalThis.pressed = performance.timeOrigin + performance.now();
  }
}, true);"""
# Tells when the board has the position after a ply, and when that has been painted.
_AWAIT_PLY = """(ply) => {
  const now = () => performance.timeOrigin + performance.now();
  globalThis.arrived = new Promise((told) => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector(`.plies a[href="?ply=${ply}"]`)) return;
      watch.disconnect();
      const seen = now();
      requestAnimationFrame(() => setTimeout(() => told([seen, now()])));
    });
    watch.observe(document.body, {childList: true, subtree: true, attributes: true});
  });
}"""


@dataclass(frozen=True, slots=True)
class Table:
    """Two players at a game, each in a window."""

    first: Visitor
    second: Visitor
    path: str


@contextmanager
def served() -> Iterator[str]:
    """A fresh club; its address."""
    with tempfile.TemporaryDirectory() as folder:
        club = Club(Path(folder) / "data")
        club.start()
        try:
            yield club.address
        finally:
            club.stop()


def sit_down(browser: Browser, address: str) -> Table:
    """Two members begin a game."""
    first, second = (open_window(browser, address, viewport=DESKTOP) for _ in range(2))
    first.sign_up("anna")
    second.sign_up("bob")
    path = first.offer()
    second.take_from_waiting_room("anna")
    first.expect_turn()
    return Table(first, second, path)


def weight(browser: Browser, address: str, path: str) -> tuple[int, int]:
    """The bytes that a first visit moves over the wire, headers and all, and in how many answers."""
    visitor = open_window(browser, address, viewport=DESKTOP)
    wire = devtools(visitor.page)
    wire.send("Network.enable")
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    visitor.go(path)
    visitor.page.wait_for_load_state("networkidle")
    visitor.page.context.close()
    return round(sum(sizes)), len(sizes)


def paints(browser: Browser, address: str, path: str, *, again: bool) -> Series:
    """Milliseconds to the first contentful paint on a slowed processor, and the most that shifted.

    Each visit is a first one, nothing being kept; ``again``: the visitor has been on the site before.
    """
    found, shifts = [], []
    for number in range(VISITS):
        visitor = open_window(browser, address, viewport=PHONE if number % 2 else DESKTOP)
        visitor.page.add_init_script(_SHIFTS)
        devtools(visitor.page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        if again:
            visitor.go("/rules/")
        visitor.go(path)
        found.append(float(visitor.page.evaluate(_FIRST_PAINT)))
        shifts.append(float(visitor.page.evaluate("shifted")))
        visitor.page.context.close()
    return Series(found, worst_shift=max(shifts))


def round_trips(table: Table) -> tuple[Series, Series]:
    """Milliseconds from pressing Submit until the opponent's board has the move, and until it is painted."""
    seen, painted, shifts = [], [], []
    players = (table.first, table.second)
    for player in players:
        player.page.add_init_script(_PRESSED)
        player.page.add_init_script(_SHIFTS)
        player.go(table.path)
    for ply, text in enumerate(a_game(), 1):
        mover, other = players if ply % 2 else reversed(players)
        mover.field.fill(text)
        other.page.evaluate(_AWAIT_PLY, ply)
        mover.page.get_by_role("button", name="Submit").click()
        there, shown = other.page.evaluate("arrived")
        pressed = mover.page.evaluate("pressed")
        seen.append(there - pressed)
        painted.append(shown - pressed)
        shifts.append(other.page.evaluate("shifted"))
        mover.expect_move_made(ply)
        other.expect_turn()
    return Series(seen, worst_shift=max(shifts)), Series(painted, worst_shift=max(shifts))


def inputs_by_name(table: Table) -> list[list[str]]:
    """The lines for each input on the pages of a game and of preferences, on desktops and phones."""
    found: dict[str, list[float]] = {}
    for number in range(VISITS):
        viewport = PHONE if number % 2 else DESKTOP
        of_game = inputs(table.first, table.second, viewport=viewport, slowed=SLOWED)
        of_preferences = preferences(table.first, viewport=viewport, slowed=SLOWED)
        for page, times in (("a game", of_game), ("preferences", of_preferences)):
            for name, time in times.items():
                found.setdefault(f"{page}: {name}", []).append(time)
    return [[name, "100 ms", *Series(times).told("ms")] for name, times in found.items()]


def a_game() -> list[str]:
    """Moves enough, the same on every run."""
    for seed in range(1000):
        dice, game = random.Random(seed), Game("american")
        while len(game.moves) < MOVES and game.outcome() is None:
            game.push(dice.choice(game.position.legal_moves()))
        if len(game.moves) == MOVES and game.outcome() is None:
            return list(game.notations())
    raise AssertionError("expected one of a thousand games to last")


def measure(browser: Browser, address: str) -> list[list[str]]:
    """All figures, as lines of the table: what, the goal, what was found."""
    table = sit_down(browser, address)
    answers_to_inputs = inputs_by_name(table)
    seen, painted = round_trips(table)
    lines = [
        ["from Submit to the opponent's board", "150 ms", *seen.told("ms")],
        ["until it is painted there", "", *painted.told("ms")],
        ["layout shift while the opponent moves", "0", f"{seen.worst_shift:.4g}", "", ""],
        *answers_to_inputs,
    ]
    for name, path in (
        ("a game", table.path),
        ("the front page", "/"),
        ("the rules of a game", "/rules/russian/"),
    ):
        size, answers = weight(browser, address, path)
        lines.append(
            [
                f"first visit of {name}, transferred",
                "60 KB" if name == "a game" else "100 KB",
                f"{size / 1024:.1f} KB",
                "",
                f"{answers} answers",
            ]
        )
        for again in (False, True):
            found = paints(browser, address, path, again=again)
            title = f"first contentful paint of {name}, {'again' if again else 'first visit'}"
            lines.append([title, "800 ms", *found.told("ms")])
            lines.append(
                [
                    f"layout shift of {name}, {'again' if again else 'first visit'}",
                    "0",
                    f"{found.worst_shift:.4g}",
                    "",
                    "",
                ]
            )
    return lines


def main() -> None:
    """Measure, print, and write the section."""
    parser = argparse.ArgumentParser(description="measure the club's pages in headless Chromium")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    chosen = parser.parse_args()
    before = os.getloadavg()[0]
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        lines = measure(browser, address)
        version = browser.version
        browser.close()
    for line in lines:
        print(" | ".join(line))
    if not chosen.dry:
        write(lines, chromium=version, load=before, slowed=SLOWED)


if __name__ == "__main__":
    main()
