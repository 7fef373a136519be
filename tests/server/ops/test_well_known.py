"""Addresses below /.well-known/ that programs know by heart."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from crownhead.server.core import clock
from tests.server.play.factories import NOW

ADDRESS = "/.well-known/security.txt"


def fields(settings: Settings, *, contact: str = "", public: str = "https://club.example") -> dict[str, str]:
    settings.SECURITY_CONTACT, settings.PUBLIC_ADDRESS = contact, public
    with clock.stopped(NOW):
        answer = Client().get(ADDRESS)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    return dict(line.split(": ", 1) for line in answer.content.decode().splitlines())


def test_holes_are_reported_to_the_hosts_address(settings: Settings) -> None:
    read = fields(settings, contact="mailto:safe@club.example")
    assert read["Contact"] == "mailto:safe@club.example"
    assert read["Canonical"] == "https://club.example/.well-known/security.txt"
    assert "en" in read["Preferred-Languages"].split(", ")
    left = datetime.fromisoformat(read["Expires"]) - NOW
    assert 100 < left.days < 365


@pytest.mark.django_db
def test_without_an_address_of_their_own_the_staff_are_written_to_by_the_page(settings: Settings) -> None:
    assert fields(settings)["Contact"] == "https://club.example/contact/"
    assert Client().get("/contact/").status_code != 404


def test_a_club_without_https_has_a_file_only_with_an_address(settings: Settings) -> None:
    settings.SECURITY_CONTACT, settings.PUBLIC_ADDRESS = "", "http://localhost:8000"
    assert Client().get(ADDRESS).status_code == 404
    read = fields(settings, contact="mailto:safe@club.example", public="http://localhost:8000")
    assert "Canonical" not in read


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("safe@club.example", "mailto:safe@club.example"),
        ("https://club.example/security", "https://club.example/security"),
        ("http://club.example/security", "security_contact: expected"),
        ("the host", "security_contact: expected"),
    ],
)
def test_the_setting_is_an_address(given: str, expected: str, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from crownhead.server.config.settings import *; print(SECURITY_CONTACT)"],
        env={**os.environ, "CROWNHEAD_DATA": str(tmp_path), "CROWNHEAD_SECURITY_CONTACT": given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert expected in told.stdout + told.stderr


@pytest.mark.django_db
def test_password_managers_are_led_to_the_page_of_the_password() -> None:
    answer = Client().get("/.well-known/change-password")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/password/change/")
    missing = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"
    assert (
        Client().get(missing).status_code == 404
    )  # by which they know that the other address means something
