"""A tournament whose host closes their account gets another host, or is cancelled if nobody can start it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Director, DirectorAction, Tournament
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.notices.models import Notice
from tests.server.competitions.factories import (
    LIVE,
    client_of,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
)
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def close(user: User, *, now: datetime = NOW) -> None:
    """Close an account, and let workers do what comes of it."""
    closing.close(user=user, now=now)
    run_tasks(GENERAL)
    jobs.see_to_gone_hosts(now)


def direct_with(tournament: Tournament, *users: User, accepted: bool = True) -> None:
    """Have the host ask others to direct it with them."""
    names = [user.username for user in users]
    services.set_directors(user=tournament.host, tournament_id=tournament.public_id, usernames=names, now=NOW)
    for user in users:
        if accepted:
            services.answer_directing(user=user, tournament_id=tournament.public_id, accepted=True)


@pytest.mark.parametrize("least", [3, 4])
@pytest.mark.parametrize("changes", [{}, {"start": "date", "starts_at": NOW + DAY, "held_rounds": True}])
def test_a_tournament_that_nobody_can_start_is_cancelled_and_its_players_hear_why(
    alice: User, changes: dict[str, Any], least: int
) -> None:
    tournament = make_tournament(alice, min_players=least, **changes)
    users = enter_players(tournament, 3)
    close(alice)
    assert fresh(tournament).status == "cancelled"
    why = "Its host has closed their account, and it has no other director."
    for user in users:
        notice = Notice.objects.get(user=user, subject="The tournament Spring cup was cancelled")
        assert notice.text == why
    assert why in client_of(users[0]).get(f"/tournaments/{tournament.public_id}/").content.decode()
    assert jobs.see_to_gone_hosts(NOW) == 0


def test_one_that_had_too_few_players_was_not_cancelled_for_the_host_who_left_later(alice: User) -> None:
    tournament = make_tournament(
        alice, start="date", starts_at=NOW + DAY, held_rounds=True, min_players=4, max_players=8
    )
    enter_players(tournament, 3)
    jobs.advance_due(NOW + DAY)
    assert fresh(tournament).status == "cancelled"
    close(alice, now=NOW + 2 * DAY)
    page = client_of(alice).get(f"/tournaments/{tournament.public_id}/").content.decode()
    assert "It needs at least 4 players; 3 have entered." in page


def test_a_host_who_withdraws_and_closes_at_once_leaves_no_open_tournament(alice: User) -> None:
    tournament = make_tournament(alice)
    services.enter(user=alice, tournament_id=tournament.public_id, now=NOW)
    enter_players(tournament, 3)
    services.withdraw(user=alice, tournament_id=tournament.public_id, now=NOW)
    close(alice)
    assert (fresh(tournament).status, fresh(tournament).size) == ("cancelled", 3)


def test_one_that_begins_by_itself_goes_on(alice: User) -> None:
    tournament = make_tournament(alice, start="date", starts_at=NOW + DAY)
    enter_players(tournament, 3)
    close(alice)
    assert fresh(tournament).status == "entry"
    jobs.advance_due(NOW + DAY)
    assert fresh(tournament).status == "running"


@pytest.mark.parametrize("is_running", [False, True])
def test_the_director_of_longest_standing_hosts_it_and_hears_of_it(
    alice: User, bob: User, charlie: User, is_running: bool
) -> None:
    tournament = make_running_tournament(alice, 3)[0] if is_running else make_tournament(alice)
    direct_with(tournament, bob, charlie)
    first = Director.objects.filter(tournament=tournament).order_by("pk")[0].user
    close(alice)
    assert fresh(tournament).host == first
    assert fresh(tournament).status == ("running" if is_running else "entry")
    assert list(Director.objects.exclude(user=first).values_list("user", flat=True)) == [
        user.pk for user in (bob, charlie) if user != first
    ]
    notice = Notice.objects.get(user=first, subject="You host the tournament Spring cup now")
    by_hand = "" if is_running else " The tournament begins when you start it."
    assert notice.text == f"Its host has closed their account.{by_hand}"
    assert not Notice.objects.filter(subject__contains="needs a decision").exists()
    act = DirectorAction.objects.filter(tournament=tournament).latest("pk")
    assert (act.verb, act.text) == ("directors", first.username)
    assert client_of(first).get(f"/tournaments/{tournament.public_id}/log/").status_code == 200


@pytest.mark.parametrize("is_held", [True, False])
def test_the_new_host_hears_of_the_decision_that_the_tournament_waits_for(
    alice: User, bob: User, is_held: bool
) -> None:
    tournament = make_tournament(alice, format="swiss", held_rounds=is_held)
    enter_players(tournament, 4)
    direct_with(tournament, bob)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    if not is_held:
        Tournament.objects.update(waiting_for="The next round can't be paired.")
    close(alice)
    notice = Notice.objects.get(user=bob, subject="The tournament Spring cup needs a decision from you")
    waits = "Round 1 is paired and waits to be released." if is_held else "The next round can't be paired."
    assert notice.text == waits
    assert Notice.objects.filter(user=bob, subject="You host the tournament Spring cup now").exists()


def test_a_new_host_of_an_arena_is_not_asked_for_the_players_that_it_waits_for(
    alice: User, bob: User
) -> None:
    tournament, _users = make_running_tournament(alice, 3, format="arena", game=LIVE, minutes=60)
    direct_with(tournament, bob)
    Tournament.objects.update(waiting_for="Waiting for two free players.")
    close(alice)
    assert fresh(tournament).host == bob
    assert not Notice.objects.filter(user=bob, subject__contains="needs a decision").exists()


def test_a_director_who_does_not_play_hosts_it_rather_than_one_who_does(
    alice: User, bob: User, charlie: User
) -> None:
    tournament = make_tournament(alice)
    direct_with(tournament, bob)
    direct_with(tournament, bob, charlie)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    close(alice)
    assert fresh(tournament).host == charlie


def test_who_was_only_asked_or_has_gone_hosts_nothing(alice: User, bob: User, charlie: User) -> None:
    tournament = make_tournament(alice)
    direct_with(tournament, bob)
    direct_with(tournament, bob, charlie, accepted=False)
    close(bob)
    close(alice)
    assert fresh(tournament).status == "cancelled"


def test_a_host_who_is_only_suspended_keeps_their_tournaments(alice: User) -> None:
    tournament = make_tournament(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert jobs.see_to_gone_hosts(NOW) == 0
    assert fresh(tournament).status == "entry"


def test_a_running_tournament_without_another_director_is_left_to_the_staff(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 3)
    close(alice)
    assert fresh(tournament).status == "running"
