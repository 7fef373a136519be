"""What a club loads before its first page: not what only some requests need."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.urls import URLResolver, get_resolver, reverse

from crownhead.server.config.resolvers import later

_START = """
import sys
import django
django.setup()
from crownhead.server.config.asgi import application
from django.urls import resolve, reverse
resolve("/"), reverse("account_login"), reverse("competitions:all"), reverse("social:contact")
print(*sys.modules)
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The modules of a process that is ready for its first page."""
    environment = {
        **os.environ,
        "CROWNHEAD_DATA": str(tmp_path_factory.mktemp("club")),
        "DJANGO_SETTINGS_MODULE": "crownhead.server.config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", _START], env=environment, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "crownhead.server.config.api",
        "ninja",
        "pydantic",
        "crownhead.server.config.staff",
        "crownhead.server.play.admin",
        "crownhead.engine.dxp",
        "crownhead.engine.connecting",
        "allauth.mfa.webauthn.views",
        "fido2",
        "cryptography",
        "pywebpush",
        "django.test",
    ],
)
def test_the_first_page_waits_for_nothing_that_it_does_not_show(loaded: set[str], module: str) -> None:
    assert module not in loaded


def test_what_it_shows_is_loaded(loaded: set[str]) -> None:
    assert "crownhead.server.pages.views.home" in loaded


def parts() -> list[URLResolver]:
    """Those parts of the site that are loaded later."""
    return [
        part for part in get_resolver().url_patterns if isinstance(part, type(later("", "", namespace="")))
    ]


@pytest.mark.parametrize("part", parts(), ids=lambda part: str(part.namespace))
def test_a_part_has_the_namespace_by_which_it_is_found(part: URLResolver) -> None:
    assert getattr(part.urlconf_module, "app_name", part.namespace) == part.namespace


@pytest.mark.parametrize("part", parts(), ids=lambda part: str(part.namespace))
def test_no_part_has_a_namespace_inside(part: URLResolver) -> None:
    inside = [entry for entry in part.url_patterns if isinstance(entry, URLResolver)]
    assert [entry.namespace for entry in inside if entry.namespace] == []


def test_addresses_are_written_as_if_they_were_included() -> None:
    assert reverse("competitions:tournament", args=["abc"]) == "/tournaments/abc/"
    assert reverse("api:change_preferences") == "/api/v1/preferences"
    assert reverse("admin:play_game_changelist") == "/staff/play/game/"
