"""Time: a game is lost when it is out, whether or not anybody looks; offers expire."""

from __future__ import annotations

from datetime import timedelta

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core import clock, events
from crownhead.server.live.models import Outbox
from crownhead.server.play import problems, selectors
from crownhead.server.play.draws.services import accept_draw, claim_draw, offer_draw, resign
from crownhead.server.play.events import GameEnded
from crownhead.server.play.games.services.deadlines import end_overdue_games, expire_waiting
from crownhead.server.play.moves.services import play_move
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, make_offer, play_moves, slug

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
LATE = NOW + 3 * DAY


def test_the_sweeper_ends_a_game_when_its_time_is_out_and_not_before(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    assert end_overdue_games(now=LATE - SECOND, limit=10) == 0
    assert end_overdue_games(now=LATE, limit=10) == 1
    game = fresh(game)
    assert (game.status, game.winner, game.termination, game.ended_at) == ("finished", "second", "time", LATE)


def test_sweeping_twice_ends_a_game_once(alice: User, bob: User) -> None:
    make_game(alice, bob)
    end_overdue_games(now=LATE + DAY, limit=10)
    events = Outbox.objects.count()
    assert end_overdue_games(now=LATE + DAY, limit=10) == 0
    assert Outbox.objects.count() == events


def test_the_sweeper_works_in_batches_longest_overdue_first(alice: User, bob: User) -> None:
    games = [make_game(alice, bob, now=NOW + hour * timedelta(hours=1)) for hour in (2, 0, 1)]
    assert end_overdue_games(now=NOW + 9 * DAY, limit=2) == 2
    assert [fresh(game).status for game in games] == ["playing", "finished", "finished"]
    assert end_overdue_games(now=NOW + 9 * DAY, limit=2) == 1


def test_a_game_that_cannot_be_ended_holds_up_no_other(alice: User, bob: User) -> None:
    games = [make_game(alice, bob, now=NOW + hour * timedelta(hours=1)) for hour in range(3)]
    stubborn = {games[0].public_id}

    @events.on(GameEnded)
    def refuse(event: GameEnded) -> None:
        if event.game_id in stubborn:
            raise RuntimeError("this one cannot be ended")

    assert end_overdue_games(now=NOW + 9 * DAY) == 2
    assert [fresh(game).status for game in games] == ["playing", "finished", "finished"]
    stubborn.clear()
    assert end_overdue_games(now=NOW + 9 * DAY) == 1


def test_each_move_gives_the_opponent_the_whole_time(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", now=LATE - SECOND)
    assert end_overdue_games(now=LATE + DAY) == 0
    assert end_overdue_games(now=LATE - SECOND + 3 * DAY) == 1
    assert fresh(game).winner == "first"


def test_a_move_after_the_deadline_is_refused_and_the_game_is_lost(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    with pytest.raises(problems.GameOver, match="time"):
        play_move(user=alice, game_id=game.public_id, move="11-15", version=0, now=LATE)
    assert (fresh(game).termination, fresh(game).moves) == ("time", "")


def test_no_act_after_the_deadline_saves_the_game(alice: User, bob: User) -> None:
    for act in (offer_draw, resign, accept_draw, claim_draw):
        game = make_game(alice, bob)
        offer_draw(user=bob, game_id=game.public_id, now=NOW)
        with pytest.raises(problems.GameOver):
            act(user=alice, game_id=game.public_id, now=LATE)
        assert (fresh(game).winner, fresh(game).termination) == ("second", "time")


def test_looking_at_an_overdue_game_ends_it(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    seen = selectors.access_game(viewer=charlie, public_id=game.public_id, now=LATE + DAY)
    assert (seen.status, seen.termination, seen.ended_at) == ("finished", "time", LATE)


def test_a_move_sent_again_after_the_time_was_out_is_still_a_success(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    again = play_move(user=alice, game_id=game.public_id, move="11-15", version=0, now=LATE)
    assert (again.status, again.winner) == ("finished", "first")


def test_the_api_tells_that_the_time_was_out(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    with clock.stopped(LATE):
        answer = api_of(alice).post(f"/games/{game.public_id}/moves", {"move": "11-15", "version": 0})
    assert (answer.status_code, slug(answer)) == (409, "game-over")


def test_a_waiting_game_expires_after_fourteen_days(alice: User) -> None:
    game = make_offer(alice)
    assert expire_waiting(now=NOW + 14 * DAY - SECOND) == 0
    assert expire_waiting(now=NOW + 14 * DAY) == 1
    assert expire_waiting(now=NOW + 15 * DAY) == 0
    assert (fresh(game).status, fresh(game).ended_at) == ("expired", NOW + 14 * DAY)


def test_a_waiting_game_that_is_due_cannot_be_taken_even_unswept(alice: User, bob: User) -> None:
    game = make_offer(alice)
    with clock.stopped(NOW + 14 * DAY):
        answer = api_of(bob).post(f"/waiting-room/{game.public_id}/join")
    assert (answer.status_code, slug(answer)) == (409, "not-waiting")
    assert fresh(game).status == "expired"


def test_a_waiting_game_has_no_deadline_to_sweep(alice: User) -> None:
    make_offer(alice, first_move="11-15")
    assert end_overdue_games(now=NOW + 13 * DAY) == 0
