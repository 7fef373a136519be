"""The installable app: manifest, service worker, offline page."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db

IMAGES = Path(__file__).resolve().parents[3] / "src/crownhead/server/static/crownhead/img"


def manifest(client: Client) -> Any:
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    return answer.json()


def is_there(client: Client, file: str) -> bool:
    """Whether a static file is served."""
    answer = client.get(file)
    answer.close()
    return answer.status_code == 200


def size_of(picture: Path) -> tuple[int, int]:
    """Width and height, as the header of a PNG says."""
    head = picture.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", head[16:24])
    return width, height


def test_the_manifest_has_the_clubs_own_name(client: Client, settings: Settings) -> None:
    settings.CLUB_NAME = "Dog and Hound"
    facts = manifest(client)
    assert (facts["name"], facts["short_name"]) == ("Dog and Hound", "Dog and Houn")
    assert (facts["start_url"], facts["scope"], facts["display"]) == ("/", "/", "standalone")


def test_its_pictures_are_there_and_as_large_as_it_says(client: Client) -> None:
    icons = manifest(client)["icons"]
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        assert is_there(client, icon["src"])
        name = icon["src"].rpartition("/")[2]
        assert "{}x{}".format(*size_of(IMAGES / name)) == icon["sizes"]


def test_its_shortcuts_lead_to_pages(client: Client) -> None:
    for shortcut in manifest(client)["shortcuts"]:
        assert client.get(shortcut["url"]).status_code in {200, 302}


def test_the_worker_may_serve_the_whole_club_and_is_asked_for_again(client: Client) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer.headers["Cache-Control"]


def test_the_worker_keeps_only_the_page_for_no_connection_and_what_it_is_made_of(client: Client) -> None:
    code = client.get("/sw.js").content.decode()
    facts = json.loads(code.partition("self.CLUB = ")[2].partition(";\n")[0])
    page = client.get(facts["offline"]).content.decode()
    assert "Can't reach the club" in page
    for file in facts["files"]:
        assert is_there(client, file)
        assert f'"{file}"' in page
    assert page.count("/static/") == len(facts["files"])


def test_the_version_of_the_worker_follows_the_page(client: Client, settings: Settings) -> None:
    before = client.get("/sw.js").content
    settings.CLUB_NAME = "Dog and Hound"
    assert client.get("/sw.js").content != before


def test_every_page_names_the_manifest(client: Client) -> None:
    page = client.get("/waiting-room/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.content.decode()
    assert "worker-src 'self'" in page.headers["Content-Security-Policy"]
