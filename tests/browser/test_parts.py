"""The parts of pages that the manual's page on design shows: accessible, and fitting a phone."""

from __future__ import annotations

import pytest

from manual import design
from tests.browser.accessibility import violations
from tests.browser.conftest import NewVisitor
from tests.browser.test_pages import faults

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_every_component_fits_and_is_accessible(new_visitor: NewVisitor, width: int, scheme: str) -> None:
    guest = new_visitor(viewport={"width": width, "height": 800}, color_scheme=scheme)
    parts, sheets = design.document(scheme, css="css/"), {sheet.name: sheet for sheet in design.sheets()}
    guest.page.route("**/parts/", lambda route: route.fulfill(body=parts, content_type="text/html"))
    guest.page.route(
        "**/parts/css/*", lambda route: route.fulfill(path=sheets[route.request.url.rpartition("/")[2]])
    )

    guest.page.goto(f"{guest.address}/parts/")  # without scripts: nothing makes its board ready

    assert faults(guest.page) == []
    assert violations(guest.page) == []
