"""A club in which people write to each other; the clock stands still."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.social.models import Message
from crownhead.server.social.services import messages
from tests.server.conftest import make_user
from tests.server.pages.window import Window

NOW = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)

Open = Callable[..., Window]
Write = Callable[..., Message]


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


@pytest.fixture
def write() -> Write:
    """``write(alice, bob, "text")``: a message, perhaps with a subject."""

    def written(sender: User, to: User, text: str = "Good game!", subject: str = "") -> Message:
        return messages.write(user=sender, to=to.username, subject=subject, text=text, now=NOW)

    return written


@pytest.fixture
def ignore() -> Callable[[User, User], None]:
    """``ignore(alice, bob)``: Alice wants to hear nothing of Bob."""

    def ignored(user: User, other: User) -> None:
        contact_services.block(user=user, other=other, now=NOW)

    return ignored


@pytest.fixture
def host(db: None) -> User:
    """One of the staff, who may do anything in the back office."""
    return make_user("hostess", is_staff=True, is_superuser=True)
