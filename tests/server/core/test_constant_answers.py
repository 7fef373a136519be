"""Answers that are the same for everybody are made once."""

from __future__ import annotations

import gzip

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import translation
from pytest_django import Settings

from crownhead.server.core.http.constant_answers import cached_once

MADE: list[str] = []


@cached_once
def greeting(request: HttpRequest) -> HttpResponse:
    """A view that takes its time."""
    MADE.append(request.path)
    return HttpResponse(f"hello {len(MADE)}" * 100, content_type="text/plain")


@pytest.fixture(autouse=True)
def _nothing_made(settings: Settings) -> None:
    MADE.clear()
    settings.CLUB_NAME = "Another club"  # forgets what was made


def ask(**headers: str) -> HttpResponse:
    return greeting(RequestFactory().get("/", headers={k.replace("_", "-"): v for k, v in headers.items()}))


def test_the_view_is_called_once_however_it_is_asked() -> None:
    plain, compressed = ask(), ask(accept_encoding="br, gzip")

    assert plain.content == gzip.decompress(compressed.content) == b"hello 1" * 100
    assert compressed.headers["Content-Encoding"] == "gzip"
    assert compressed.headers["Content-Type"] == plain.headers["Content-Type"] == "text/plain"
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert MADE == ["/"]


def test_who_has_the_answer_already_is_told_so() -> None:
    etag = ask().headers["ETag"]
    again = ask(if_none_match=etag)
    assert (again.status_code, again.content) == (304, b"")
    assert MADE == ["/"]


def test_each_language_has_its_own() -> None:
    ask()
    with translation.override("nl"):
        assert ask().content != ask(accept_encoding="gzip").content
        ask()
    assert len(MADE) == 2


def test_changed_settings_are_noticed(settings: Settings) -> None:
    ask()
    settings.CLUB_NAME = "A third club"
    assert ask().content == b"hello 2" * 100


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/v1/openapi.json", "/manifest.webmanifest", "/sw.js", "/offline/"])
def test_the_constant_answers_of_the_site_are_made_once(client: Client, path: str) -> None:
    first, second = (client.get(path, headers={"Accept-Encoding": "gzip"}) for _ in range(2))

    assert first.status_code == second.status_code == 200
    assert first.content == second.content  # compressed with random padding, had it been compressed again
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
