"""A fresh club, Debian's Chromium, and windows to sit at."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.addresses import live_in
from tests.browser.page_table import Row
from tests.browser.visitors import Visitor, open_window
from tests.club import Club

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
_SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

Seat = Callable[..., Visitor]


@dataclass(frozen=True, slots=True)
class Settled:
    """A club that is weeks old: by what its pages are found, and the cookies of the member who did most."""

    club: Club
    facts: dict[str, str]
    cookies: Any

    def shows(self, row: Row) -> list[str]:
        """The addresses of a row of the table of pages."""
        return [path.format(**self.facts) for path in row.shows]


@dataclass(frozen=True, slots=True)
class Lived:
    """A member who has played, and the pages that tell of the games."""

    member: str
    password: str
    pages: list[str]


@pytest.fixture(scope="package")  # its event loop must be gone when other tests run loops of their own
def browser() -> Iterator[Browser]:
    """One Chromium for all; each window is apart from the others."""
    if not CHROMIUM.exists():
        pytest.skip(f"expected Chromium at {CHROMIUM}; install it by apt or set CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=_SWITCHES)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """The real server over an empty folder."""
    running = Club(tmp_path_factory.mktemp("club") / "data")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def lived(club: Club) -> Lived:
    """The same club, in which two people play."""
    player, pages = live_in(club)
    return Lived(player.username, f"a long word for {player.username}", pages)


@pytest.fixture(scope="package")
def settled(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settled]:
    """A club that was filled before it was opened, and each who tests has a copy of."""
    club = Club(tmp_path_factory.mktemp("settled") / "data")
    shared = tmp_path_factory.getbasetemp()
    told = filled_once(shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared)
    shutil.copytree(told.parent / "data", club.data)
    facts: dict[str, str] = json.loads(told.read_text("utf-8"))
    club.start()
    visitor = open_window(browser, club.address)
    visitor.sign_in(facts["member"], facts["password"])
    yield Settled(club, facts, visitor.page.context.storage_state())
    visitor.page.context.close()
    club.stop()


def filled_once(shared: Path) -> Path:
    """Fill a club for all that test side by side; what it is found by, and beside it the club in ``data``."""
    home = shared / "years"
    home.mkdir(exist_ok=True)
    facts = home / "facts.json"
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not facts.exists():
            command = [sys.executable, "-m", "tests.browser.years", str(home / "data")]
            filled = subprocess.run(command, capture_output=True, text=True, check=False)
            assert filled.returncode == 0, filled.stderr[-4000:]
            facts.write_text(filled.stdout)
    return facts


@pytest.fixture
def resident(browser: Browser, settled: Settled) -> Iterator[Seat]:
    """Opens windows of the settled club: of its member, or with ``guest=True`` of nobody."""
    opened: list[Visitor] = []

    def sit(*, guest: bool = False, **options: object) -> Visitor:
        cookies = {} if guest else {"storage_state": settled.cookies}
        opened.append(open_window(browser, settled.club.address, **cookies, **options))
        return opened[-1]

    yield sit
    for visitor in opened:
        visitor.page.context.close()
    assert [line for visitor in opened for line in visitor.complaints] == []


@pytest.fixture
def seat(browser: Browser, club: Club) -> Iterator[Seat]:
    """Opens windows; ``seat("name")`` signs a new member up. What browsers complain of fails the test."""
    opened: list[Visitor] = []

    def sit(name: str = "", **options: object) -> Visitor:
        visitor = open_window(browser, club.address, **options)
        opened.append(visitor)
        if name:
            visitor.sign_up(name)
        return visitor

    yield sit
    for visitor in opened:
        visitor.page.context.close()
    assert [line for visitor in opened for line in visitor.complaints] == []
