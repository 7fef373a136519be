"""The report to the staff: pairs whose rated games look arranged, and a graph of who gave points to whom."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.fair_play import selectors, services
from crownhead.server.fair_play.choices import Trace
from crownhead.server.fair_play.models import Sighting
from crownhead.server.fair_play.presenters import report
from crownhead.server.fair_play.selectors import suspicious_pairs
from crownhead.server.fair_play.services import note_sighting
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games import endings
from crownhead.server.play.models import Game
from crownhead.server.play.presenters.state import legal_moves
from crownhead.server.play.staff import selectors as staff_selectors
from crownhead.server.play.staff.selectors import quick_ends
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW, fresh, make_game, play_moves
from tests.server.ratings.factories import make_rated_game

pytestmark = pytest.mark.django_db
PATH = "/staff/fair_play/ratingreport/"
LATE = NOW + 30 * DAY  # when every clock has run out


def seen(user: User, trace: Trace, value: str) -> None:
    note_sighting(user=user, trace=trace, value=value, now=NOW)


@pytest.fixture
def puppets(alice: User) -> list[User]:
    """Four fresh accounts of one address that lose to Alice, one of them with her browser."""
    made = [make_user(f"puppet-{number}") for number in range(4)]
    for user in (alice, *made):
        seen(user, Trace.ADDRESS, "192.0.2.1")
    seen(alice, Trace.DEVICE, "cookie")
    seen(made[0], Trace.DEVICE, "cookie")
    for puppet in made:
        for _ in range(3):
            make_rated_game(alice, puppet)
    return made


def test_farming_is_found_with_its_signals(alice: User, puppets: list[User]) -> None:
    pairs = suspicious_pairs(now=NOW)
    assert {(pair.winner, pair.loser) for pair in pairs} == {("alice", user.username) for user in puppets}
    worst = pairs[0]
    assert (worst.loser, worst.shared_devices, worst.shared_addresses) == ("puppet-0", 1, 1)
    assert (worst.games, worst.short, worst.given_up) == (3, 3, 3)
    assert worst.points > 0
    assert worst.weight > pairs[1].weight


def test_honest_pairs_are_not_listed(bob: User, charlie: User) -> None:
    for _ in range(4):
        game = make_game(bob, charlie, rated=True)
        for _ply in range(12):
            play_moves(fresh(game), legal_moves(fresh(game))[0].notation)
        resign(user=charlie, game_id=game.public_id, now=NOW)
    assert suspicious_pairs(now=NOW) == []
    family = make_user("daughter")
    seen(bob, Trace.ADDRESS, "192.0.2.7")
    seen(family, Trace.ADDRESS, "192.0.2.7")
    make_rated_game(family, bob, "½")
    assert suspicious_pairs(now=NOW) == []


def lose_games(winner: User, loser: User, *, plies: int, games: int = 8, on_time: bool = False) -> None:
    for _ in range(games):
        game = make_game(winner, loser, rated=True)
        for _ply in range(plies):
            play_moves(fresh(game), legal_moves(fresh(game))[0].notation)
        if on_time:
            with transaction.atomic():
                endings.settle(endings.lock_game(game.public_id), LATE)
        else:
            resign(user=loser, game_id=game.public_id, now=NOW)


def test_puppets_that_wait_for_the_tenth_ply_before_they_resign_are_found(alice: User) -> None:
    puppets = [make_user(f"puppet-{number}") for number in range(3)]
    for puppet in puppets:
        lose_games(alice, puppet, plies=10)
    pairs = suspicious_pairs(now=NOW)
    assert {pair.loser for pair in pairs} == {puppet.username for puppet in puppets}
    assert {(pair.games, pair.won, pair.short, pair.given_up) for pair in pairs} == {(8, 8, 0, 8)}


def test_puppets_that_lose_on_time_are_found_as_those_that_resign(alice: User) -> None:
    puppets = [make_user(f"puppet-{number}") for number in range(3)]
    for puppet in puppets:
        lose_games(alice, puppet, plies=11, on_time=True)
    pairs = suspicious_pairs(now=LATE)
    assert {pair.loser for pair in pairs} == {puppet.username for puppet in puppets}
    assert {(pair.games, pair.won, pair.short, pair.given_up) for pair in pairs} == {(8, 8, 0, 8)}


@pytest.mark.parametrize("termination", ["resignation", "time", "abandoned"])
def test_each_way_to_give_up_a_game_early_counts_but_no_draw(
    alice: User, bob: User, termination: str
) -> None:
    given_up, drawn, played_on = (make_rated_game(alice, bob, result) for result in ("1-0", "½", "1-0"))
    Game.objects.filter(pk__in=[given_up.pk, drawn.pk]).update(termination=termination)
    Game.objects.filter(pk=played_on.pk).update(termination="no-pieces")
    assert quick_ends([given_up.public_id, drawn.public_id, played_on.public_id]).given_up == {
        given_up.public_id
    }


def test_no_statement_asks_for_more_games_than_a_database_takes(
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(staff_selectors, "_AT_ONCE", 2)
    ids = {make_rated_game(alice, bob).public_id for _ in range(5)}
    with django_assert_num_queries(3):
        assert quick_ends(ids).given_up == ids


def test_a_pupil_who_loses_every_game_after_a_fight_is_not_listed(alice: User) -> None:
    lose_games(alice, make_user("pupil"), plies=24)
    assert suspicious_pairs(now=NOW) == []


def test_friends_of_one_strength_who_resign_early_are_not_listed(bob: User, charlie: User) -> None:
    lose_games(bob, charlie, plies=12, games=6)
    lose_games(charlie, bob, plies=12, games=2)
    assert suspicious_pairs(now=NOW) == []


def test_members_who_share_much_are_compared_only_with_whom_they_gained_from(
    alice: User, puppets: list[User]
) -> None:
    """So a hundred accounts with a hundred cookies in common cost no more than their own pairs."""
    for user in (alice, *puppets):
        for number in range(5):
            seen(user, Trace.DEVICE, f"made-up-{number}")
    strangers = {(puppets[0].pk, puppets[1].pk)}
    assert {pair.shared_devices for pair in suspicious_pairs(now=NOW)} == {5, 6}
    assert selectors._shared(strangers).keys() == strangers  # noqa: SLF001
    assert selectors._shared(strangers).popitem()[1] == {Trace.ADDRESS: 1, Trace.DEVICE: 5}  # noqa: SLF001


def test_what_is_made_up_first_does_not_hide_what_is_shared_later(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_TRACES", 3)
    other = make_user("other")
    for number in range(3):
        seen(alice, Trace.ADDRESS, f"2001:db8:{number}::")
        seen(alice, Trace.DEVICE, f"made-up-{number}")
    for user in (alice, other):
        seen(user, Trace.ADDRESS, "192.0.2.1")
        seen(user, Trace.DEVICE, "cookie")
    for _ in range(4):
        make_rated_game(alice, other)
    (pair,) = suspicious_pairs(now=NOW)
    assert (pair.shared_addresses, pair.shared_devices) == (1, 1)


def test_what_is_made_up_later_does_not_push_out_what_came_again(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MAX_TRACES", 3)
    for day in range(2):
        cache.clear()
        note_sighting(user=alice, trace=Trace.DEVICE, value="cookie", now=NOW + day * DAY)
    for number in range(5):
        value = f"made-up-{number}"
        note_sighting(user=alice, trace=Trace.DEVICE, value=value, now=NOW + 2 * DAY)
    kept = set(Sighting.objects.filter(user=alice).values_list("digest", flat=True))
    assert kept == {services.digest(value) for value in ("cookie", "made-up-3", "made-up-4")}


def test_what_is_a_month_old_is_not_looked_at(puppets: list[User]) -> None:
    assert suspicious_pairs(now=NOW + 31 * DAY) == []


def test_the_graph_draws_an_arrow_for_each_pair(puppets: list[User]) -> None:
    drawn = report(now=NOW)
    assert len(drawn.nodes) == 5
    assert len(drawn.arrows) == 4
    assert all(0 <= value <= drawn.size for arrow in drawn.arrows for value in (arrow.x1, arrow.y1))


def test_the_staff_read_it_in_the_back_office(alice: User, puppets: list[User]) -> None:
    client = Client()
    client.force_login(make_user("judge", is_staff=True))
    assert f'href="{PATH}"' in client.get("/staff/").content.decode()
    with clock.stopped(NOW):
        html = client.get(PATH).content.decode()
    assert html.count("<line") == 4
    assert re.search(r"puppet-0 → alice: \d+", html)
    assert "Given up early" in html
    assert "192.0.2.1" not in html
    client.force_login(alice)
    assert client.get(PATH).status_code == 302
    assert Client().get(PATH).status_code == 302


def test_it_costs_the_same_for_many_pairs(
    puppets: list[User], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(8):
        report(now=NOW)
