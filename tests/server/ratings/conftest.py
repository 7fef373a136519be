"""The clock stands still, the cast has browsers, and plays as many short rated games as a test needs."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from tests.server.pages.conftest import the_clock_stands_still, window

__all__ = ["the_clock_stands_still", "window"]


@pytest.fixture(autouse=True)
def no_limits_on_rated_games(settings: Settings) -> None:
    """Let the same two play any number of short games; ``play/test_rated_limits.py`` is about the limits."""
    settings.RATED_GAMES_PER_PAIR = settings.EARLY_LEAVES_PER_DAY = 10_000
