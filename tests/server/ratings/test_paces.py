"""Rated games by pace: live and by correspondence apart, and how many were lost on time."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps

from crownhead.server.accounts.models import User
from crownhead.server.play.games import endings
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.models import Game
from crownhead.server.ratings.models import Change
from crownhead.server.ratings.presenters import charts
from crownhead.server.ratings.selectors.paces import RatedPace, results_by_pace
from tests.server.conftest import Api
from tests.server.pages.conftest import Open
from tests.server.play.factories import DAY, NOW, fresh, make_game, play_moves
from tests.server.ratings.factories import OPENING, make_rated_game

pytestmark = pytest.mark.django_db

BLITZ = LiveClock(initial=300, increment=3)


def lost_on_time(first: User, second: User) -> Game:
    """A rated game that ended because the first player let their days run out."""
    game = play_moves(make_game(first, second, rated=True), *OPENING)
    endings.settle(game, NOW + 30 * DAY)
    return fresh(game)


def live_game(first: User, second: User) -> Game:
    """A rated live game that the second player resigned."""
    return make_rated_game(first, second, days_per_move=None, clock=BLITZ)


def test_live_games_are_counted_apart_from_correspondence(alice: User, bob: User) -> None:
    make_rated_game(alice, bob)
    live_game(alice, bob)
    lost_on_time(alice, bob)

    live, slow = results_by_pace(alice.pk, "american")

    assert (live.pace, live.games, live.won, live.lost, live.lost_on_time) == (RatedPace.LIVE, 1, 1, 0, 0)
    assert (slow.pace, slow.games, slow.won, slow.lost) == (RatedPace.CORRESPONDENCE, 2, 1, 1)
    assert (slow.lost_on_time, slow.share_on_time) == (1, 50)
    assert slow.performance == slow.opponents  # one won, one lost


def test_who_wins_on_time_has_not_lost_on_time(alice: User, bob: User) -> None:
    lost_on_time(alice, bob)

    (row,) = results_by_pace(bob.pk, "american")

    assert (row.won, row.lost_on_time, row.share_on_time) == (1, 0, 0)


def test_the_page_of_a_rating_shows_each_pace_and_keeps_to_one(window: Open, alice: User, bob: User) -> None:
    live = live_game(alice, bob)
    slow = lost_on_time(alice, bob)
    path = "/players/alice/ratings/american/"

    page = window().get(path)
    assert "Live 1 1 0 0 0 (0 %)" in page.text
    assert "Correspondence 1 0 0 1 1 (100 %)" in page.text
    assert "lost on time" in page.text
    assert f"/games/{live.public_id}/" in page.html
    assert f"/games/{slow.public_id}/" in page.html

    only = window().get(f"{path}?pace=live")
    assert f"/games/{live.public_id}/" in only.html
    assert f"/games/{slow.public_id}/" not in only.html
    assert only.html.count('<path class="curve"') == 1


def test_a_pace_without_games_says_so(window: Open, alice: User, bob: User) -> None:
    make_rated_game(alice, bob)
    page = window().get("/players/alice/ratings/american/?pace=live")
    assert "No rated games at this pace yet." in page.text


def test_programs_read_the_same(api: Api, alice: User, bob: User) -> None:
    lost_on_time(alice, bob)
    live_game(alice, bob)

    live, slow = api.get("/players/alice/ratings/american/paces").json()
    assert (live["pace"], live["games"], live["won"]) == ("live", 1, 1)
    assert (slow["pace"], slow["lost"], slow["lost_on_time"]) == ("correspondence", 1, 1)

    (item,) = api.get("/players/alice/ratings/american?pace=correspondence").json()["items"]
    assert (item["pace"], item["on_time"], item["result"]) == ("correspondence", True, "lost")
    assert api.get("/players/alice/ratings/american?pace=slow").status_code == 422


def test_games_of_before_are_looked_up_when_the_club_is_upgraded(alice: User, bob: User) -> None:
    live = live_game(alice, bob)
    slow = lost_on_time(alice, bob)
    make_rated_game(alice, bob)
    Change.objects.update(live=False, on_time=False)

    migration = importlib.import_module("crownhead.server.ratings.migrations.0006_results_by_pace")
    migration.note_pace(apps, None)

    assert set(Change.objects.filter(live=True).values_list("game_id", flat=True)) == {live.public_id}
    assert set(Change.objects.filter(on_time=True).values_list("game_id", flat=True)) == {slow.public_id}


def test_a_chart_stays_within_its_frame_where_games_were_counted_out_of_order() -> None:
    moments = [charts.Moment(NOW + day * DAY, 1500 + 10 * day, 100) for day in (3, 9, 0, 5, 4)]
    curve = charts.rating_curve(moments)
    assert curve is not None
    across = [float(point.split()[0]) for point in curve.curve.removeprefix("M").split("L")]
    assert across == sorted(across)
    assert (across[0], across[-1]) == (charts.LEFT, charts.RIGHT)
