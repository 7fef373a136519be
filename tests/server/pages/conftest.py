"""Browsers without JavaScript, as the pages' tests use them; the clock stands still."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from tests.server.pages.window import Window
from tests.server.play.factories import NOW

Open = Callable[..., Window]


@pytest.fixture(autouse=True)
def the_clock_stands_still() -> Iterator[None]:
    """The clock always says ``NOW``."""
    with clock.stopped(NOW):
        yield


@pytest.fixture
def window(db: None) -> Open:
    """``window()`` opens one for a guest, ``window(user)`` for somebody signed in."""

    def opened(user: User | None = None) -> Window:
        made = Window()
        if user is not None:
            made.client.force_login(user)
        return made

    return opened
