"""Takes the pictures of the README and the manual: `make demo`, and meanwhile `python docs/pictures.py`.

They are written to ``docs/images``. The address of the club is an argument, by default that of `make demo`;
Chromium must be there.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).with_name("images")
ADDRESS = "http://127.0.0.1:8000"
MEMBER, PASSWORD = "robin", "a corner of the demo board"  # of the sample club, as it says itself
WIDE, PHONE = (1280, 800), (360, 740)
SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_ENOUGH = 2_000  # milliseconds in which boards and engines have something to show


@dataclass(frozen=True, slots=True)
class Picture:
    """A page of the club: ``link`` leads from ``path`` to it; ``prepare`` does something there first."""

    name: str
    path: str
    size: tuple[int, int] = WIDE
    link: str = ""
    dark: bool = False
    guest: bool = False
    prepare: Callable[[Page], None] = lambda _: None


def _switch_on(page: Page) -> None:
    page.get_by_role("switch", name="Engine").check()
    page.wait_for_timeout(_ENOUGH)


PICTURES = (
    Picture("front", "/", (1280, 1500), guest=True),
    Picture("game", "/watch/", link="main a[href^='/games/']", guest=True),
    Picture("game-phone-dark", "/watch/", PHONE, "main a[href^='/games/']", dark=True, guest=True),
    Picture("waiting-room", "/waiting-room/"),
    Picture(
        "analysis",
        "/analysis/?fen=B:W18,21,22,26,27,28,29,30,31,32:B1,2,3,4,5,6,8,10,11,12",
        guest=True,
        prepare=_switch_on,
    ),
    Picture("tournament", "/tournaments/", link="main .threads a"),
    Picture("problem-phone", "/problems/", PHONE, "main a[href^='/problems/']:has-text('Solve it')"),
    Picture("my-games-phone", "/", PHONE),
)


def take(browser: Browser, address: str, picture: Picture) -> None:
    """Take one of them in a window of its own."""
    width, height = picture.size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if picture.dark else "light"
    )
    page = context.new_page()
    if not picture.guest:
        page.goto(f"{address}/accounts/login/")
        page.locator("[name='login']").fill(MEMBER)
        page.locator("[name='password']").fill(PASSWORD)
        page.locator("main form button").first.click()
        page.wait_for_load_state()
    page.goto(address + picture.path)
    if picture.link:
        page.goto(address + str(page.locator(picture.link).first.get_attribute("href")))
    page.wait_for_timeout(_ENOUGH)
    picture.prepare(page)
    page.screenshot(path=IMAGES / f"{picture.name}.png")
    context.close()


def main(address: str = ADDRESS) -> None:
    """Take all of them."""
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=SWITCHES)
        for picture in PICTURES:
            take(browser, address.rstrip("/"), picture)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
