"""The moment at which these tests play, and windows to look through."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from tests.server.pages.window import Window
from tests.server.play.factories import NOW as NOW


@pytest.fixture(autouse=True)
def _stopped_clock() -> Iterator[None]:
    """The clock stands still."""
    with clock.stopped(NOW):
        yield


def window_of(user: User | None = None) -> Window:
    """A browser window without JavaScript, of a guest or of somebody signed in."""
    client = Client(raise_request_exception=False)
    if user is not None:
        client.force_login(user)
    return Window(client)
