"""What must hold where the system forces its colours: nothing is shown by a background or a shadow alone.

Forced colours replace backgrounds and texts by those of the system and drop shadows. A page is looked at with
its own colours first. What differs there from its like by a background or a shadow has to differ afterwards,
too; what is drawn by a background alone has to have a frame or a colour of the system; texts and graphs have
to be read on the ground of the system, and the focus has to have its ring.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.accessibility import violations_but_of_contrast

_SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")


def faults_in_forced_colours(page: Page, *, by_axe: bool) -> list[str]:
    """What is lost in forced colours, on a page as it is; then it has its own colours again."""
    page.evaluate(_SCRIPT)
    page.evaluate("forcedColours.remember()")
    page.emulate_media(
        forced_colors="active", reduced_motion="reduce"
    )  # colours that fade in would be measured
    found: list[str] = page.evaluate("forcedColours.faults()")
    if by_axe:
        found += [f"forced colours: {wrong}" for wrong in violations_but_of_contrast(page)]
    page.emulate_media(forced_colors="none", reduced_motion="no-preference")
    return sorted(set(found))
