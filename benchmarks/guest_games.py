"""What guests who play level 10 in their browsers cost the club, for results/: `benchmarks/guest_games.py`.

A club of its own is served over loopback. First nobody is there, then each guest opens the page in a window
of their own and makes a move, then all of them play. What counts is the processor time of all processes of
the club, and how many requests reach it; the browsers take the rest of the machine. With `--dry` the figures
are only printed; `--guests` and `--seconds` are how many and how long.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, Response, sync_playwright

from sections import GUESTS, provenance, table, write_section
from tests.browser.conftest import CHROMIUM
from tests.browser.visitors import open_window
from tests.club import Club

SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ARRIVING = 600_000  # milliseconds, for browsers that share few cores
VARIANTS = ("american", "russian", "international", "brazilian", "turkish")
# Types the first legal move on the visitor's turns, begins again where a game is over, counts the replies.
_PLAY = """() => {
  const board = document.querySelector("checkers-board");
  const status = document.querySelector("[data-status]");
  const form = document.querySelector("form[data-typed]");
  let answered = -1; // the ply at which the last move was typed
  globalThis.replies = 0;
  setInterval(() => {
    const ply = board.lastPly;
    if (/won|lost|Draw/.test(status.textContent)) {
      answered = -1;
      document.querySelector("[data-begin-again]").click();
    } else if (board.moves.length && ply !== answered) {
      answered = ply;
      replies += ply > 0;
      const text = board.withSquareNames(board.moves[0].notation);
      form.elements.move.value = text;
      board.choose(text);
      form.requestSubmit();
    }
  }, 100);
}"""
_REPLIED = "() => globalThis.replies > 0"


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the measurement: what the club spent in it."""

    name: str
    seconds: float
    cpu: float
    requests: int
    replies: int = 0

    def row(self) -> list[str]:
        """As a row of the table."""
        share = self.cpu / self.seconds
        replies = str(self.replies) if self.replies else ""
        return [
            self.name,
            f"{self.seconds:.0f}",
            f"{self.cpu:.2f}",
            f"{share:.1%}",
            str(self.requests),
            replies,
        ]


class Meter:
    """Counts what a club spends, and the requests of windows that reach it."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self.requests = 0

    def note(self, answer: Response) -> None:
        """Count an answer that the window's service worker has not given."""
        self.requests += not answer.from_service_worker

    def cpu(self) -> float:
        """Seconds of processor time so far, of every process that the club has started."""
        assert self._club.process is not None
        return sum(_spent(Path(entry.path), self._club.process.pid) for entry in os.scandir("/proc"))


def _spent(process: Path, session: int) -> float:
    """The seconds that a process and its children that have ended took, if it is of this session."""
    if not process.name.isdecimal():
        return 0.0
    try:
        fields = (process / "stat").read_text("ascii").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0  # it has just ended
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") if int(fields[3]) == session else 0.0


def arrive(browser: Browser, club: Club, guests: int, meter: Meter) -> list[Page]:
    """So many guests, each of whom has had a reply."""
    pages = []
    for number in range(guests):
        visitor = open_window(browser, club.address)
        visitor.page.on("response", meter.note)
        variant = VARIANTS[number % len(VARIANTS)]
        visitor.go(f"/computer/?variant={variant}&colour=first&level=10")
        visitor.page.evaluate(_PLAY)
        pages.append(visitor.page)
    for page in pages:
        page.wait_for_function(_REPLIED, timeout=ARRIVING)
    return pages


def measure(club: Club, guests: int, seconds: float) -> list[Stage]:
    """The stages: nobody, guests who arrive, guests who play."""
    meter = Meter(club)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        cpu = meter.cpu()
        time.sleep(seconds)
        stages = [Stage("nobody is there", seconds, meter.cpu() - cpu, 0)]
        began, cpu = time.monotonic(), meter.cpu()
        pages = arrive(browser, club, guests, meter)
        arrived = Stage(
            f"{guests} guests arrive and have a reply",
            time.monotonic() - began,
            meter.cpu() - cpu,
            meter.requests,
        )
        requests, replies, began, cpu = meter.requests, _replies(pages), time.monotonic(), meter.cpu()
        pages[0].wait_for_timeout(seconds * 1000)  # meanwhile requests are noted
        passed, spent = time.monotonic() - began, meter.cpu() - cpu
        playing = f"{guests} guests play level 10"
        stages += [
            arrived,
            Stage(playing, passed, spent, meter.requests - requests, _replies(pages) - replies),
        ]
        browser.close()
    return stages


def _replies(pages: Sequence[Page]) -> int:
    return sum(int(page.evaluate("globalThis.replies")) for page in pages)


def main() -> None:
    """Measure, print, and write the section."""
    parser = argparse.ArgumentParser(description="measure what guests who play level 10 cost the club")
    parser.add_argument("--dry", action="store_true", help="print the figures and write nothing")
    parser.add_argument("--guests", type=int, default=20, help="how many (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: %(default)s)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        club = Club(Path(folder) / "data")
        club.start()
        try:
            stages = measure(club, chosen.guests, chosen.seconds)
        finally:
            club.stop()
    titles = ["stage", "seconds", "CPU seconds of the club", "of a core", "requests", "replies"]
    text = f"""{provenance("guest_games.py")}

Each guest is a window of headless Chromium with cookies of its own, in five variants; the club and all
browsers share the machine. CPU seconds are those of all processes of the club.

{table(titles, [stage.row() for stage in stages])}
"""
    print(text)
    if not chosen.dry:
        write_section(GUESTS, text)


if __name__ == "__main__":
    main()
