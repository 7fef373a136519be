"""The components of community and contest pages: accessible, and fitting a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.accessibility import violations
from tests.browser.conftest import NewVisitor
from tests.browser.test_pages import faults

pytestmark = pytest.mark.browser

PARTS = Path(__file__).with_name("club_parts.html").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_every_component_fits_and_is_accessible(new_visitor: NewVisitor, width: int, scheme: str) -> None:
    guest = new_visitor(viewport={"width": width, "height": 800}, color_scheme=scheme)
    guest.page.route("**/parts/", lambda route: route.fulfill(body=PARTS, content_type="text/html"))

    guest.go("/parts/")

    assert faults(guest.page) == []
    assert violations(guest.page) == []
