"""What programs ask for unasked: robots.txt, the sitemap and the icon."""

from __future__ import annotations

import re

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django import Settings

from crownhead import VARIANTS
from crownhead.server.accounts.models import User

pytestmark = pytest.mark.django_db


def test_every_page_of_the_sitemap_is_there_and_open_to_crawlers() -> None:
    guest = Client()
    sitemap = guest.get("/sitemap.xml")
    paths = re.findall(r"<loc>http://testserver([^<]+)</loc>", sitemap.content.decode())
    robots = guest.get("/robots.txt").content.decode()
    closed = re.findall(r"^Disallow: (\S+)$", robots, re.MULTILINE)

    assert {f"/rules/{key}/" for key in VARIANTS} < set(paths)
    assert {"/problems/", "/ratings/", "/teams/", "/computer/", "/help/learning/"} < set(paths)
    assert [path for path in paths if any(path.startswith(start) for start in closed)] == []
    assert [path for path in paths if "/rules/" not in path and guest.get(path).status_code != 200] == []
    assert sitemap.headers["Content-Type"].startswith("application/xml")


def test_robots_are_led_to_the_sitemap_and_away_from_what_is_a_members_own() -> None:
    text = Client().get("/robots.txt").content.decode()

    assert "Sitemap: http://testserver/sitemap.xml" in text
    assert "Disallow: /accounts/\n" in text


def test_the_old_name_of_the_icon_leads_to_the_icon() -> None:
    answer = Client().get("/favicon.ico")

    assert answer.status_code == 302
    assert finders.find(re.sub(r"^/static/|\.[0-9a-f]{12}(?=\.png$)", "", answer.headers["Location"]))


@pytest.mark.parametrize("public", ["https://club.example", ""])
def test_neither_sitemap_nor_api_repeats_the_port_of_another_service(
    alice: User, settings: Settings, public: str
) -> None:
    settings.PUBLIC_ADDRESS, settings.SERVED_AT = public, public or "http://localhost:8000"
    browser = Client(SERVER_NAME="localhost", headers={"Host": "localhost:444"})
    for path in ("/sitemap.xml", "/robots.txt", "/api/v1/players/alice", "/api/v1/players?name=ali"):
        text = browser.get(path).content.decode()
        assert ":444" not in text, path
        assert settings.SERVED_AT in text, path
