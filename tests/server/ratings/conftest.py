"""The clock stands still, and the cast has browsers."""

from __future__ import annotations

from tests.server.pages.conftest import the_clock_stands_still, window

__all__ = ["the_clock_stands_still", "window"]
