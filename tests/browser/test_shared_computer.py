"""On a computer that several people use, who has signed out leaves nothing to go back to."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.conftest import CHROMIUM, launched
from tests.browser.test_installable import member, sign_out
from tests.club import Club

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One that keeps the pages it has left, as people's browsers do."""
    yield from launched(playwright, CHROMIUM, left_out=["--disable-back-forward-cache"])


def test_going_back_after_signing_out_shows_no_page_of_the_member(browser: Browser, club: Club) -> None:
    visitor = member(browser, club, "shared-carla")
    paths = ("/messages/", "/preferences/")
    for path in paths:
        visitor.go(path)
    sign_out(visitor)
    for path in reversed(paths):
        visitor.page.evaluate("history.back()")
        visitor.page.wait_for_url(re.compile(f"/accounts/login/.next={path}$"))
        expect(visitor.page.locator("input[name=password]")).to_be_visible()
    visitor.page.context.close()
