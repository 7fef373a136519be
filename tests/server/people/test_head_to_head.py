"""What two players have scored against each other."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from crownhead.server.accounts.models import User
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.core import clock
from crownhead.server.people.selectors import results, sums
from crownhead.server.people.selectors.activity import games_by_week
from crownhead.server.people.selectors.head_to_head import head_to_head
from crownhead.server.play.games import endings
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.models import Game
from crownhead.server.web import page_cache
from tests.server.conftest import Api
from tests.server.people.conftest import window_of
from tests.server.people.test_profile import over
from tests.server.play.factories import DAY, NOW, make_game, play_moves

pytestmark = pytest.mark.django_db


def test_a_member_sees_their_score_against_somebody_on_the_profile(
    alice: User, bob: User, charlie: User
) -> None:
    over(alice, bob, loser=bob)
    over(bob, alice, loser=None)
    over(alice, bob, loser=bob, days_per_move=None, clock=LiveClock(initial=300))
    over(alice, charlie, loser=alice)

    mine = window_of(alice).get("/players/bob/").text
    assert "You against bob" in mine
    assert "Live 1 : 0 1 0 0 Correspondence 1½ : ½ 1 1 0 All games 2½ : ½ 2 1 0" in mine
    assert "Correspondence ½ : 1½ 0 1 1" in window_of(bob).get("/players/alice/").text


@pytest.mark.parametrize("path", ["/players/bob/", "/players/alice/"])
def test_there_is_no_score_without_a_game_of_the_two(
    alice: User, bob: User, charlie: User, path: str
) -> None:
    over(alice, bob, loser=bob)
    for viewer in (None, charlie):
        assert "against" not in window_of(viewer).get(path).text


def test_programs_ask_for_the_score_of_any_two(api: Api, alice: User, bob: User) -> None:
    over(alice, bob, loser=bob)
    over(alice, bob, loser=bob, hidden=True)

    answer = api.get("/players/Alice/against/bob").json()
    assert answer["total"] == {"won": 1, "drawn": 0, "lost": 0}
    assert answer["live"] == {"won": 0, "drawn": 0, "lost": 0}
    assert api.as_(bob).get("/players/bob/against/alice").json()["total"]["lost"] == 2
    assert api.get("/players/alice/against/alice").status_code == 422
    assert api.get("/players/alice/against/nobody").status_code == 404


def test_a_profile_for_members_keeps_its_scores_from_guests(api: Api, alice: User, bob: User) -> None:
    over(alice, bob, loser=bob)
    preferences_services.set_preferences(user=alice, changes={"visibility": "members"})
    assert api.get("/players/bob/against/alice").status_code == 404
    assert api.as_(bob).get("/players/bob/against/alice").status_code == 200


def test_the_profile_tells_how_many_games_were_lost_on_time(api: Api, alice: User, bob: User) -> None:
    over(alice, bob, loser=bob)
    over(bob, alice, loser=bob)
    game = play_moves(make_game(bob, alice), "11-15", "22-18", "15x22", "25x18")
    endings.settle(game, NOW + 30 * DAY)

    assert "Lost on time: 1 of 3 games (33%)" in window_of().get("/players/bob/").text
    assert "Lost on time: 0 of 3 games (0%)" in window_of().get("/players/alice/").text
    (line,) = api.get("/players/bob").json()["results"]
    assert (line["lost"], line["lost_on_time"]) == (3, 1)


def test_the_sums_of_very_many_games_are_kept_for_a_while(
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(sums, "MANY", 2)
    over(alice, bob, loser=bob)
    assert results.tallies(alice, viewer=None)[0].games == 1
    cache.clear()
    over(alice, bob, loser=bob, hidden=True)
    assert results.tallies(alice, viewer=alice)[0].games == 2
    over(alice, bob, loser=bob)
    assert results.tallies(alice, viewer=None)[0].games == 2
    assert head_to_head(alice, bob, viewer=None).total.won == 2
    with django_assert_num_queries(0):
        assert results.tallies(alice, viewer=None)[0].games == 2
        assert results.tallies(alice, viewer=alice)[0].games == 2
        assert head_to_head(alice, bob, viewer=None).total.won == 2
    assert results.tallies(alice, viewer=bob)[0].games == 3


@pytest.mark.parametrize("change", [{"annulled": True}, {"hidden": True, "rated": False}])
def test_games_that_do_not_count_are_looked_at_once_in_a_while(
    alice: User,
    bob: User,
    change: dict[str, bool],
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(sums, "MANY", 3)
    for _ in range(2):
        over(alice, bob, loser=bob)
    Game.objects.update(**change)

    def counted() -> list[int]:
        tallies = [tally.games for tally in results.tallies(alice, viewer=None)]
        week = games_by_week(alice, viewer=None, now=NOW)[-1]
        return [*tallies, week, head_to_head(alice, bob, viewer=None).total.games]

    assert counted() == [0, 0]
    cache.clear()
    over(bob, alice, loser=bob)
    assert counted() == [1, 1, 1]
    with django_assert_num_queries(0):
        assert counted() == [1, 1, 1]


def test_a_page_for_guests_adds_up_very_many_games_once(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    over(alice, bob, loser=bob)
    for most, seen in ((2, [True, True]), (1, [True, False])):
        monkeypatch.setattr(sums, "MANY", most)
        cache.clear()
        page_cache.clear()
        for sought in seen:
            with clock.stopped(NOW), CaptureQueriesContext(connection) as asked:
                assert "1 game in the last 13 weeks" in window_of().get("/players/alice/").text
            assert any("COUNT(" in query["sql"] for query in asked) is sought
