"""Games that opponents give up early raise nobody's rating again and again: only some of them are rated."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from crownhead import Termination
from crownhead.server.accounts.models import User
from crownhead.server.notices.selectors.reading import notices_of
from crownhead.server.play import problems
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.invitations.services import invite_again
from crownhead.server.play.models import Game
from crownhead.server.play.presence.services import claim_abandoned, note_left
from crownhead.server.play.staff.services import annul
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.services import recalculate
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, fresh, make_game, play_moves
from tests.server.ratings.factories import OPENING, make_rated_game
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
LONGER = (*OPENING, "7-11", "18-14", "9x18", "23x7", "3x10", "21-17")  # ten plies: nobody left early


@pytest.fixture(autouse=True)
def _limits(settings: Any) -> None:
    settings.EARLY_WINS_PER_DAY, settings.EARLY_WINS_PER_MONTH = 2, 3


def win(user: User, *, against: User, now: datetime = NOW) -> Game:
    """A rated game that the other player gives up after four plies."""
    return make_rated_game(user, against, now=now)


def friends(count: int) -> list[User]:
    return [make_user(f"friend-{number}") for number in range(count)]


def test_thirty_accounts_that_give_up_early_make_nobody_the_first(alice: User, settings: Any) -> None:
    settings.RATED_GAMES_PER_PAIR, settings.EARLY_LEAVES_PER_DAY = 8, 3
    settings.EARLY_WINS_PER_DAY, settings.EARLY_WINS_PER_MONTH = 5, 20
    won = []
    for number in range(30):
        puppet = make_user(f"puppet-{number}")
        won += [win(alice, against=puppet) for _ in range(3)]
        with pytest.raises(problems.RatedLimit):  # though they lost nothing in most of them
            win(alice, against=puppet)
    assert len(won) == 90
    assert all(game.winner == "first" and not game.annulled for game in won)
    assert (
        Game.objects.filter(status="finished", rated=True).count()
        == Change.objects.filter(user=alice).count()
        == 5
    )
    assert PlayerRating.objects.get(user=alice).games == 5


def test_such_wins_are_rated_again_the_next_day_up_to_so_many_in_a_month(alice: User) -> None:
    others = friends(6)
    rated = [win(alice, against=other).rated for other in others[:3]]
    assert rated == [True, True, False]
    later = [win(alice, against=other, now=NOW + DAY).rated for other in others[3:]]
    assert later == [True, False, False]
    assert win(alice, against=others[0], now=NOW + 31 * DAY).rated


def test_who_won_such_games_may_play_rated_ones_on_and_wins_and_loses_in_them(alice: User) -> None:
    for other in friends(4):
        win(alice, against=other)
    bob = make_user("bob")
    long = play_moves(make_game(alice, bob, rated=True), *LONGER)
    resign(user=bob, game_id=long.public_id, now=NOW)
    assert fresh(long).rated
    assert make_rated_game(alice, bob, "½").rated
    assert make_rated_game(alice, bob, "0-1").rated
    assert make_rated_game(bob, make_user("carol")).rated


def test_games_that_nobody_played_are_not_among_them(alice: User) -> None:
    for other in friends(3):
        game = make_game(alice, other, rated=True)
        resign(user=other, game_id=game.public_id, now=NOW)
        assert (fresh(game).annulled, fresh(game).unrated_because) == (True, None)
    assert win(alice, against=make_user("bob")).rated


def test_games_lost_on_time_and_abandoned_ones_are_among_them(alice: User) -> None:
    one, two, three, four = friends(4)
    for other in (one, two):
        play_moves(make_game(other, alice, rated=True), *OPENING)
    end_overdue_games(now=NOW + 4 * DAY)
    assert Game.objects.filter(termination=Termination.TIME, rated=True).count() == 2
    ended = Game.objects.latest("pk").ended_at
    assert ended is not None
    assert not win(alice, against=three, now=ended).rated
    at = NOW + 30 * DAY
    game = make_game(alice, four, rated=True, days_per_move=None, clock=LiveClock(initial=300), now=at)
    play_moves(game, *OPENING, now=at)
    note_left(user_id=four.pk, since=at, now=at)
    claim_abandoned(user=alice, game_id=game.public_id, now=at + timedelta(minutes=4))
    assert (fresh(game).termination, fresh(game).rated) == ("abandoned", True)


def test_a_game_that_the_staff_annul_makes_room_for_another(alice: User) -> None:
    won = [win(alice, against=other) for other in friends(3)]
    judge = make_user("judge", is_staff=True)
    annul(staff=judge, game_id=won[0].public_id, reason="A second account.", now=NOW)
    assert win(alice, against=make_user("bob")).rated


def test_a_recount_of_the_ratings_leaves_them_as_they_are(alice: User) -> None:
    for other in friends(4):
        win(alice, against=other)
    before = list(PlayerRating.objects.order_by("pk").values())
    recalculate(variant="american")
    assert list(PlayerRating.objects.order_by("pk").values()) == before


def test_who_leaves_a_game_that_is_unrated_for_its_winner_has_left_it_all_the_same(
    alice: User, settings: Any
) -> None:
    settings.EARLY_LEAVES_PER_DAY = 1
    *others, leaver = friends(3)
    for other in others:
        win(alice, against=other)
    assert not win(alice, against=leaver).rated
    with pytest.raises(problems.RatedLimit):
        make_game(leaver, make_user("bob"), rated=True)


def test_both_players_read_why_a_game_is_not_rated(alice: User) -> None:
    *others, last = friends(3)
    for other in others:
        win(alice, against=other)
    game = win(alice, against=last)
    why = "Not rated: the winner has recently won several games that opponents left early."
    for player in (alice, last):
        browser = Client()
        browser.force_login(player)
        assert why in browser.get(f"/games/{game.public_id}/").content.decode()
    assert why in notices_of(alice)[0].text  # who resigned needs no notice


def test_a_rematch_of_such_a_game_is_rated_again(alice: User) -> None:
    *others, last = friends(3)
    for other in others:
        win(alice, against=other)
    again = invite_again(user=last, game_id=win(alice, against=last).public_id, message="", now=NOW)
    assert again.rated


def test_a_match_goes_on_rated_after_a_game_that_was_one_too_many(
    alice: User, bob: User, settings: Any
) -> None:
    settings.EARLY_LEAVES_PER_DAY = 1
    make_game(alice, bob, games=4, rated=True)
    for number in range(1, 5):
        at = NOW + number // 3 * DAY
        game = Game.objects.get(match_number=number)
        play_moves(game, *(OPENING if number < 3 else LONGER), now=at)
        resign(user=bob, game_id=game.public_id, now=at)
        run_tasks()
    # The first was left early, so those of that day are not rated; the next day's are.
    rated = Game.objects.order_by("match_number").values_list("rated", flat=True)
    assert list(rated) == [True, False, False, True]
