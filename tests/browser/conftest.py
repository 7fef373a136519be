"""Fixtures: a running site, Chromium, and visitors in browser windows."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.browser.actors import Actor, KeyboardActor, MouseActor
from tests.browser.page_paths import play_games
from tests.browser.page_table import Row
from tests.browser.visitors import Visitor, open_window
from tests.club import Club

CHROMIUM = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
# The same browser without its own windows, permissions and notifications: a page costs a third less there.
_SHELL = Path("/usr/bin/chromium-headless-shell")
# The last --disable-features counts: what Playwright switches off, and the address bar's own pages, which
# took more than half of the processor time of a new window.
_WITHOUT = (
    "AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,"
    "DestroyProfileOnBrowserClose,HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,"
    "LocalNetworkAccessChecks,MediaRouter,"  # other sites load from a club here
    "NetworkTimeServiceQuerying,OptimizationHints,PaintHolding,PreconnectToSearch,ThirdPartyStoragePartitioning,"
    "WebUIOmniboxAimPopup,WebUIOmniboxPopup"
)
_SWITCHES = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    f"--disable-features={_WITHOUT}",
]

# The smaller one crashes when its service worker is told that somebody leaves, and looks for messages.
_NOBODY_LEAVES = "if ('ServiceWorker' in globalThis) ServiceWorker.prototype.postMessage = () => undefined;"

NewVisitor = Callable[..., Visitor]
Person = Callable[[str], Actor]


@dataclass(frozen=True, slots=True)
class SampleClub:
    """A running site with weeks of data: facts for the URLs of its pages, and the cookies of a member."""

    club: Club
    facts: dict[str, str]
    cookies: Any

    def shows(self, row: Row) -> list[str]:
        """The paths of a row of the page table."""
        return [path.format(**self.facts) for path in row.shows]


@dataclass(frozen=True, slots=True)
class ActiveMember:
    """A member who has played, and the pages of their games."""

    member: str
    password: str
    pages: list[str]


@pytest.fixture(scope="package")  # its event loop must end before other tests run their own
def playwright() -> Iterator[Playwright]:
    """What drives browsers."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all tests, the smaller one if it is there; every window has its own cookies."""
    small = _SHELL.exists() and "CHROMIUM" not in os.environ
    yield from launched(playwright, _SHELL if small else CHROMIUM)


def launched(
    playwright: Playwright, program: Path, *, left_out: Sequence[str] = (), switches: Sequence[str] = ()
) -> Iterator[Browser]:
    """A running browser, as long as it is needed; ``left_out``: switches that Playwright sets otherwise."""
    if not program.exists():
        pytest.skip(f"expected Chromium at {program}; install it by apt or set CHROMIUM")
    chromium = playwright.chromium.launch(
        executable_path=program, args=[*_SWITCHES, *switches], ignore_default_args=list(left_out)
    )
    yield chromium
    chromium.close()


@pytest.fixture(scope="package")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """The real server on an empty data folder."""
    running = Club(tmp_path_factory.mktemp("club") / "data")
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def active_member(club: Club) -> ActiveMember:
    """The same site, with games of two members."""
    player, pages = play_games(club)
    return ActiveMember(player.username, f"a long word for {player.username}", pages)


@pytest.fixture(scope="package")
def sample_club(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SampleClub]:
    """The sample club on a server of its own; each test process works on a copy."""
    club = Club(tmp_path_factory.mktemp("sample_club") / "data")
    shared = tmp_path_factory.getbasetemp()
    facts_file = shared_sample_club(shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared)
    shutil.copytree(facts_file.parent / "data", club.data)
    facts: dict[str, str] = json.loads(facts_file.read_text("utf-8"))
    club.start()
    visitor = open_window(browser, club.address)
    visitor.sign_in(facts["member"], facts["password"])
    yield SampleClub(club, facts, visitor.page.context.storage_state())
    visitor.page.context.close()
    club.stop()


def shared_sample_club(shared: Path) -> Path:
    """Build the sample club once for all test processes; its file of facts, next to its folder ``data``."""
    home = shared / "sample-club"
    home.mkdir(exist_ok=True)
    facts = home / "facts.json"
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not facts.exists():
            command = [sys.executable, "-m", "tests.browser.sample_club", str(home / "data")]
            filled = subprocess.run(command, capture_output=True, text=True, check=False)
            assert filled.returncode == 0, filled.stderr[-4000:]
            facts.write_text(filled.stdout)
    return facts


@pytest.fixture
def sample_visitor(browser: Browser, sample_club: SampleClub) -> Iterator[NewVisitor]:
    """Opens windows of the sample club: signed in as its member, or with ``guest=True`` as a guest."""
    opened: list[Visitor] = []

    def open_new(*, guest: bool = False, **options: object) -> Visitor:
        cookies = {} if guest else {"storage_state": sample_club.cookies}
        opened.append(open_window(browser, sample_club.club.address, **cookies, **options))
        opened[-1].page.add_init_script(_NOBODY_LEAVES)
        return opened[-1]

    yield open_new
    for visitor in opened:
        visitor.page.context.close()
    assert [line for visitor in opened for line in visitor.console_errors] == []


@pytest.fixture
def claim(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], None]:
    """Takes a name for a test: tests of a process share a club, and which of them do is chance."""
    shared = tmp_path_factory.getbasetemp()
    claimed = (shared.parent if "PYTEST_XDIST_WORKER" in os.environ else shared) / "names-of-members"

    def take(name: str) -> None:
        claimed.mkdir(exist_ok=True)
        try:
            with (claimed / name).open("x") as file:
                file.write(request.node.nodeid)
        except FileExistsError:
            other = (claimed / name).read_text()
            pytest.fail(f"expected a name no other test uses, got {name!r}, which {other} signs up")

    return take


@pytest.fixture
def new_visitor(browser: Browser, club: Club, claim: Callable[[str], None]) -> Iterator[NewVisitor]:
    """Opens windows; ``new_visitor("name")`` signs up a new member. Errors on the console fail the test."""
    opened: list[Visitor] = []

    def open_new(name: str = "", **options: object) -> Visitor:
        visitor = open_window(browser, club.address, **options)
        visitor.page.add_init_script(_NOBODY_LEAVES)
        opened.append(visitor)
        if name:
            claim(name)
            visitor.sign_up(name)
        return visitor

    yield open_new
    for visitor in opened:
        visitor.page.context.close()
    assert [line for visitor in opened for line in visitor.console_errors] == []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """In CI every second story of a module goes without scripts, the others by keys; at night both ways."""
    if "person" not in metafunc.fixturenames:
        return
    stories = [name for name in vars(metafunc.module) if name.startswith("test_")]
    at_night = ("plain", "keys")[stories.index(metafunc.function.__name__) % 2]
    ways = [
        pytest.param(way, marks=pytest.mark.nightly if way == at_night else ()) for way in ("keys", "plain")
    ]
    metafunc.parametrize("person", ways, indirect=True)


@pytest.fixture
def person(new_visitor: NewVisitor, request: pytest.FixtureRequest) -> Person:
    """``person("anna")`` signs up a member with a unique name; "" is a guest."""
    way: str = request.param

    def come(name: str) -> Actor:
        visitor = new_visitor(name and f"{name}-{way}", java_script_enabled=way == "keys")
        return KeyboardActor(visitor) if way == "keys" else MouseActor(visitor)

    return come
