"""Captains and strangers do nothing to others without end: proposing matches, and asking to join."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.contacts.services import block
from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict, TooMany
from crownhead.server.notices.models import Notice
from crownhead.server.teams import services
from crownhead.server.teams.models import JoinRequest, Team, TeamMatch
from crownhead.server.teams.services import availability
from crownhead.server.teams.services import matches as match_services
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of
from tests.server.tasks import run_tasks
from tests.server.teams.factories import make_accepted_match, make_proposed_match, make_team, make_team_of

pytestmark = pytest.mark.django_db


def asked(user: User) -> int:
    """How many times a member was asked to say whether they can play."""
    return Notice.objects.filter(user=user, text="Say whether you can play.").count()


def two_teams(alice: User, bob: User) -> tuple[Team, Team]:
    """Two teams that Alice leads; Bob is in both."""
    teams = make_team(alice, "Blue Dogs"), make_team(alice, "Blue Cats")
    for team in teams:
        services.join(user=bob, team_id=team.public_id, now=NOW)
    return teams


def test_proposing_and_withdrawing_matches_ends_somewhere(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"team_matches": "2/d"}
    home = make_team(alice)
    others = [make_team(make_user(f"captain{number}"), f"Team {number + 2}") for number in range(3)]
    for other in others[:2]:
        match = make_proposed_match(home, other, boards=1)
        services.withdraw(user=alice, match_id=match.public_id, now=NOW)
    with pytest.raises(TooMany):
        make_proposed_match(home, others[2], boards=1)
    body = {"home": home.public_id, "variant": "american", "boards": 1, "days_per_move": 3}
    assert api_of(alice).post(f"/teams/{others[2].public_id}/matches", body).status_code == 429
    assert TeamMatch.objects.count() == 2


def test_a_captain_of_many_teams_proposes_so_many_matches_to_another(alice: User, bob: User) -> None:
    ours = [make_team(alice, f"Team {number + 2}") for number in range(match_services.MAX_REFUSED)]
    away, other = make_team(bob, "Blue Cats"), make_team(bob, "Red Cats")
    made = [make_proposed_match(home, away, boards=1) for home in ours]
    with pytest.raises(Conflict, match="enough matches to Blue Cats"):
        make_proposed_match(ours[0], away, boards=1)
    make_proposed_match(ours[0], other, boards=1)
    services.answer_match(user=bob, match_id=made[0].public_id, accepted=True, now=NOW)
    make_proposed_match(ours[0], away, boards=1)


@pytest.mark.parametrize("at_home", [True, False])
def test_a_team_chooses_line_ups_for_so_many_matches_at_once(
    monkeypatch: pytest.MonkeyPatch, at_home: bool
) -> None:
    monkeypatch.setattr(match_services, "MAX_LINING_UP", 2)
    dogs, cats, birds = (make_team_of(name, 1)[0] for name in ("dogs", "cats", "birds"))
    accepted = [make_accepted_match(dogs, cats, boards=1) for _ in range(2)]
    third = (
        make_proposed_match(dogs, birds, boards=1) if at_home else make_proposed_match(birds, cats, boards=1)
    )
    captain = third.away.captain

    def accept() -> str:
        return services.answer_match(user=captain, match_id=third.public_id, accepted=True, now=NOW).status

    with pytest.raises(Conflict, match=r"(dogs|cats) is already choosing line-ups for 2 matches"):
        accept()
    services.withdraw(user=cats.captain, match_id=accepted[0].public_id, now=NOW)
    assert accept() == "lining_up"


def test_the_worker_asks_the_members_of_both_teams_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(availability, "ASKED_AT_ONCE", 2)
    (home, ours), (away, theirs) = make_team_of("dogs", 6), make_team_of("cats", 4)
    services.join(user=ours[1], team_id=away.public_id, now=NOW)
    match = make_accepted_match(home, away)
    assert {asked(user) for user in (*ours, *theirs)} == {0}
    run_tasks("default")
    availability.ask_members(match_id=match.public_id)
    assert [asked(user) for user in (*ours, *theirs)] == [0, 1, 1, 1, 1, 1, 0, 1, 1, 1]


def test_accepting_a_match_takes_no_longer_in_a_large_team() -> None:
    queries: list[int] = []
    for name, size in (("dogs", 2), ("cats", 12)):
        home, away = make_team_of(name, size)[0], make_team_of(f"other-{name}", 2)[0]
        match = make_proposed_match(home, away)
        before = Notice.objects.count()
        with CaptureQueriesContext(connection) as captured:
            services.answer_match(user=away.captain, match_id=match.public_id, accepted=True, now=NOW)
        queries.append(len(captured))
        assert Notice.objects.count() == before + 1
    assert queries[0] == queries[1]


def test_nobody_is_asked_to_play_a_match_that_was_called_off(alice: User, bob: User) -> None:
    match = make_accepted_match(*two_teams(alice, bob))
    services.withdraw(user=alice, match_id=match.public_id, now=NOW)
    assert DBTaskResult.objects.exists()
    run_tasks("default")
    assert asked(bob) == 0


def test_who_has_blocked_their_captain_is_not_asked_to_play(alice: User, bob: User, charlie: User) -> None:
    teams = two_teams(alice, bob)
    services.join(user=charlie, team_id=teams[0].public_id, now=NOW)
    block(user=bob, other=alice, now=NOW)
    make_accepted_match(*teams, boards=1)
    run_tasks("default")
    assert (asked(bob), asked(charlie)) == (0, 1)


def test_asking_to_join_teams_ends_somewhere(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"named_invitations": "2/d"}
    names = [f"Team {number}" for number in range(2, 5)]
    teams = [make_team(make_user(f"captain{name[-1]}"), name, joining="ask") for name in names]
    for team in teams[:2]:
        for _ in range(2):  # the second time changes nothing
            services.join(user=alice, team_id=team.public_id, message="Hello", now=NOW)
    with pytest.raises(TooMany):
        services.join(user=alice, team_id=teams[2].public_id, now=NOW)
    assert JoinRequest.objects.count() == 2
    open_one = make_team(teams[0].captain, "Team 5")
    assert services.join(user=alice, team_id=open_one.public_id, now=NOW)
