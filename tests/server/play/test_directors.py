"""What directors of contests, and staff, do to games: declare them lost, let their clocks stand still."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, Unprocessable
from crownhead.server.play import events, problems, selectors
from crownhead.server.play.clocks.timing import FIRST_MOVE
from crownhead.server.play.draws.services import resign
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.models import Game, Seat, StaffAction
from crownhead.server.play.staff.services import MAX_ADJOURNMENTS, adjourn, adjudicate, forfeit
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, play_moves, recorded_events

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
OPENING = ("11-15", "23-19", "8-11", "22-17")


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, who directs a tournament and is of no staff."""
    return django_user_model.objects.create_user("dora", "dora@club.example")


def _forfeit(director: User, game: Game, loser: Seat | None, **more: Any) -> Game:
    facts: dict[str, Any] = {"reason": "Never came.", "now": NOW, "as_director": True} | more
    return forfeit(by=director, game_id=game.public_id, loser=loser, **facts)


def _adjourn(director: User, game: Game, until: Any, **more: Any) -> Game:
    facts: dict[str, Any] = {"reason": "The hall is closed.", "now": NOW, "as_director": True} | more
    return adjourn(by=director, game_id=game.public_id, until=until, **facts)


def test_a_game_is_declared_lost_and_the_action_is_logged(alice: User, bob: User, dora: User) -> None:
    game = play_moves(make_game(alice, bob), *OPENING)
    with recorded_events(events.GameEnded) as emitted:
        _forfeit(dora, game, Seat.FIRST)
    game = fresh(game)
    assert (game.status, game.winner, game.termination) == ("finished", "second", "forfeit")
    assert (game.adjudication_reason, game.adjudicated_by, game.annulled) == ("Never came.", dora, False)
    assert emitted[0].half_points == (0, 2)
    action = StaffAction.objects.get(game=game)
    assert (action.staff, action.as_director, action.verb, action.result) == (
        dora,
        True,
        "forfeited",
        "first",
    )
    assert '[Result "0-1"]' in selectors.write_pdn(game)


def test_a_game_that_both_have_lost_has_no_winner_and_is_no_draw(alice: User, bob: User, dora: User) -> None:
    game = play_moves(make_game(alice, bob), *OPENING)
    with recorded_events(events.GameEnded) as emitted:
        _forfeit(dora, game, None)
    assert emitted[0].half_points == (0, 0)
    assert emitted[0].annulled
    body = api_of().get(f"/games/{game.public_id}").json()
    assert body["outcome"] == {"winner": None, "termination": "forfeit", "result": "0-0"}
    assert body["legal_moves"] == []
    record = selectors.write_pdn(fresh(game))
    assert '[Result "*"]' in record
    assert "counts for nothing" in record


def test_a_player_who_never_moved_loses_the_game_but_no_rating(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob, rated=True)
    with recorded_events(events.GameEnded) as emitted:
        _forfeit(dora, game, Seat.SECOND)
    assert (emitted[0].annulled, emitted[0].half_points) == (True, (2, 0))


def test_a_match_of_two_is_over_when_both_have_lost_a_game(alice: User, bob: User, dora: User) -> None:
    one = make_game(alice, bob, games=2)
    other = Game.objects.exclude(pk=one.pk).get()
    with recorded_events(events.MatchEnded) as emitted:
        _forfeit(dora, one, None)
        _forfeit(dora, other, Seat.FIRST)
    assert emitted[0].winner_id == alice.pk


def test_only_staff_and_directors_decide_with_a_reason_in_a_game_in_progress(
    alice: User, bob: User, dora: User
) -> None:
    game = make_game(alice, bob)
    acts: tuple[Any, ...] = (_forfeit, _adjourn)
    for action in acts:
        what: Any = Seat.FIRST if action is _forfeit else NOW + DAY
        with pytest.raises(Forbidden):
            action(alice, game, what, as_director=False)
        with pytest.raises(Unprocessable):
            action(dora, game, what, reason="  ")
    resign(user=alice, game_id=game.public_id, now=NOW)
    for action in acts:
        with pytest.raises(problems.GameOver):
            action(dora, game, Seat.FIRST if action is _forfeit else NOW + DAY)
    with pytest.raises(NotFound):
        forfeit(by=dora, game_id="no-such", loser=None, reason="x", now=NOW, as_director=True)


def test_a_director_may_adjudicate(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    facts: Any = {"by": dora, "game_id": game.public_id, "result": "draw", "reason": "Bare.", "now": NOW}
    with pytest.raises(Forbidden):
        adjudicate(**facts)
    adjudicate(**facts, as_director=True)
    assert fresh(game).termination == "adjudication"
    assert StaffAction.objects.get(game=game).as_director


def test_an_adjourned_clock_stands_still_and_the_deadline_waits(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    before = game.deadline_at
    assert before is not None
    with recorded_events(events.GameAdjourned) as emitted:
        _adjourn(dora, game, NOW + 5 * DAY)
    game = fresh(game)
    assert game.deadline_at == before + 5 * DAY
    assert game.remind_at is not None
    assert game.remind_at > NOW + 5 * DAY
    assert emitted[0].until == NOW + 5 * DAY
    assert end_overdue_games(now=before + DAY) == 0
    body = api_of().get(f"/games/{game.public_id}").json()
    assert body["time_stands_still"]
    assert body["adjourned_until"] == "2026-03-06T12:00:00Z"
    assert body["time_left"]["first"] == 3 * 24 * 60 * 60


def test_it_holds_for_the_opponent_too_when_a_move_is_made(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    _adjourn(dora, game, NOW + 5 * DAY)
    game = play_moves(game, "11-15", now=NOW + DAY)
    assert game.deadline_at == NOW + 8 * DAY


def test_a_later_word_replaces_the_one_before_and_the_clock_can_continue_at_once(
    alice: User, bob: User, dora: User
) -> None:
    game = make_game(alice, bob)
    with pytest.raises(Conflict):
        _adjourn(dora, game, None)
    _adjourn(dora, game, NOW + 5 * DAY)
    _adjourn(dora, game, NOW + 2 * DAY, now=NOW + DAY)
    assert fresh(game).deadline_at == NOW + 5 * DAY
    _adjourn(dora, game, None, now=NOW + DAY + timedelta(hours=1))
    assert fresh(game).deadline_at == NOW + 4 * DAY + timedelta(hours=1)
    verbs = StaffAction.objects.filter(game=game).order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["adjourned", "adjourned", "resumed"]


def test_a_game_is_not_adjourned_again_and_again(alice: User, bob: User, dora: User) -> None:
    game = make_game(alice, bob)
    for hours in range(MAX_ADJOURNMENTS):
        _adjourn(dora, game, NOW + (hours + 2) * HOUR, now=NOW + hours * HOUR)
    with pytest.raises(Conflict, match="at most 5 times a day"):
        _adjourn(dora, game, NOW + 9 * HOUR, now=NOW + 5 * HOUR)
    dora.is_staff = True
    _adjourn(dora, game, NOW + 9 * HOUR, now=NOW + 5 * HOUR, as_director=False)
    _adjourn(dora, game, NOW + 2 * DAY, now=NOW + DAY)


def test_adjournments_that_follow_each_other_are_one_and_none_of_their_time_is_lost(
    alice: User, bob: User, dora: User
) -> None:
    game = make_game(alice, bob)
    _adjourn(dora, game, NOW + 5 * HOUR)
    _adjourn(dora, game, NOW + 9 * HOUR, now=NOW + HOUR)
    _adjourn(dora, game, None, now=NOW + 2 * HOUR)
    _adjourn(dora, game, NOW + 7 * HOUR, now=NOW + 6 * HOUR)
    assert len(fresh(game).adjourned) == 2
    assert fresh(game).deadline_at == NOW + 3 * DAY + 3 * HOUR
    play_moves(game, "11-15", now=NOW + 8 * HOUR)
    _adjourn(dora, game, NOW + 10 * HOUR, now=NOW + 9 * HOUR)
    assert len(fresh(game).adjourned) == 1  # of this turn
    assert fresh(game).deadline_at == NOW + 8 * HOUR + 3 * DAY + HOUR


def test_a_live_game_can_be_adjourned_before_its_time_is_out_and_not_after(
    alice: User, bob: User, dora: User
) -> None:
    game = make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300))
    minute = timedelta(minutes=1)
    _adjourn(dora, game, NOW + DAY, now=NOW + minute)
    assert fresh(game).deadline_at == NOW + DAY + 4 * minute + FIRST_MOVE
    late = make_game(alice, bob, days_per_move=None, clock=LiveClock(initial=300))
    with pytest.raises(problems.GameOver):
        _adjourn(dora, late, NOW + DAY, now=NOW + 6 * minute)


@pytest.mark.parametrize("until", [NOW, NOW - DAY, NOW + 400 * DAY])
def test_a_moment_that_makes_no_sense_is_refused(alice: User, bob: User, dora: User, until: Any) -> None:
    with pytest.raises(Unprocessable, match="until"):
        _adjourn(dora, make_game(alice, bob), until)


def test_the_page_of_an_adjourned_game_says_until_when(
    alice: User, bob: User, dora: User, client: Client
) -> None:
    game = make_game(alice, bob)
    _adjourn(dora, game, NOW + 5 * DAY)
    page = client.get(f"/games/{game.public_id}/").content.decode()
    assert "The game is adjourned: the clock is stopped until 6 March 2026, 12:00 UTC." in page
    assert "Reason: The hall is closed." in page


@pytest.mark.parametrize(
    ("loser", "said"),
    [
        (None, "Both players lose by forfeit."),
        (Seat.FIRST, "White wins by forfeit."),
    ],
)
def test_the_page_says_for_whom_a_game_was_declared_lost_and_why(
    alice: User, bob: User, dora: User, client: Client, loser: Seat | None, said: str
) -> None:
    game = play_moves(make_game(alice, bob), *OPENING)
    _forfeit(dora, game, loser)
    page = client.get(f"/games/{game.public_id}/").content.decode()
    assert said in page
    assert "Never came." in page
    assert "two moves" not in page
