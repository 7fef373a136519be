"""Which games can be rated: no hidden ones, so many of two players a day, none of those who leave early."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import problems
from crownhead.server.play.draws.services import abort, resign
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.options import GameOptions, LiveClock
from crownhead.server.play.games.services import auto_match, create_game, join
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.play.invitations.services import accept, invite, invite_again
from crownhead.server.play.models import Game
from crownhead.server.play.presence.services import claim_abandoned, note_left
from crownhead.server.ratings.models import Change
from tests.server.conftest import make_user
from tests.server.play.factories import NOW, api_of, fresh, make_game, make_game_from, make_offer, play_moves
from tests.server.ratings.factories import OPENING, make_rated_game

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
LIVE: dict[str, Any] = {"days_per_move": None, "clock": LiveClock(initial=300)}
RATED = GameOptions(variant="american", colour="random", days_per_move=3, rated=True)


def test_hidden_games_are_never_rated(alice: User, bob: User) -> None:
    with pytest.raises(Unprocessable, match="Private games are never rated"):
        make_offer(alice, rated=True, hidden=True)
    body = {"variant": "american", "colour": "first", "days_per_move": 3, "rated": True, "hidden": True}
    assert api_of(alice).post("/games", body).status_code == 422


def test_a_hidden_game_from_before_counts_for_nothing(alice: User, bob: User) -> None:
    game = make_game(alice, bob, rated=True)
    Game.objects.update(hidden=True)
    play_moves(fresh(game), *OPENING)
    resign(user=bob, game_id=game.public_id, now=NOW)
    assert not Change.objects.exists()
    again = invite_again(user=alice, game_id=game.public_id, message="", now=NOW)
    assert (again.hidden, again.rated) == (True, False)


def test_the_same_two_play_so_many_rated_games_a_day(alice: User, bob: User, settings: Any) -> None:
    settings.RATED_GAMES_PER_PAIR = 2
    for _ in range(2):
        make_game(alice, bob, rated=True)
    offered = make_offer(bob, rated=True)
    with pytest.raises(problems.RatedLimit, match="can play 2 rated games a day"):
        join(user=alice, game_id=offered.public_id, now=NOW)
    with pytest.raises(problems.RatedLimit):
        create_game(creator=alice, options=RATED, invited=bob, open_to_all=False, now=NOW)
    assert auto_match(user=alice, options=RATED, now=NOW).creator == alice
    assert make_game(alice, bob).status == "playing"
    assert join(user=alice, game_id=offered.public_id, now=NOW + DAY).rated


def test_a_match_goes_on_unrated_beyond_the_limit(alice: User, bob: User, settings: Any) -> None:
    settings.RATED_GAMES_PER_PAIR = 1
    one = make_game(alice, bob, games=2, rated=True)
    (other,) = Game.objects.exclude(pk=one.pk)
    assert (fresh(one).rated, other.rated) == (True, False)


def test_of_games_that_started_in_one_moment_only_so_many_are_rated_in_the_end(
    alice: User, bob: User, settings: Any
) -> None:
    games = [make_game(alice, bob, rated=True) for _ in range(4)]
    Game.objects.update(  # as if none had seen the others
        contest_kind="other", contest_event="1", contest_key="1", contest_name="Other", rated=True
    )
    settings.RATED_GAMES_PER_PAIR = 2
    for game in reversed(games):
        play_moves(game, *OPENING)
        resign(user=bob, game_id=game.public_id, now=NOW)
    assert [fresh(game).rated for game in games] == [True, True, False, False]


@pytest.mark.parametrize(
    ("fen", "move", "longest"),
    [("B:B1:W6,15", "1x19", 0), ("B:B1:W32", "1-5", 1)],
    ids=["won on the board", "drawn by length"],
)
def test_of_those_that_end_with_a_move_only_so_many_are_rated_as_well(
    alice: User, bob: User, settings: Any, fen: str, move: str, longest: int
) -> None:
    games = [make_game_from(fen, alice, bob, rated=True) for _ in range(2)]
    Game.objects.update(  # as if none had seen the others
        contest_kind="other", contest_event="1", contest_key="1", contest_name="Other", rated=True
    )
    settings.RATED_GAMES_PER_PAIR, settings.LONGEST_GAME = 1, longest
    for game in games:
        play_moves(game, move)
    assert {fresh(game).status for game in games} == {"finished"}
    assert [fresh(game).rated for game in games] == [True, False]
    assert Change.objects.filter(user=alice).count() == 1


def test_players_who_leave_rated_games_early_play_unrated_ones_for_a_day(alice: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 3
    for number in range(3):
        friend = make_user(f"friend-{number}")
        game = make_game(friend, alice, rated=True)
        if number:
            play_moves(game, *OPENING)
        resign(user=alice, game_id=game.public_id, now=NOW)
    other = make_user("other")
    offered = make_offer(other, rated=True)
    with pytest.raises(problems.RatedLimit, match="You have left several rated games early"):
        join(user=alice, game_id=offered.public_id, now=NOW)
    with pytest.raises(problems.RatedLimit):
        make_offer(alice, rated=True)
    make_offer(alice)
    assert join(user=alice, game_id=offered.public_id, now=NOW + DAY).rated


def give_up(user: User, game: Game) -> None:
    play_moves(game, *OPENING)
    resign(user=user, game_id=game.public_id, now=NOW)


def test_rated_games_that_run_already_do_not_make_up_for_those_left_early(
    alice: User, bob: User, settings: Any
) -> None:
    settings.EARLY_LEAVES_PER_DAY = 3
    games = [make_game(bob, alice, rated=True) for _ in range(5)]
    for game in games:
        give_up(alice, game)
    assert [fresh(game).rated for game in games] == [True, True, True, False, False]
    assert Change.objects.filter(user=alice).count() == 3


def test_games_left_for_nothing_do_not_save_from_losing_others(alice: User, bob: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 3
    settings.LIMITS = settings.LIMITS | {"aborts": "1/d"}
    lost = [make_game(bob, alice, rated=True) for _ in range(3)]
    second_account = make_user("second-account")
    live = make_game(second_account, alice, **LIVE, rated=True)
    for game in [make_game(second_account, alice, rated=True) for _ in range(3)]:
        resign(user=alice, game_id=game.public_id, now=NOW)
        assert fresh(game).annulled
    abort(user=alice, game_id=live.public_id, now=NOW)
    for game in lost:
        give_up(alice, game)
    assert [fresh(game).rated for game in lost] == [True, True, True]
    assert Change.objects.filter(user=bob).count() == 3


def test_games_left_early_to_others_do_not_save_from_losing_one(alice: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    games = [make_game(make_user(f"friend-{number}"), alice, rated=True) for number in range(4)]
    for game in games:
        give_up(alice, game)
    assert all(fresh(game).rated for game in games)


def test_games_left_for_nothing_do_not_make_a_contest_unrated(alice: User, bob: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    for game in [make_game(bob, alice, rated=True) for _ in range(2)]:
        resign(user=alice, game_id=game.public_id, now=NOW)
    with pytest.raises(problems.RatedLimit):
        make_offer(alice, rated=True)
    contest = Contest("team", "abc:1", "dogs – cats")
    terms = replace(RATED, colour="first")
    game = start_game(first=bob, second=alice, options=terms, now=NOW, dice=Random(3), contest=contest)
    assert game.rated


def test_offers_from_before_cannot_be_accepted_as_rated(alice: User, bob: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 1
    offered = make_offer(alice, rated=True)
    game = make_game(bob, alice, rated=True)
    resign(user=alice, game_id=game.public_id, now=NOW)
    with pytest.raises(problems.RatedLimit, match="alice can play unrated games only"):
        join(user=make_user("other"), game_id=offered.public_id, now=NOW)


def test_a_match_goes_on_unrated_after_games_left_early(alice: User, bob: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    make_game(alice, bob, games=4, rated=True)
    for number in range(1, 5):
        game = Game.objects.get(match_number=number)
        assert game.rated is (number <= 2)
        give_up(bob, game)


def test_a_game_of_a_contest_that_nobody_played_was_not_left_early(alice: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    for number in range(3):
        friend = make_user(f"friend-{number}")
        contest = Contest("team", f"abc:{number}", "dogs – cats")
        terms = replace(RATED, colour="first")
        game = start_game(first=friend, second=alice, options=terms, now=NOW, dice=Random(3), contest=contest)
        resign(user=alice, game_id=game.public_id, now=NOW)
    assert fresh(game).annulled
    assert make_offer(alice, rated=True).rated


def invite_friends(user: User, count: int) -> list[Game]:
    """Live rated games that the user offers to one member each, in which they move first."""
    options = GameOptions(variant="american", colour="first", rated=True, **LIVE)
    friends = [make_user(f"friend-{number}").username for number in range(count)]
    return [
        invite(creator=user, opponent=name, options=options, message="", site="", now=NOW) for name in friends
    ]


def accept_all(offers: list[Game], now: datetime) -> None:
    for game in offers:
        assert game.invited_id is not None
        accept(user=User.objects.get(pk=game.invited_id), game_id=game.public_id, now=now)


def test_who_is_away_when_others_take_their_invitations_has_left_nothing(alice: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    offers = invite_friends(alice, 3)
    accept_all(offers, NOW + 50 * MINUTE)
    end_overdue_games(now=NOW + 90 * MINUTE)
    assert {(fresh(game).annulled, fresh(game).winner) for game in offers} == {(True, "second")}
    assert make_offer(alice, rated=True, now=NOW + 90 * MINUTE).rated


def test_who_resigns_the_games_that_others_were_invited_to_has_left_them(alice: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    offers = invite_friends(alice, 2)
    accept_all(offers, NOW)
    for game in offers:
        resign(user=alice, game_id=game.public_id, now=NOW)
        assert fresh(game).annulled
    with pytest.raises(problems.RatedLimit):
        make_offer(alice, rated=True)


def test_who_runs_out_of_time_after_the_first_moves_has_left_an_own_invitation(
    alice: User, settings: Any
) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    offers = invite_friends(alice, 2)
    accept_all(offers, NOW)
    for game in offers:
        play_moves(game, *OPENING)
    end_overdue_games(now=NOW + 90 * MINUTE)
    assert {(fresh(game).annulled, fresh(game).winner) for game in offers} == {(False, "second")}
    with pytest.raises(problems.RatedLimit):
        make_offer(alice, rated=True, now=NOW + 90 * MINUTE)


def test_who_offers_a_game_to_all_and_is_away_has_left_it(alice: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    for number in range(2):
        make_game(alice, make_user(f"friend-{number}"), **LIVE, rated=True)
    end_overdue_games(now=NOW + 90 * MINUTE)
    assert {(game.annulled, game.winner) for game in Game.objects.all()} == {(True, "second")}
    with pytest.raises(problems.RatedLimit):
        make_offer(alice, rated=True, now=NOW + 90 * MINUTE)


def test_winners_and_long_games_cost_nothing(alice: User, bob: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 1
    make_rated_game(alice, bob)
    make_offer(alice, rated=True)
    with pytest.raises(problems.RatedLimit):
        make_offer(bob, rated=True)


def test_farming_by_short_games_is_slow(alice: User, settings: Any) -> None:
    """Four fresh accounts lose as fast as they can."""
    settings.RATED_GAMES_PER_PAIR, settings.EARLY_LEAVES_PER_DAY = 8, 3
    puppets = [make_user(f"puppet-{number}") for number in range(4)]
    played = 0
    for number in range(28):
        puppet = puppets[number % 4]
        try:
            make_rated_game(alice, puppet)
        except problems.RatedLimit:
            continue
        played += 1
    assert played == 12


def abort_new(user: User, opponent: User, *, after: timedelta = timedelta()) -> None:
    game = make_game(user, opponent, **LIVE, rated=True)
    abort(user=user, game_id=game.public_id, now=NOW + after)


def test_games_that_one_walks_out_of_count_like_those_that_one_resigns(alice: User, settings: Any) -> None:
    settings.EARLY_LEAVES_PER_DAY = 2
    for number in range(2):
        friend = make_user(f"friend-{number}")
        game = make_game(friend, alice, **LIVE, rated=True)
        note_left(user_id=alice.pk, since=NOW, now=NOW)
        claim_abandoned(user=friend, game_id=game.public_id, now=NOW + timedelta(minutes=2))
    with pytest.raises(problems.RatedLimit):
        make_offer(alice, rated=True)
    assert make_offer(alice).status == "waiting"


def test_who_keeps_calling_rated_games_off_plays_unrated_ones(alice: User, bob: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"aborts": "2/d"}
    for _ in range(2):
        abort_new(alice, bob)
    with pytest.raises(problems.RatedLimit, match="left several rated games early"):
        make_offer(alice, rated=True)
    assert make_offer(bob, rated=True).rated
    assert make_offer(alice, rated=True, now=NOW + DAY).rated


def test_calling_off_a_game_in_which_the_opponent_does_not_move_costs_nothing(
    alice: User, bob: User, settings: Any
) -> None:
    settings.LIMITS = settings.LIMITS | {"aborts": "1/d"}
    abort_new(alice, bob, after=timedelta(seconds=20))
    with pytest.raises(problems.RatedLimit):
        make_offer(alice, rated=True)  # it was alice's own move
    game = make_game(alice, bob, **LIVE, rated=False)
    Game.objects.filter(pk=game.pk).update(rated=True)
    abort(user=bob, game_id=game.public_id, now=NOW + timedelta(seconds=20))
    assert make_offer(bob, rated=True).rated
