"""Draws the icons of the site from its crown: ``python -m tests.browser.draw_icons``."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM

IMAGES = Path(__file__).resolve().parents[2] / "src/crownhead/server/static/crownhead/img"
_CROWN_PATH = "M28 62 22 32l17 12L50 24l11 20 17-12-6 30ZM29 66h42v7H29Z"
_BOARD = "#4f7a5b"
_PAGE = """<!doctype html>
<style>
html, body {{ margin: 0; background: {ground} }}
svg {{ display: block; width: {size}px; height: {size}px }}
</style>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{drawing}</svg>"""

# A mask may cut off all but a circle of four fifths of the width; the man fills three quarters of that.
_WIDE = "-33 -33 166 166"
_TOUCH = "-8 -8 116 116"


def draw(page: Page, name: str, size: int, *, box: str, ground: str, drawing: str) -> None:
    """Draw an icon of ``size`` pixels; ``ground`` is its background colour."""
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(_PAGE.format(ground=ground, size=size, box=box, drawing=drawing))
    page.screenshot(path=IMAGES / name, omit_background=ground == "transparent")


def main() -> None:
    """Draw all icons."""
    crown = (IMAGES / "crown.svg").read_text("utf-8")
    man = crown[crown.index(">") + 1 : crown.rindex("</svg>")]
    white = (
        f'<path fill="#fff" transform="translate(50 48) scale(1.7) translate(-50 -48)" d="{_CROWN_PATH}"/>'
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        for size in (192, 512):
            draw(page, f"icon-{size}.png", size, box="0 0 100 100", ground="transparent", drawing=man)
        draw(page, "maskable-512.png", 512, box=_WIDE, ground=_BOARD, drawing=man)
        draw(page, "touch-180.png", 180, box=_TOUCH, ground=_BOARD, drawing=man)
        draw(page, "badge-96.png", 96, box="0 0 100 100", ground="transparent", drawing=white)
        browser.close()


if __name__ == "__main__":
    main()
