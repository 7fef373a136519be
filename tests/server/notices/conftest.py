"""The clock stands still, the club is at an address of its own, and the cast has browsers."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from tests.server.pages.conftest import the_clock_stands_still, window

__all__ = ["the_clock_stands_still", "window"]


@pytest.fixture(autouse=True)
def at_an_address(settings: Settings, tmp_path: Path) -> None:
    """Links in letters lead to https://club.example; keys are kept apart."""
    settings.PUBLIC_ADDRESS = "https://club.example"
    settings.DATA = tmp_path
