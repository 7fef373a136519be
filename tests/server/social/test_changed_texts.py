"""Texts in Markdown cost something when they are saved, so they can be changed so often in an hour."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences.services import set_profile
from crownhead.server.competitions import services as tournaments
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.core.problems import TooMany
from crownhead.server.teams import services as teams
from tests.server.competitions.factories import MAIN, make_tournament
from tests.server.social.conftest import NOW
from tests.server.teams.factories import make_team

pytestmark = pytest.mark.django_db
Change = Callable[[str], object]


def of_profile(alice: User) -> Change:
    """Changes the profile."""
    return lambda text: set_profile(user=alice, text=text, now=NOW)


def of_team(alice: User) -> Change:
    """Changes the text of a team."""
    team = make_team(alice)
    return lambda text: teams.edit_team(
        user=alice, team_id=team.public_id, name=team.name, about_text=text, joining="open", now=NOW
    )


def of_tournament(alice: User) -> Change:
    """Changes the text of a tournament."""
    key = make_tournament(alice, name="Cup").public_id
    return lambda text: tournaments.edit(
        user=alice,
        tournament_id=key,
        wanted=Announcement(name="Cup", format="round-robin", game=MAIN, min_players=3, about=text),
        now=NOW,
    )


@pytest.mark.parametrize("kind", [of_profile, of_team, of_tournament])
def test_only_changes_to_a_text_are_counted_and_limited(
    alice: User, settings: Settings, kind: Callable[[User], Change]
) -> None:
    settings.LIMITS = settings.LIMITS | {"texts": "2/d"}
    change = kind(alice)
    with clock.stopped(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        for text in ("a", "a", "", "b", "b", ""):
            change(text)
        with pytest.raises(TooMany):
            change("c")
