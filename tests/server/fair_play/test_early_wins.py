"""The report's second list: players who gained rating because many opponents gave up early."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.fair_play import selectors
from crownhead.server.fair_play.choices import Trace
from crownhead.server.fair_play.presenters import report
from crownhead.server.fair_play.selectors import early_winners, suspicious_pairs
from crownhead.server.fair_play.services import note_sighting
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW, make_game, play_moves
from tests.server.ratings.factories import OPENING, make_rated_game

pytestmark = pytest.mark.django_db
PATH = "/staff/fair_play/ratingreport/"
TEN_PLIES = (*OPENING, "7-11", "18-14", "9x18", "23x7", "3x10", "21-17")


def opponents(count: int, name: str = "puppet") -> list[User]:
    return [make_user(f"{name}-{number}") for number in range(count)]


def win_early(winner: User, losers: list[User], games: int) -> None:
    """The losers take turns to give up."""
    for number in range(games):
        make_rated_game(winner, losers[number % len(losers)])


def win_to_the_end(winner: User, losers: list[User], games: int) -> None:
    played = [make_rated_game(winner, losers[number % len(losers)]).pk for number in range(games)]
    Game.objects.filter(pk__in=played).update(termination="no-pieces")


def listed() -> list[str]:
    return [player.username for player in early_winners(now=NOW)]


def test_many_accounts_that_lose_little_each_after_ten_plies_list_who_won(alice: User) -> None:
    for puppet in opponents(6):
        for _ in range(2):
            game = play_moves(make_game(alice, puppet, rated=True), *TEN_PLIES)
            resign(user=puppet, game_id=game.public_id, now=NOW)
    assert suspicious_pairs(now=NOW) == []
    (found,) = early_winners(now=NOW)
    assert (found.username, found.wins, found.given_up, found.opponents) == ("alice", 12, 12, 6)
    assert found.points > 0
    assert found.sharing == 0


def test_accounts_that_lose_one_game_each_list_who_won(alice: User) -> None:
    win_early(alice, opponents(10), games=10)
    assert listed() == ["alice"]


def test_a_strong_player_who_plays_most_games_to_the_end_is_not_listed(alice: User) -> None:
    others = opponents(5, "member")
    win_early(alice, others, games=10)
    win_to_the_end(alice, others, games=20)
    assert listed() == []


def test_wins_that_were_played_to_the_end_hide_nobody_while_they_are_no_more_than_half(alice: User) -> None:
    others = opponents(5, "member")
    win_early(alice, others, games=10)
    win_to_the_end(alice, others, games=10)
    assert listed() == ["alice"]
    win_to_the_end(alice, others, games=1)
    assert listed() == []


def test_wins_over_a_few_pupils_list_nobody(alice: User) -> None:
    pupils = opponents(3, "pupil")
    win_early(alice, pupils[:2], games=12)
    assert listed() == []
    win_early(alice, pupils[2:], games=6)
    assert listed() == []


def test_nine_wins_list_nobody(alice: User) -> None:
    win_early(alice, opponents(5), games=9)
    assert listed() == []


def test_losses_in_another_variant_hide_nobody(alice: User, bob: User) -> None:
    win_early(alice, opponents(5), games=10)
    for _ in range(12):
        make_rated_game(bob, alice, variant="international")
    assert listed() == ["alice"]


def test_what_is_a_month_old_lists_nobody(alice: User) -> None:
    win_early(alice, opponents(5), games=10)
    assert early_winners(now=NOW + 31 * DAY) == []


def test_those_who_share_something_with_the_player_or_one_another_are_counted(alice: User) -> None:
    puppets = opponents(6)
    win_early(alice, puppets, games=12)
    for user, trace, value in (
        (alice, Trace.DEVICE, "cookie"),
        (puppets[0], Trace.DEVICE, "cookie"),
        (puppets[1], Trace.ADDRESS, "192.0.2.1"),
        (puppets[2], Trace.ADDRESS, "192.0.2.1"),
        (puppets[3], Trace.ADDRESS, "192.0.2.3"),
        (make_user("stranger"), Trace.ADDRESS, "192.0.2.3"),
    ):
        note_sighting(user=user, trace=trace, value=value, now=NOW)
    (found,) = early_winners(now=NOW)
    assert found.sharing == 3


def test_who_gained_most_comes_first(alice: User, bob: User) -> None:
    win_early(bob, opponents(5, "other"), games=10)
    win_early(alice, opponents(10), games=20)
    assert listed() == ["alice", "bob"]


def test_the_staff_read_who_won_because_many_gave_up_early(alice: User) -> None:
    win_early(alice, opponents(5), games=10)
    client = Client()
    client.force_login(make_user("judge", is_staff=True))
    with clock.stopped(NOW):
        html = client.get(PATH).content.decode()
    assert "Players against whom many opponents gave up early" in html
    assert 'href="/players/alice/"' in html
    assert "Nothing looks arranged." not in html
    assert "<line" not in html


def test_many_players_and_opponents_cost_no_more_queries(
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    win_early(bob, opponents(5, "other"), games=10)
    win_early(alice, opponents(10), games=20)
    with django_assert_max_num_queries(4):
        assert len(early_winners(now=NOW)) == 2
    with django_assert_max_num_queries(8):
        report(now=NOW)
    monkeypatch.setattr(selectors, "MAX_GAINS", 1)
    assert listed() == ["alice"]
