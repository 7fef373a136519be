"""Measures in Chromium how soon the computer replies on a slow phone: for `browser_module.py`.

A club of its own is served over loopback. The processes that show its page run for a quarter of the time, all
of their threads: Chromium's own way of slowing the processor leaves workers, in which the engine searches, as
fast as they are.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, sync_playwright

from pages import SLOWED, SWITCHES, served
from tests.browser.conftest import CHROMIUM
from tests.browser.visitors import open_window

LEVELS = (1, 2, 3)
SOON = 300  # milliseconds
_USUAL = 3  # the level at which a visitor begins
_VISITS = 2  # whose first move is measured, the quicker one counts
_MOVES = 4  # at each level, of which the slowest counts
_SLICE = 0.004  # seconds that a slowed process runs at a time
_REST = 200  # milliseconds between two moves
# Plays the first legal move, and tells how many milliseconds later the reply was painted.
_MOVE = """(level) => new Promise((told) => {
  const board = document.querySelector("checkers-board");
  const form = document.querySelector("form[data-typed]");
  const choice = document.querySelector("select[data-level]");
  choice.value = String(level);
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  const before = board.lastPly;
  const text = board.withSquareNames(board.moves[0].notation);
  const began = performance.now();
  form.elements.move.value = text;
  board.choose(text);
  form.requestSubmit();
  const look = () => {
    if (board.lastPly < before + 2) setTimeout(look, 2);
    else requestAnimationFrame(() => setTimeout(() => told(performance.now() - began)));
  };
  look();
})"""
# Begins again where the game is over, or would be by the next move.
_AGAIN = """() => {
  const board = document.querySelector("checkers-board");
  if (!board.moves.length || board.lastPly > 11) document.querySelector("[data-begin-again]").click();
}"""
_IS_READY = "() => document.querySelector('checkers-board').moves.length > 0"


@dataclass(frozen=True, slots=True)
class Replies:
    """Milliseconds from a move to the reply: the first, with nothing fetched, and the slowest by level."""

    variant: str
    first: float
    slowest: tuple[float, ...]

    @property
    def are_soon(self) -> bool:
        """Whether each reply after the first is there soon."""
        return max(self.slowest) <= SOON


def replies(variants: Iterable[str]) -> Iterator[Replies]:
    """Measure variant by variant."""
    with sync_playwright() as driver, served() as address:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        for variant in variants:
            visits = [_visit(browser, address, variant) for _ in range(_VISITS)]
            yield Replies(
                variant,
                min(first for first, _ in visits),
                tuple(min(pair) for pair in zip(*(slowest for _, slowest in visits), strict=True)),
            )
        browser.close()


def _visit(browser: Browser, address: str, variant: str) -> tuple[float, list[float]]:
    """The first reply, and the slowest later one at each level; the visitor's browser has nothing yet."""
    visitor = open_window(browser, address, viewport={"width": 360, "height": 740})
    page = visitor.page
    visitor.go(f"/computer/?variant={variant}&colour=first&level={_USUAL}")
    page.wait_for_load_state("networkidle")
    with slowed(_renderers(browser)):
        first = _reply(page, _USUAL)
        slowest = [max(_reply(page, level) for _ in range(_MOVES)) for level in LEVELS]
    page.context.close()
    return first, slowest


def _reply(page: Page, level: int) -> float:
    page.evaluate(_AGAIN)
    page.wait_for_function(_IS_READY)
    page.wait_for_timeout(_REST)
    took: float = page.evaluate(_MOVE, level)
    return took


def _renderers(browser: Browser) -> list[int]:
    wire = browser.new_browser_cdp_session()
    found = wire.send("SystemInfo.getProcessInfo")["processInfo"]
    wire.detach()
    return [process["id"] for process in found if process["type"] == "renderer"]


@contextmanager
def slowed(processes: Sequence[int], *, times: float = SLOWED) -> Iterator[None]:
    """Let processes run for a part of the time only."""
    over = threading.Event()

    def hold() -> None:
        while not over.is_set():
            began = time.perf_counter()
            time.sleep(_SLICE)
            ran = time.perf_counter() - began
            _signal(processes, signal.SIGSTOP)
            time.sleep(ran * (times - 1))
            _signal(processes, signal.SIGCONT)

    thread = threading.Thread(target=hold, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _signal(processes: Sequence[int], which: signal.Signals) -> None:
    for process in processes:
        try:
            os.kill(process, which)
        except ProcessLookupError:  # it has just ended
            continue
