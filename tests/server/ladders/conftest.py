"""Fixtures of the ladders' tests: clock, browser windows, a member of the staff, ladders."""

from __future__ import annotations

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.ladders.choices import Style
from crownhead.server.ladders.models import Ladder
from tests.server.ladders.factories import make_ladder
from tests.server.pages.conftest import the_clock_stands_still, window

__all__ = ["the_clock_stands_still", "window"]


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, a member of the staff."""
    return django_user_model.objects.create_superuser("dora", "dora@example.org", "a long passphrase")


@pytest.fixture
def places(db: None) -> Ladder:
    """A ladder of places."""
    return make_ladder(style=Style.PLACES)


@pytest.fixture
def stairs(db: None) -> Ladder:
    """A ladder of steps."""
    return make_ladder(style=Style.STAIRS)
