"""A form that is refused shows again no more of a field than about what it takes, however much was sent.

The forms are those of every address of the site, filled in as long as they come.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from crownhead.server.core import clock
from crownhead.server.web.forms import given_back
from tests.lengths import short_and_full
from tests.server.conftest import clear_caches
from tests.server.play.factories import NOW
from tests.server.security import requests
from tests.server.security.requests import Ask
from tests.server.security.visitors import Visitors, make_club

LONG = "&" * 40_000  # a page has five bytes for each
MORE = 150_000  # bytes of a page: of the longest field 20,000 characters are shown again, and other things

_FIELD = re.compile(r"<(?:input|textarea|select|button)\b[^>]*?\bname=\"?([\w.-]+)\"?")
_DO = re.compile(r"name=\"?do\"? value=\"?([\w-]+)\"?")
_NEVER_SENT = {"csrfmiddlewaretoken"}


@pytest.fixture
def club(db: None, settings: Settings, tmp_path: Path) -> Iterator[Visitors]:
    """One of everything; the clock stands still, and nothing is asked too often."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, "1000000/m")
    settings.DATA = tmp_path
    settings.TOURNAMENTS_BY_MEMBERS = True
    with clock.stopped(NOW):
        yield make_club()


def test_a_text_that_is_a_little_too_long_is_given_back_whole_to_be_shortened() -> None:
    assert given_back("x" * 15, 10) == "x" * 15
    assert given_back("x" * 100, 10) == "x" * 20


@pytest.mark.slow
@pytest.mark.parametrize("by_itself", short_and_full(False, True))
@pytest.mark.parametrize("kind", ["guest", "owner"])
def test_no_form_gives_back_more_than_its_fields_take(club: Visitors, kind: str, by_itself: bool) -> None:
    browser, sent = club.browser(kind), 0
    for ask in requests.pages(club.facts):
        if ask.method == "POST":
            most = MORE + len(_sent(browser, ask))
            for form in _forms(browser, ask, by_itself=by_itself):
                sent += 1
                assert len(_sent(browser, replace(ask, body=form))) < most, (ask.row, sorted(form))
    assert sent > 60


def _forms(browser: Client, ask: Ask, *, by_itself: bool) -> Iterator[dict[str, str]]:
    """The fields that the page has: all of them long, with each of its buttons, or also each by itself."""
    page = _sent(browser, replace(ask, method="GET", body=None)).decode(errors="replace")
    known = dict(ask.body or {})
    names = {*known, *_FIELD.findall(page)} - {"do"} - _NEVER_SENT
    for button in {known.get("do", ""), *_DO.findall(page)}:
        yield dict.fromkeys(names, LONG) | ({"do": button} if button else {})
    for name in names if by_itself else ():
        yield {**known, name: LONG}


def _sent(browser: Client, ask: Ask) -> bytes:
    """What the page answers; what it made is undone, and who has signed out is signed in again."""
    clear_caches()
    kept = deepcopy(browser.cookies)
    with transaction.atomic():
        answer = ask.from_browser(browser)
        transaction.set_rollback(True)
    browser.cookies = kept
    return b"" if answer.streaming else answer.content  # type: ignore[attr-defined]
