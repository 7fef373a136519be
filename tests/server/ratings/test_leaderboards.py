"""Leaderboards, places, and the distribution of ratings."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction

from crownhead.server.accounts.events import AccountClosed
from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import jobs
from crownhead.server.core.problems import BadRequest
from crownhead.server.play.draws.services import resign
from crownhead.server.ratings.models import PlayerRating
from crownhead.server.ratings.selectors import leaderboards
from crownhead.server.ratings.services import recalculate
from crownhead.server.ratings.services.leaderboards import count_distributions, remove_player
from tests.server.play.factories import DAY, NOW, make_game, play_moves
from tests.server.ratings.factories import OPENING, establish

pytestmark = pytest.mark.django_db


def rated(points: Iterable[int], *, variant: str = "american", prefix: str = "p", **more: Any) -> list[User]:
    """Players on the leaderboard with these points."""
    facts = {"deviation": 60.0, "volatility": 0.06, "updated_at": NOW, "listed_until": NOW + 90 * DAY} | more
    made = []
    for number, value in enumerate(points):
        user = User.objects.create(username=f"{prefix}{number}", folded=f"{prefix}{number}")
        made.append(user)
        PlayerRating.objects.create(
            user=user, variant=variant, value=value, points=value, games=1, won=1, **facts
        )
    return made


def _lines(**options: Any) -> list[tuple[int, str]]:
    places, _ = leaderboards.leaderboard("american", now=NOW, **options)
    return [(line.place, line.row.user.username) for line in places]


def test_the_best_come_first_and_equal_points_share_a_place() -> None:
    rated([1600, 1900, 1600, 1500])
    assert _lines() == [(1, "p1"), (2, "p0"), (2, "p2"), (4, "p3")]


def test_places_continue_from_page_to_page_also_in_the_midst_of_equals() -> None:
    rated([1900, 1600, 1600, 1600, 1500, 1500])
    seen: list[tuple[int, str]] = []
    cursor = None
    for _ in range(3):
        places, cursor = leaderboards.leaderboard("american", now=NOW, cursor=cursor, limit=2)
        seen += [(line.place, line.row.user.username) for line in places]
    assert cursor is None
    assert seen == [(1, "p0"), (2, "p1"), (2, "p2"), (2, "p3"), (5, "p4"), (5, "p5")]


def test_a_list_may_begin_at_some_points() -> None:
    rated([1900, 1700, 1600])
    assert _lines(most=1700) == [(2, "p1"), (3, "p2")]


def test_a_player_who_has_not_played_for_90_days_is_not_listed_and_let_go() -> None:
    rated([1900], listed_until=NOW, updated_at=NOW - 90 * DAY)
    rated([1800], prefix="q", listed_until=None, deviation=200.0)
    (there,) = rated([1700], prefix="r")
    assert _lines() == [(1, "r0")]
    (suspended,) = rated([1600], prefix="s")
    User.objects.filter(pk=suspended.pk).update(is_active=False)
    (job,) = (job for job in jobs() if job.name == "leaderboards")
    job.run(NOW)
    assert list(PlayerRating.objects.exclude(listed_until=None).values_list("user", flat=True)) == [there.pk]


def test_a_listing_ends_when_the_deviation_outgrows_what_is_provisional() -> None:
    from crownhead.contest.glicko2 import Rating
    from crownhead.server.ratings.selectors.strength import Strength

    sure = Strength(Rating(1500, 50, 0.06), NOW).listed_until()
    unsure = Strength(Rating(1500, 109.9, 0.06), NOW)
    until = unsure.listed_until()
    assert sure == NOW + timedelta(days=90)
    assert until is not None
    assert NOW < until < NOW + timedelta(days=10)
    assert unsure.by(until + timedelta(hours=1)).provisional
    assert not unsure.by(until - timedelta(hours=1)).provisional
    assert Strength(Rating(1500, 111, 0.06), NOW).listed_until() is None


def test_a_player_sees_their_place_and_among_how_many() -> None:
    users = rated([1900, 1600, 1600])
    assert leaderboards.standing_of(users[2].pk, "american", now=NOW) == leaderboards.Standing(2, 3)
    assert leaderboards.standing_of(users[0].pk, "russian", now=NOW) is None


def test_the_distribution_has_columns_of_fifty_points_without_gaps() -> None:
    rated([1500, 1549, 1550, 1700])
    columns = leaderboards.distribution("american", now=NOW)
    assert [(column.least, column.most, column.players) for column in columns] == [
        (1500, 1549, 2),
        (1550, 1599, 1),
        (1600, 1649, 0),
        (1650, 1699, 0),
        (1700, 1749, 1),
    ]
    assert leaderboards.distribution("russian", now=NOW) == []


def test_what_is_counted_over_all_players_is_kept_for_a_while(django_assert_num_queries: Any) -> None:
    rated([1500, 1600])
    leaderboards.distribution("american", now=NOW)
    leaderboards.leads(now=NOW)
    with django_assert_num_queries(0):
        leaderboards.distribution("american", now=NOW)
        assert leaderboards.leads(now=NOW)["american"] == leaderboards.Lead("american", 2, 1600, "p1")
    cache.clear()
    rated([1700], prefix="q")
    assert leaderboards.leads(now=NOW)["american"].players == 3


def test_a_cursor_of_another_list_is_refused() -> None:
    with pytest.raises(BadRequest):
        leaderboards.leaderboard("american", now=NOW, cursor="bm9uc2Vuc2U")


@pytest.mark.parametrize("count", [3, 40])
def test_a_leaderboard_costs_the_same_whatever_its_length(count: int, django_assert_num_queries: Any) -> None:
    rated(range(1500, 1500 + count))
    with django_assert_num_queries(3):
        leaderboards.leaderboard("american", now=clock.now())


def test_a_closed_account_is_on_no_leaderboard_even_after_a_recount(alice: User, bob: User) -> None:
    establish(alice, bob)
    assert len(_lines()) == 2
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with transaction.atomic():
        emit(AccountClosed(user_id=bob.pk, name="bob", at=NOW))
    assert [name for _, name in _lines()] == ["alice"]
    PlayerRating.objects.filter(user=bob).update(value=1)
    assert recalculate(variant="american") == 1
    assert [name for _, name in _lines()] == ["alice"]


def test_a_suspended_player_comes_back_to_their_place() -> None:
    (suspended, sooner, doubtful, closed) = rated([1900, 1800, 1700, 1600])
    rows = PlayerRating.objects.filter(user__in=[suspended, doubtful, closed])
    (job,) = (job for job in jobs() if job.name == "leaderboards")
    listed = {row.user_id: row.listed_until for row in PlayerRating.objects.all()}
    User.objects.filter(pk__in=[suspended.pk, doubtful.pk, closed.pk]).update(is_active=False)
    job.run(NOW)
    assert list(rows.values_list("listed_until", flat=True)) == [None] * 3
    User.objects.filter(pk__in=[suspended.pk, doubtful.pk]).update(is_active=True)
    PlayerRating.objects.filter(user=doubtful).update(deviation=109.99)
    job.run(NOW + 20 * DAY)
    now = {row.user_id: row.listed_until for row in PlayerRating.objects.all()}
    assert now == listed | {doubtful.pk: None, closed.pk: None}
    assert listed[sooner.pk] == listed[suspended.pk]


@pytest.mark.parametrize("number", [1, 2])
def test_a_game_that_ends_after_the_account_is_no_way_back(number: int, alice: User, bob: User) -> None:
    before = establish(alice, bob)
    late = [make_game(*sides, rated=True) for sides in ((alice, bob), (bob, alice))[:number]]
    for game in late:
        play_moves(game, *OPENING)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    remove_player(user_id=bob.pk)
    for game in late:
        resign(user=bob, game_id=game.public_id, now=NOW)
    assert PlayerRating.objects.get(user=bob).games == before + number
    assert [name for _, name in _lines()] == ["alice"]


def test_places_far_down_follow_from_the_distribution_that_the_worker_counts(
    monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: Any
) -> None:
    monkeypatch.setattr(leaderboards, "EXACT", 2)
    players = rated([1900, 1800, 1700, 1700, 1600, 1500])
    cache.clear()
    (job,) = (job for job in jobs() if job.name == "distributions of ratings")
    job.run(NOW)
    PlayerRating.objects.filter(user=players[4]).update(points=1950)  # not counted yet

    assert _lines(most=1600) == [(6, "p5")]
    with django_assert_max_num_queries(5):
        standing = leaderboards.standing_of(players[5].pk, "american", now=NOW)
    assert standing is not None
    assert standing.place == 6
    assert _lines()[:2] == [(1, "p4"), (2, "p0")]  # the first places are always exact
    cache.clear()
    assert sum(column.players for column in leaderboards.distribution("american", now=NOW)) == 6


def test_a_distribution_whose_players_have_all_left_is_empty() -> None:
    rated([1900])
    count_distributions(now=NOW)
    PlayerRating.objects.update(listed_until=None)
    count_distributions(now=NOW)
    cache.clear()
    assert leaderboards.distribution("american", now=NOW) == []
    assert leaderboards.leads(now=NOW)["american"].players == 0
