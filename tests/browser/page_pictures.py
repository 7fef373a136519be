"""Pictures of every kind of page: ``python -m tests.browser.page_pictures FOLDER [PART [LOOK]]``.

The pages are those of the table, of the lists of game pages and of a game, in a club of some weeks. Each is
taken at a desk and on a phone, in the dark and in forced colours, and put on sheets of some pictures to look
through. ``PART`` of an address takes only the pages with it, ``LOOK`` only one of the looks. The folder is to
be outside the tree. What was seen is written in ``docs/looked_at.md``.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM
from tests.browser.visitors import Visitor, open_window
from tests.club import Club

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 560}
LOOKS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": DESK},
    "phone": {"viewport": PHONE},  # the first screen
    "below": {"viewport": PHONE},  # the whole page
    "dark": {"viewport": DESK, "color_scheme": "dark"},
    "forced": {"viewport": DESK, "forced_colors": "active"},
}
# Beside the table: a game of the member, one that others look at, and what opens on the way.
OF_GAMES = (
    "/games/{game}/",
    "/games/{game}/?tab=chat",
    "/games/{game}/?tab=plan",
    "/games/{game}/plan/",
    "/games/{game}/draw/",
    "/games/{game}/resign/",
    "/games/{reviewed}/",
    "/rules/american/",
    "/rules/dameo/",
    "/rules/parachute/",
)
GUESTS_TOO = ("/", "/waiting-room/", "/watch/", "/games/{game}/", "/accounts/signup/", "/accounts/login/")
HIGHEST = 2_600  # pixels of a page that are taken
PER_SHEET = {"desk": 4, "phone": 12, "below": 8, "dark": 4, "forced": 4}
_SWITCHES = ["--headless", "--no-sandbox", "--disable-gpu"]
_COLUMNS = {"desk": 2, "phone": 4, "below": 4, "dark": 2, "forced": 2}
_LOADED = 400  # milliseconds in which what comes later has come
# On a picture of the whole page the menu at the bottom of the window would lie in its middle.
_WITHOUT_BAR = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".menu { display: none !important }");
  document.adoptedStyleSheets = [sheet];
}"""
_SHEET = """<body style="margin:6px;font:12px sans-serif"><div style="display:grid;gap:8px;align-items:start;
grid-template-columns:repeat({columns},minmax(0,1fr))">{figures}</div>"""
_FIGURE = """<figure style="margin:0"><figcaption>{name}</figcaption>
<img style="max-width:100%;border:1px solid #d0d" src="data:image/png;base64,{picture}"></figure>"""


@dataclass(frozen=True, slots=True)
class Page:
    """A page to take: its number, its address, and who looks at it."""

    number: int
    path: str
    guest: bool = False

    @property
    def name(self) -> str:
        """The name of its pictures."""
        words = re.sub(r"[^a-z0-9]+", "-", self.path.lower()).strip("-")[:48] or "home"
        return f"{self.number:03}-{words}{'-guest' if self.guest else ''}"


def pages(facts: dict[str, str], part: str) -> Iterator[Page]:
    """The first address of each row, then the lists; only those with ``part`` in the address."""
    from tests.browser.page_paths import OWN, PUBLIC
    from tests.browser.page_table import ROWS

    rows = [row.shows[0] for row in ROWS if row.shows]
    paths = [*dict.fromkeys([*OWN, *PUBLIC, *OF_GAMES, *rows])]
    listed = [*((path, False) for path in paths), *((path, True) for path in GUESTS_TOO)]
    for number, (path, guest) in enumerate(listed, 1):
        page = Page(number, path.format(**facts), guest)
        if part in page.path:
            yield page


def take(browser: Browser, club: Club, facts: dict[str, str], folder: Path, part: str, only: str) -> None:
    """Take all pages in every look, or in ``only`` one."""
    for look, options in LOOKS.items():
        if only not in {"", look}:
            continue
        member, guest = (open_window(browser, club.address, **options) for _ in range(2))
        member.sign_in(facts["member"], facts["password"])
        member.go("/")  # what is said once
        taken = []
        for page in pages(facts, part):
            visitor = guest if page.guest else member
            file = folder / f"{page.name}-{look}.png"
            _take_one(visitor, page.path, file, look)
            taken.append(file)
        for visitor in (member, guest):
            visitor.page.context.close()
        _put_on_sheets(browser, taken, folder, look)


def _take_one(visitor: Visitor, path: str, file: Path, look: str) -> None:
    visitor.go(path)
    visitor.page.wait_for_timeout(_LOADED)
    if look == "phone":
        visitor.page.screenshot(path=file)
        return
    if look == "below":
        visitor.page.evaluate(_WITHOUT_BAR)
    size = visitor.page.viewport_size
    assert size is not None
    whole: int = visitor.page.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(max(whole, size["height"]), HIGHEST)}
    visitor.page.screenshot(path=file, full_page=True, clip=clip)  # type: ignore[arg-type]


def _put_on_sheets(browser: Browser, files: list[Path], folder: Path, look: str) -> None:
    sheet = browser.new_page(viewport={"width": 1560, "height": 400})
    for at in range(0, len(files), PER_SHEET[look]):
        figures = "".join(
            _FIGURE.format(name=file.stem, picture=base64.b64encode(file.read_bytes()).decode())
            for file in files[at : at + PER_SHEET[look]]
        )
        sheet.set_content(_SHEET.format(columns=_COLUMNS[look], figures=figures))
        sheet.wait_for_timeout(_LOADED)
        sheet.screenshot(path=folder / f"sheet-{look}-{at // PER_SHEET[look] + 1:02}.png", full_page=True)
    sheet.close()


def main(folder: Path, part: str = "", look: str = "") -> None:
    """Fill a club, take the pictures, and clear it away."""
    from tests.browser.sample_club import fill

    folder.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp())
    os.environ["CROWNHEAD_DATA"] = str(home / "data")
    try:
        facts = fill(home / "data")
        (folder / "facts.json").write_text(json.dumps(facts), "utf-8")
        club = Club(home / "data")
        club.start()
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_SWITCHES)
                take(browser, club, facts, folder, part, look)
                browser.close()
        finally:
            club.stop()
    finally:
        shutil.rmtree(home)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("look", nargs="?", default="")
    main(**vars(parser.parse_args()))
