"""A tournament begins as its players were told: no live clock by surprise, no other terms at once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import NOTICE
from crownhead.server.competitions.models import DirectorAction, Entrant, Round, Tournament
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core.problems import Conflict, Forbidden
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    client_of,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
)
from tests.server.conftest import make_user
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=14)


def make_of_host_who_plays(host: User, **changes: Any) -> Tournament:
    """A tournament of four that its host has entered, too; live unless changed."""
    wanted: dict[str, Any] = {"game": LIVE, "max_players": 6} | changes
    tournament = make_tournament(host, **wanted)
    enter_players(tournament, 3)
    services.enter(user=host, tournament_id=tournament.public_id, now=NOW)
    return fresh(tournament)


def start(tournament: Tournament, user: User, now: datetime = LATER) -> None:
    services.start(user=user, tournament_id=tournament.public_id, now=now)


def edit(tournament: Tournament, *, now: datetime = NOW, **changes: Any) -> None:
    """Change some of the terms as the host."""
    kept = ("name", "format", "min_players", "max_players", "start", "starts_at", "appointment_days")
    wanted: dict[str, Any] = {name: getattr(tournament, name) for name in kept}
    wanted["game"] = LIVE if tournament.terms["clock"].get("initial") else MAIN
    services.edit(
        user=tournament.host,
        tournament_id=tournament.public_id,
        wanted=Announcement(**(wanted | changes)),
        now=now,
    )
    jobs.advance_due(now)


def test_a_host_who_plays_starts_no_live_tournament_by_hand(alice: User) -> None:
    tournament = make_of_host_who_plays(alice)
    with pytest.raises(Forbidden, match="can't choose the moment"):
        start(tournament, alice)
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert 'value="start"' not in page
    assert "It also starts by itself" in page
    services.withdraw(user=alice, tournament_id=tournament.public_id, now=LATER)
    start(tournament, alice)
    assert fresh(tournament).status == "running"


def test_staff_who_play_start_it() -> None:
    judge = make_user("judge", is_staff=True)
    tournament = make_of_host_who_plays(judge)
    start(tournament, judge)
    assert fresh(tournament).status == "running"


@pytest.mark.parametrize("changes", [{"game": MAIN}, {"appointment_days": 3}], ids=["by days", "appointed"])
def test_a_host_who_plays_starts_what_runs_no_clock_at_once(alice: User, changes: dict[str, Any]) -> None:
    tournament = make_of_host_who_plays(alice, held_rounds=True, **changes)
    start(tournament, alice)
    jobs.advance_due(LATER)
    services.release(user=alice, tournament_id=tournament.public_id, now=LATER)
    assert Round.objects.get().starts_at == LATER


def test_a_host_who_plays_holds_a_live_tournament_on_a_date(alice: User) -> None:
    tournament = make_of_host_who_plays(alice, start="date", starts_at=LATER)
    jobs.advance_due(LATER)
    assert fresh(tournament).status == "running"


def test_a_host_who_plays_releases_no_live_round(alice: User) -> None:
    tournament = make_of_host_who_plays(alice, held_rounds=True, start="full", max_players=4)
    jobs.advance_due(NOW)
    jobs.advance_due(NOW)
    path = f"/tournaments/{tournament.public_id}/direct/"
    assert 'value="release"' not in client_of(alice).get(path).content.decode()
    with pytest.raises(Forbidden, match="can't choose the moment"):
        services.release(user=alice, tournament_id=tournament.public_id, now=LATER)
    judge = make_user("judge", is_staff=True)
    assert 'value="release"' in client_of(judge).get(path).content.decode()
    services.release(user=judge, tournament_id=tournament.public_id, now=LATER)
    assert Round.objects.get().starts_at == LATER


def test_who_has_started_it_by_hand_does_not_come_in_late(alice: User) -> None:
    tournament, _users = make_running_tournament(
        alice, 3, game=LIVE, format="arena", minutes=60, max_players=8
    )
    with pytest.raises(Forbidden, match="so you can't play in it now"):
        services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)


@pytest.mark.parametrize(
    ("start", "changes"),
    [
        ("hand", {"start": "full", "max_players": 4}),
        ("hand", {"start": "date", "starts_at": NOW + timedelta(minutes=5)}),
        ("full", {"max_players": 4}),
        ("full", {"starts_at": NOW + timedelta(minutes=5)}),
    ],
)
def test_other_terms_begin_no_live_tournament_soon(alice: User, start: str, changes: dict[str, Any]) -> None:
    tournament = make_of_host_who_plays(alice, start=start)
    with pytest.raises(Conflict, match="at least 20 hours from now"):
        edit(tournament, **changes)
    assert fresh(tournament).status == "entry"
    edit(tournament, start="date", starts_at=NOW + NOTICE)
    assert not Entrant.objects.exclude(left=None).exists()
    assert DirectorAction.objects.get(verb="edited").by == alice


def test_a_live_tournament_that_begins_when_full_gets_no_date_right_now(alice: User) -> None:
    tournament = make_of_host_who_plays(alice, start="full")
    what: dict[str, Any] = {
        "user": alice,
        "tournament_id": tournament.public_id,
        "reason": "Soon.",
        "now": NOW,
    }
    with pytest.raises(Conflict, match="at least 20 hours from now"):
        services.extend(until=NOW + timedelta(minutes=5), **what)
    services.extend(until=NOW + NOTICE, **what)
    assert fresh(tournament).starts_at == NOW + NOTICE


@pytest.mark.parametrize("start", ["hand", "full"])
def test_fewer_players_than_told_begin_only_on_a_date_that_leaves_time(alice: User, start: str) -> None:
    tournament = make_tournament(alice, min_players=4, max_players=4, start=start)
    enter_players(tournament, 3)
    with pytest.raises(Conflict, match="at least 20 hours from now"):
        edit(fresh(tournament), min_players=3, max_players=3)
    assert fresh(tournament).status == "entry"
    edit(fresh(tournament), min_players=3, start="date", starts_at=NOW + NOTICE)
    jobs.advance_due(NOW + NOTICE)
    assert fresh(tournament).status == "running"


def test_fewer_players_may_begin_at_the_date_that_everybody_knows(alice: User) -> None:
    soon = NOW + timedelta(hours=1)
    tournament = make_tournament(alice, min_players=4, start="date", starts_at=soon)
    enter_players(tournament, 3)
    edit(fresh(tournament), min_players=3)
    jobs.advance_due(soon)
    assert fresh(tournament).status == "running"
