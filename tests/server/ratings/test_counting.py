"""A rated game counts when it ends, once, in its own transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from crownhead.contest import glicko2
from crownhead.server.accounts.models import User
from crownhead.server.core.events import on
from crownhead.server.play.draws.services import resign
from crownhead.server.play.events import GameEnded
from crownhead.server.play.games import providers
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Seat
from crownhead.server.play.staff.services import adjudicate, forfeit
from crownhead.server.ratings import selectors
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.services import counting
from tests.server.play.factories import DAY, NOW, fresh, make_game, play_moves
from tests.server.ratings.factories import OPENING, establish, make_rated_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, of the staff."""
    return django_user_model.objects.create_superuser("dora", "dora@example.org", "a long passphrase")


def _points(*users: User, variant: str = "american") -> list[int]:
    return [selectors.points_of(user.pk, variant) for user in users]


def test_a_win_moves_two_beginners_as_glicko_says(alice: User, bob: User) -> None:
    make_rated_game(alice, bob)
    new = glicko2.Rating()
    winner, loser = glicko2.after_game(new, new, 2), glicko2.after_game(new, new, 0)
    row = PlayerRating.objects.get(user=alice)
    assert (row.value, row.deviation, row.volatility) == (winner.value, winner.deviation, winner.volatility)
    assert (row.games, row.won, row.drawn, row.lost, row.updated_at) == (1, 1, 0, 0, NOW)
    assert _points(alice, bob) == [round(winner.value), round(loser.value)]
    assert row.points > 1600
    assert PlayerRating.objects.get(user=bob).lost == 1


def test_a_draw_between_equals_moves_nobody_but_makes_both_surer(alice: User, bob: User) -> None:
    make_rated_game(alice, bob, "½")
    assert _points(alice, bob) == [1500, 1500]
    rating = selectors.rating_of(alice.pk, "american", now=NOW)
    assert (rating.drawn, rating.games) == (1, 1)
    assert rating.deviation < 350


def test_each_variant_has_ratings_of_its_own(alice: User, bob: User) -> None:
    make_rated_game(alice, bob)
    assert _points(alice, bob, variant="russian") == [1500, 1500]
    assert [row.variant for row in selectors.ratings_of(alice.pk)] == ["american"]


def test_a_game_that_is_not_rated_counts_for_nothing(alice: User, bob: User) -> None:
    make_rated_game(alice, bob, rated=False)
    assert not PlayerRating.objects.exists()


def test_a_game_of_fewer_than_two_moves_by_a_side_counts_for_nothing(alice: User, bob: User) -> None:
    game = make_game(alice, bob, rated=True)
    play_moves(game, *OPENING[:3])
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert fresh(game).annulled
    assert not PlayerRating.objects.exists()


def test_a_loss_on_time_counts_from_when_it_was_found_out(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, rated=True), *OPENING)
    assert end_overdue_games(now=NOW + 5 * DAY) == 1
    assert fresh(game).termination == "time"
    assert Change.objects.get(user=bob).score == "won"
    assert PlayerRating.objects.get(user=alice).updated_at == NOW + 5 * DAY


def test_a_game_that_staff_decide_counts_and_one_that_they_stop_does_not(
    alice: User, bob: User, charlie: User, dora: User
) -> None:
    for opponent, result in ((bob, "second"), (charlie, "nothing")):
        game = play_moves(make_game(alice, opponent, rated=True), *OPENING)
        adjudicate(by=dora, game_id=game.public_id, result=result, reason="So.", now=NOW)
    assert list(Change.objects.filter(user=alice).values_list("opponent", "score")) == [(bob.pk, "lost")]


@pytest.mark.parametrize("loser", [Seat.FIRST, None])
def test_a_game_that_is_declared_lost_counts_for_nothing(
    alice: User, bob: User, dora: User, loser: Seat | None
) -> None:
    game = play_moves(make_game(alice, bob, rated=True), *OPENING)
    forfeit(by=dora, game_id=game.public_id, loser=loser, reason="Did not come.", now=NOW)
    assert fresh(game).status == "finished"
    assert not PlayerRating.objects.exists()


def test_a_game_counts_once_however_often_its_end_is_reported(alice: User, bob: User) -> None:
    game = make_rated_game(alice, bob)
    before = list(PlayerRating.objects.values())
    facts: dict[str, Any] = {"first_id": alice.pk, "second_id": bob.pk, "half_points": (2, 0)}
    counting.count_game(game_id=game.public_id, variant="american", now=NOW + DAY, **facts)
    assert list(PlayerRating.objects.values()) == before
    assert Change.objects.count() == 2


def test_a_rating_is_undone_with_the_end_of_its_game(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob, rated=True), *OPENING)

    with transaction.atomic():
        resign(user=alice, game_id=game.public_id, now=NOW)
        assert PlayerRating.objects.count() == 2
        transaction.set_rollback(True)
    assert fresh(game).status == "playing"
    assert not PlayerRating.objects.exists()


def test_the_change_of_a_game_tells_all_that_it_was_made_of(alice: User, bob: User, charlie: User) -> None:
    make_rated_game(alice, bob)
    game = make_rated_game(alice, charlie, "0-1", now=NOW + 30 * DAY)
    change = Change.objects.get(game_id=game.public_id, user=alice)
    first = Change.objects.get(user=alice, opponent=bob)
    assert (change.previous_at, change.value_before) == (NOW, first.value)
    assert (change.opponent_value, change.opponent_deviation) == (1500, 350)
    again = glicko2.after_game(
        glicko2.Rating(change.value_before, change.deviation_before, change.volatility_before),
        glicko2.Rating(),
        0,
        periods=30 / glicko2.PERIOD_DAYS,
    )
    assert (change.value, change.deviation) == (again.value, again.deviation)
    assert selectors.changes_of_game(game.public_id)[alice.pk] == (round(first.value), round(change.value))


def test_a_rating_grows_uncertain_without_games(alice: User, bob: User) -> None:
    establish(alice, bob)
    now, then = (
        selectors.rating_of(alice.pk, "american", now=moment) for moment in (NOW, NOW + timedelta(days=900))
    )
    assert not now.provisional
    assert then.provisional
    assert then.points == now.points
    assert 110 < then.deviation < 350


def test_somebody_without_games_counts_as_1500_and_is_provisional(alice: User) -> None:
    rating = selectors.rating_of(alice.pk, "american", now=NOW)
    assert (rating.points, rating.deviation, rating.games, rating.provisional) == (1500, 350, 0, True)


def test_the_waiting_room_goes_by_these_ratings(alice: User, bob: User, charlie: User) -> None:
    make_rated_game(alice, bob)
    assert providers.rating(alice.pk, "american") == _points(alice)[0] > 1600
    assert providers.rating(charlie.pk, "american") == 1500


def test_the_highest_rating_is_kept_once_it_is_not_provisional(alice: User, bob: User) -> None:
    make_rated_game(alice, bob)
    assert PlayerRating.objects.get(user=alice).peak is None
    seen = []
    for result in (*("1-0", "0-1") * 9, *["1-0"] * 3, *["0-1"] * 3):
        make_rated_game(alice, bob, result)
        row = PlayerRating.objects.get(user=alice)
        seen += [] if row.deviation > 110 else [row.points]
    assert row.peak == max(seen) > row.points


def test_games_end_in_the_order_of_keys_whichever_side_comes_first(alice: User, bob: User) -> None:
    make_rated_game(bob, alice, "0-1")
    assert list(Change.objects.order_by("id").values_list("user", "score")) == [
        (bob.pk, "lost"),
        (alice.pk, "won"),
    ]


def test_the_end_of_a_game_is_heard_by_the_ratings_before_anybody_asks(alice: User, bob: User) -> None:
    heard: list[int] = []

    @on(GameEnded)
    def ask(event: GameEnded) -> None:
        heard.append(selectors.points_of(alice.pk, event.variant))

    make_rated_game(alice, bob)
    assert heard[0] > 1600
