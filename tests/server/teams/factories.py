"""Factories of teams and matches for the tests."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Problem
from crownhead.server.play.games.options import GameOptions
from crownhead.server.teams import services
from crownhead.server.teams.models import Team, TeamMatch
from crownhead.server.teams.selectors.terms import hours_per_move
from tests.server.conftest import make_user
from tests.server.play.factories import NOW

MAIN = GameOptions(variant="american", colour="first", clock=hours_per_move(48), rated=True)


def make_team(captain: User, name: str = "Blue Dogs", *, joining: str = "open", about: str = "") -> Team:
    """A team with this captain."""
    return services.create_team(user=captain, name=name, about_text=about, joining=joining, now=NOW)


def make_team_of(name: str, count: int) -> tuple[Team, list[User]]:
    """A team with this many members, its captain first."""
    users = [make_user(f"{name}-{number}") for number in range(1, count + 1)]
    team = make_team(users[0], name)
    for user in users[1:]:
        services.join(user=user, team_id=team.public_id, now=NOW)
    return fresh(team), users


def fresh(team: Team) -> Team:
    """The team as stored."""
    return Team.objects.get(pk=team.pk)


def make_proposed_match(home: Team, away: Team, **changes: Any) -> TeamMatch:
    """A match that the home captain proposes."""
    wanted: dict[str, Any] = {
        "options": MAIN,
        "boards": 2,
        "games_each": 2,
        "message": "",
        "now": NOW,
    } | changes
    return services.propose(user=home.captain, home_id=home.public_id, away_id=away.public_id, **wanted)


def make_accepted_match(home: Team, away: Team, **changes: Any) -> TeamMatch:
    """A match that both captains have accepted."""
    match = make_proposed_match(home, away, **changes)
    return services.answer_match(user=away.captain, match_id=match.public_id, accepted=True, now=NOW)


def let_play(match: TeamMatch, *users: User) -> None:
    """Let members say that they can play; others, who may not, say nothing."""
    for user in users:
        with suppress(Problem):
            services.be_available(user=user, match_id=match.public_id, available=True, now=NOW)
