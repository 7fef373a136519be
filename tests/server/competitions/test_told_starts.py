"""A tournament begins as its players were told: no live clock by surprise, no other terms at once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import Preferences, User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import NOTICE
from crownhead.server.competitions.models import (
    DirectorAction,
    Entrant,
    Pairing,
    PairingGame,
    Round,
    Tournament,
)
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, Forbidden
from crownhead.server.live import signs
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    client_of,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    play_out,
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
    with clock.stopped(now):
        services.start(user=user, tournament_id=tournament.public_id, now=now)


def release(tournament: Tournament, user: User, now: datetime = LATER) -> None:
    with clock.stopped(now):
        services.release(user=user, tournament_id=tournament.public_id, now=now)
        jobs.advance_due(now)


def arrive(*users: User, at: datetime = LATER) -> None:
    """Let people ask the club for something now."""
    with clock.stopped(at):
        for user in users:
            signs.note_heard(user.pk)


def players_of(tournament: Tournament) -> list[User]:
    """Who has entered besides the host."""
    rows = Entrant.objects.filter(tournament=tournament).exclude(user=tournament.host)
    return [row.user for row in rows.select_related("user").order_by("pk")]


def edit(tournament: Tournament, *, now: datetime = NOW, **changes: Any) -> None:
    """Change some of the terms as the host."""
    kept = ("name", "format", "min_players", "max_players", "start", "starts_at", "appointment_days")
    wanted: dict[str, Any] = {name: getattr(tournament, name) for name in kept}
    wanted["game"] = LIVE if tournament.terms["clock"].get("initial") else MAIN
    with clock.stopped(now):
        services.edit(
            user=tournament.host,
            tournament_id=tournament.public_id,
            wanted=Announcement(**(wanted | changes)),
            now=now,
        )
    jobs.advance_due(now)


def test_a_host_who_plays_starts_no_live_tournament_while_players_are_away(alice: User) -> None:
    tournament = make_of_host_who_plays(alice)
    here, *_away = players_of(tournament)
    arrive(here)
    with pytest.raises(Conflict, match=r"Not here yet: player-2, player-3\. Otherwise .* at least 20 hours"):
        start(tournament, alice)
    assert fresh(tournament).status == "entry"
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/direct/").content.decode()
    assert 'value="start"' in page
    assert "while all players are here" in page
    services.withdraw(user=alice, tournament_id=tournament.public_id, now=LATER)
    start(tournament, alice)
    assert fresh(tournament).status == "running"
    with pytest.raises(Forbidden, match="so you can't play in it now"):
        services.enter(user=alice, tournament_id=tournament.public_id, now=LATER)


def test_a_live_cup_of_friends_who_are_all_here_is_played_round_by_round(alice: User) -> None:
    tournament = make_of_host_who_plays(
        alice, start="full", max_players=8, held_rounds=True, format="swiss", options={"rounds": 3}
    )
    friends = players_of(tournament)
    arrive(*friends)
    start(tournament, alice)
    jobs.advance_due(LATER)
    release(tournament, alice)
    games = PairingGame.objects.filter(pairing__round__tournament=tournament)
    assert games.count() == 2
    while rows := open_rows(tournament):
        play_out(rows[0].game_id or "", winner=None, now=LATER)
    jobs.advance_due(LATER)
    assert fresh(tournament).rounds_made == 2
    at = LATER + timedelta(hours=1)
    arrive(*friends[1:], at=at)
    with pytest.raises(Conflict, match=r"Not here yet: player-1\. Otherwise"):
        release(tournament, alice, at)
    arrive(friends[0], at=at)
    release(tournament, alice, at)
    assert games.count() == 4


def test_anyone_who_has_left_or_gets_a_bye_is_not_waited_for(alice: User) -> None:
    tournament = make_of_host_who_plays(alice, held_rounds=True, format="swiss", options={"rounds": 3})
    gone, closed, *others = players_of(tournament)
    services.withdraw(user=gone, tournament_id=tournament.public_id, now=NOW)
    User.objects.filter(pk=closed.pk).update(is_active=False)
    late = [make_user("dora"), make_user("emil")]
    for user in late:
        services.enter(user=user, tournament_id=tournament.public_id, now=NOW)
    arrive(*others, *late)
    start(fresh(tournament), alice)
    jobs.advance_due(LATER)
    bye = Pairing.objects.exclude(bye="").get()
    at = LATER + timedelta(hours=1)
    arrive(*(user for user in (*others, *late) if user != bye.first.user), at=at)
    release(tournament, alice, at)
    assert Round.objects.get().starts_at == at


def test_of_those_who_are_away_some_are_named_who_let_it_be_seen(alice: User) -> None:
    tournament = make_tournament(alice, game=LIVE, max_players=40)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    shy, *_others = enter_players(tournament, 5)
    Preferences.objects.create(user=shy, show_here=False)
    counts = set()
    for more in ([], [make_user(f"friend-{number}") for number in range(20)]):
        for user in more:
            services.enter(user=user, tournament_id=tournament.public_id, now=NOW)
        with CaptureQueriesContext(connection) as asked, pytest.raises(Conflict) as raised:
            start(tournament, alice)
        counts.add(len(asked))
    assert len(counts) == 1
    assert "Not here yet: friend-0, friend-1, friend-10, …. Otherwise" in raised.value.text
    arrive(*(user for user in players_of(tournament) if user != shy))
    with pytest.raises(Conflict, match=r"Not here yet: …"):
        start(tournament, alice)


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


def test_a_host_who_plays_releases_no_live_round_while_players_are_away(alice: User) -> None:
    tournament = make_of_host_who_plays(alice, held_rounds=True, start="full", max_players=4)
    jobs.advance_due(NOW)
    jobs.advance_due(NOW)
    path = f"/tournaments/{tournament.public_id}/direct/"
    assert 'value="release"' in client_of(alice).get(path).content.decode()
    with pytest.raises(Conflict, match="once all its players are here"):
        release(tournament, alice)
    assert Round.objects.get().starts_at is None
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


@pytest.mark.parametrize(
    ("start", "changes"),
    [
        ("hand", {"start": "full", "max_players": 4}),
        ("hand", {"start": "date", "starts_at": NOW + timedelta(hours=1)}),
        ("full", {"max_players": 4}),
        ("full", {"max_players": 5, "starts_at": NOW + timedelta(hours=1)}),
    ],
)
def test_other_terms_begin_a_live_tournament_soon_with_all_players_there(
    alice: User, start: str, changes: dict[str, Any]
) -> None:
    tournament = make_of_host_who_plays(alice, start=start)
    first, *others = players_of(tournament)
    arrive(*others, at=NOW)
    with pytest.raises(Conflict, match=r"Not here yet: player-1\. Otherwise give it a date"):
        edit(tournament, **changes)
    arrive(first, alice, at=NOW)
    edit(tournament, **changes)
    jobs.advance_due(NOW + timedelta(hours=1))
    assert fresh(tournament).status == "running"


@pytest.mark.parametrize(
    ("start", "changes"),
    [
        ("hand", {"start": "date", "starts_at": NOW + timedelta(hours=9)}),
        ("hand", {"start": "full", "max_players": 5}),
        ("full", {"max_players": 5}),  # who enters last chooses the moment
        ("full", {"max_players": 5, "starts_at": NOW + timedelta(hours=9)}),
        ("full", {"start": "hand"}),  # a director chooses it
    ],
)
def test_players_who_are_here_now_do_not_stay_for_hours(
    alice: User, start: str, changes: dict[str, Any]
) -> None:
    tournament = make_of_host_who_plays(alice, start=start)
    arrive(*players_of(tournament), at=NOW)
    with pytest.raises(Conflict, match="at least 20 hours from now"):
        edit(tournament, **changes)


@pytest.mark.parametrize("changes", [{}, {"min_players": 3}], ids=["sooner", "with fewer"])
def test_a_host_who_alone_has_entered_needs_no_notice(alice: User, changes: dict[str, Any]) -> None:
    tournament = make_tournament(alice, game=LIVE, min_players=4)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    edit(fresh(tournament), start="date", starts_at=NOW + timedelta(hours=3), **changes)
    assert fresh(tournament).starts_at == NOW + timedelta(hours=3)


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


def test_a_live_tournament_that_begins_when_full_gets_a_date_with_all_players_there(alice: User) -> None:
    tournament = make_of_host_who_plays(alice, start="full")
    arrive(*players_of(tournament), at=NOW)
    soon = NOW + timedelta(minutes=5)
    with clock.stopped(NOW):
        services.extend(user=alice, tournament_id=tournament.public_id, until=soon, reason="Soon.", now=NOW)
    assert fresh(tournament).starts_at == soon


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
