"""Vacation by the hour: used as a time runs out, or set in advance; weekends; reminders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from crownhead.server.accounts.models import User
from crownhead.server.core import clock, events
from crownhead.server.core.problems import Conflict, Forbidden, NotFound, TooMany, Unprocessable
from crownhead.server.play import selectors
from crownhead.server.play.events import TimeIsShort
from crownhead.server.play.games.services import withdraw_waiting
from crownhead.server.play.games.services.deadlines import end_overdue_games, send_reminders
from crownhead.server.play.models import Game, Vacation
from crownhead.server.play.moves.services import play_move
from crownhead.server.play.staff.services import adjourn
from crownhead.server.play.take_backs.services import accept_take_back
from crownhead.server.play.vacation import budget
from crownhead.server.play.vacation import selectors as vacation_selectors
from crownhead.server.play.vacation import services as vacation_services
from tests.server.play.factories import DAY, NOW, api_of, fresh, make_game, play_moves, slug
from tests.server.test_query_bounds import counted

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
LATE = NOW + 3 * DAY


@pytest.fixture(autouse=True)
def ten_hours(settings: Any) -> None:
    settings.VACATION_HOURS = 10


def _left(user: User, year: int = 2026) -> int:
    return vacation_selectors.budget(user_id=user.pk, year=year).left


def _sweep(now: datetime) -> None:
    end_overdue_games(now=now)


def test_an_hour_is_used_when_the_time_is_out_and_the_game_continues(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    _sweep(LATE)
    game = fresh(game)
    assert (game.status, game.deadline_at, game.added_hours) == ("playing", LATE + HOUR, 1)
    assert (_left(alice), _left(bob)) == (9, 10)


def test_the_game_is_lost_when_the_hours_are_used_up(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    _sweep(LATE + 10 * HOUR)
    game = fresh(game)
    assert (game.status, game.termination, game.ended_at) == ("finished", "time", LATE + 10 * HOUR)
    assert _left(alice) == 0


def test_a_player_who_looks_late_finds_the_same_as_a_sweeper_that_never_slept(alice: User, bob: User) -> None:
    settled = []
    for late in (False, True):
        Vacation.objects.all().delete()
        games = [make_game(alice, bob, now=NOW + n * timedelta(minutes=25), vacation=True) for n in range(3)]
        moments = [LATE + 9 * HOUR] if late else [LATE + n * HOUR / 6 for n in range(6 * 9 + 1)]
        for moment in moments:
            _sweep(moment)
        settled.append(
            [(fresh(game).status, fresh(game).deadline_at, fresh(game).ended_at) for game in games]
        )
        Game.objects.all().delete()
    assert settled[0] == settled[1]


def test_an_hour_lengthens_all_games_in_which_the_player_is_on_turn_then(alice: User, bob: User) -> None:
    due = make_game(alice, bob, vacation=True)
    other = make_game(alice, bob, now=NOW + DAY, vacation=True)
    without = make_game(alice, bob, now=NOW + DAY)
    bobs = play_moves(make_game(alice, bob, vacation=True), "11-15")
    _sweep(LATE)
    assert [fresh(game).added_hours for game in (due, other, without)] == [1, 1, 0]
    assert fresh(other).deadline_at == NOW + 4 * DAY + HOUR
    assert fresh(bobs).added_hours == 1  # bob's own hour, because their time was out at the same moment
    assert (_left(alice), _left(bob)) == (9, 9)


def test_a_move_within_the_added_hour_is_made_and_the_next_turn_is_a_whole_one(
    alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob, vacation=True), "11-15", now=LATE + HOUR / 2)
    assert (game.added_hours, game.deadline_at) == (0, LATE + HOUR / 2 + 3 * DAY)
    assert _left(alice) == 9


def test_looking_uses_the_hour_too(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob, vacation=True)
    seen = selectors.access_game(viewer=charlie, public_id=game.public_id, now=LATE)
    assert (seen.status, seen.added_hours) == ("playing", 1)


def test_who_looks_does_not_wait_for_the_hours_of_many_games(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "MAX_WAITED_FOR", 2)
    games = [make_game(alice, bob, vacation=True) for _ in range(3)]
    keys = [game.public_id for game in games]
    seen = selectors.access_game(viewer=charlie, public_id=keys[0], now=LATE)
    assert selectors.visible(viewer=charlie, public_ids=keys, now=LATE) == set(keys)
    assert (seen.status, seen.deadline_at) == ("playing", LATE)
    assert {fresh(game).added_hours for game in games} == {0}
    _sweep(LATE)
    assert {fresh(game).added_hours for game in games} == {1}
    assert play_moves(games[0], "11-15", now=LATE).added_hours == 0
    selectors.access_game(viewer=charlie, public_id=keys[1], now=LATE + HOUR)
    assert [fresh(game).added_hours for game in games[1:]] == [2, 2]


@pytest.mark.parametrize(
    "refused",
    [
        lambda bob, key: accept_take_back(user=bob, game_id=key, now=LATE),
        lambda bob, key: play_move(user=bob, game_id=key, move="24-20", version=0, now=LATE),
        lambda bob, key: adjourn(by=bob, game_id=key, until=None, reason="-", now=LATE, as_director=True),
    ],
    ids=["a take-back", "a move", "a director's order"],
)
def test_the_hours_that_a_refused_action_comes_to_use_stay_used(
    alice: User, bob: User, refused: Callable[[User, str], Game]
) -> None:
    games = [make_game(alice, bob, vacation=True) for _ in range(3)]
    with pytest.raises(Conflict):
        refused(bob, games[0].public_id)
    assert {fresh(game).added_hours for game in games} == {1}
    assert _left(alice) == 9


def test_who_may_not_withdraw_a_game_has_no_hours_looked_for(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_for: list[dict[str, Any]] = []
    monkeypatch.setattr(budget, "use_hours", lambda **asked: looked_for.append(asked))
    game = make_game(alice, bob, vacation=True)
    with pytest.raises(Forbidden):
        withdraw_waiting(user=bob, game_id=game.public_id, now=LATE)
    assert not looked_for


def test_a_game_without_vacation_is_lost_whatever_is_left(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _sweep(LATE)
    assert fresh(game).termination == "time"


def test_the_budget_is_of_the_year_in_which_the_time_ran_out(alice: User, bob: User) -> None:
    year_end = datetime(2026, 12, 31, 20, tzinfo=UTC)
    game = make_game(alice, bob, now=year_end - 3 * DAY, vacation=True)
    _sweep(datetime(2027, 1, 1, 3, tzinfo=UTC))
    assert fresh(game).added_hours == 8
    assert (_left(alice, 2026), _left(alice, 2027)) == (6, 6)


def test_a_vacation_set_in_advance_stops_the_clock_and_is_paid_at_once(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + DAY + 4 * HOUR, now=NOW)
    assert fresh(game).deadline_at == LATE + 4 * HOUR
    assert (_left(alice), _left(bob)) == (6, 10)
    assert play_moves(game, "11-15").deadline_at == LATE  # bob's clock knows nothing of it


def test_a_vacation_called_off_gives_its_hours_back(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    (made,) = vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + DAY + 4 * HOUR, now=NOW)
    vacation_services.cancel(user=alice, vacation_id=made.pk, now=NOW + HOUR)
    assert (fresh(game).deadline_at, _left(alice)) == (LATE, 10)


def test_a_vacation_that_has_begun_ends_with_its_hour(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    (made,) = vacation_services.plan(user=alice, begins=NOW, ends=NOW + 6 * HOUR, now=NOW)
    vacation_services.cancel(user=alice, vacation_id=made.pk, now=NOW + HOUR * 1.5)
    assert (fresh(game).deadline_at, _left(alice)) == (LATE + 2 * HOUR, 8)
    with pytest.raises(NotFound):
        vacation_services.cancel(user=alice, vacation_id=made.pk, now=NOW + 3 * HOUR)


def test_a_vacation_over_the_new_year_is_paid_by_both(alice: User) -> None:
    begins = datetime(2026, 12, 31, 20, tzinfo=UTC)
    made = vacation_services.plan(user=alice, begins=begins, ends=begins + 6 * HOUR, now=NOW)
    assert [part.hours for part in made] == [4, 2]
    assert (_left(alice, 2026), _left(alice, 2027)) == (6, 8)


@pytest.mark.parametrize(
    ("begins", "ends", "refusal"),
    [
        (NOW + DAY, NOW + DAY, Unprocessable),
        (NOW - HOUR, NOW + HOUR, Unprocessable),
        (NOW + HOUR / 2, NOW + 2 * HOUR, Unprocessable),
        (NOW + DAY, NOW + DAY + 11 * HOUR, Conflict),
        (NOW + 400 * DAY, NOW + 400 * DAY + HOUR, Unprocessable),
        (NOW + 2 * HOUR, NOW + 3 * HOUR, Conflict),
    ],
)
def test_a_vacation_that_cannot_be_is_refused(
    alice: User, begins: datetime, ends: datetime, refusal: type[Exception]
) -> None:
    vacation_services.plan(user=alice, begins=NOW + HOUR, ends=NOW + 4 * HOUR, now=NOW)
    with pytest.raises(refusal):
        vacation_services.plan(user=alice, begins=begins, ends=ends, now=NOW)
    assert _left(alice) == 7


def test_a_stranger_cannot_call_a_vacation_off(alice: User, bob: User) -> None:
    (made,) = vacation_services.plan(user=alice, begins=NOW + HOUR, ends=NOW + 4 * HOUR, now=NOW)
    with pytest.raises(NotFound):
        vacation_services.cancel(user=bob, vacation_id=made.pk, now=NOW)


def test_the_api_sets_shows_and_calls_off_a_vacation(alice: User, bob: User) -> None:
    door = api_of(alice)
    span = {"begins": "2026-03-01T14:00:00+01:00", "ends": "2026-03-01T16:00:00Z"}
    answer = door.post("/vacation", span)
    assert answer.status_code == 201
    (made,) = json.loads(answer.content)
    assert (made["begins"], made["hours"]) == ("2026-03-01T13:00:00Z", 3)
    mine = json.loads(door.get("/vacation").content)
    assert (mine["year"], mine["hours"], mine["used"], mine["left"], mine["planned"]) == (
        2026,
        10,
        3,
        7,
        [made],
    )
    game = make_game(alice, bob, vacation=True)
    with clock.stopped(NOW + 2 * HOUR):
        body = json.loads(api_of(bob).get(f"/games/{game.public_id}").content)
    assert body["away_until"] == {"first": "2026-03-01T16:00:00Z", "second": None}
    assert body["time_stands_still"] is True
    assert door.delete(f"/vacation/{made['id']}").status_code == 204
    assert slug(door.delete(f"/vacation/{made['id']}")) == "not-found"
    assert slug(door.post("/vacation", span | {"ends": "2026-03-01T16:00:00"})) == "unprocessable"


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:00", "9999-12-31T23:00:00-23:00"])
def test_no_vacation_is_at_the_edge_of_the_calendar(alice: User, moment: str) -> None:
    span = {"begins": "2026-03-01T14:00:00+01:00", "ends": "2026-03-01T16:00:00Z"}
    for name in span:
        assert slug(api_of(alice).post("/vacation", span | {name: moment})) == "unprocessable"


def test_weekends_off_is_a_choice_of_the_game(alice: User, bob: User) -> None:
    friday = datetime(2026, 3, 6, 12, tzinfo=UTC)
    on = make_game(alice, bob, now=friday)
    off = make_game(alice, bob, now=friday, weekends_off=True)
    assert (on.deadline_at, off.deadline_at) == (friday + 3 * DAY, friday + 5 * DAY)


@pytest.fixture
def reminded() -> Iterator[list[tuple[str, str]]]:
    told: list[tuple[str, str]] = []
    live = [True]

    @events.on(TimeIsShort)
    def note(event: TimeIsShort) -> None:
        if live:
            told.append((event.seat, event.reminder))

    yield told
    live.clear()


def test_players_are_reminded_at_half_a_fifth_and_two_hours(
    alice: User, bob: User, reminded: list[tuple[str, str]]
) -> None:
    game = make_game(alice, bob)
    assert (game.remind_at, game.remind_of) == (NOW + 1.5 * DAY, "half")
    for hours in range(73):
        send_reminders(now=NOW + hours * HOUR)
    assert reminded == [("first", "half"), ("first", "fifth"), ("first", "two-hours")]
    assert fresh(game).remind_at is None


def test_of_unread_reminders_only_the_last_one_is_sent(
    alice: User, bob: User, reminded: list[tuple[str, str]]
) -> None:
    game = make_game(alice, bob)
    assert send_reminders(now=LATE - HOUR) == 1
    assert reminded == [("first", "two-hours")]
    assert send_reminders(now=LATE - HOUR) == 0
    assert send_reminders(now=LATE) == 0
    assert fresh(game).status == "playing"


def test_planning_and_cancelling_ask_as_many_queries_however_many_games_there_are(
    alice: User, bob: User
) -> None:
    asked = []
    for _more in range(2):
        games = [make_game(alice, bob, vacation=True) for _ in range(4)]
        with counted() as planning:
            (made,) = vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + DAY + HOUR, now=NOW)
        assert {fresh(game).deadline_at for game in games} == {LATE + HOUR}
        with counted() as cancelling:
            vacation_services.cancel(user=alice, vacation_id=made.pk, now=NOW)
        assert {fresh(game).deadline_at for game in games} == {LATE}
        asked.append((len(planning), len(cancelling)))
    assert asked[0] == asked[1]


def test_an_hour_used_by_itself_is_one_statement_for_all_games(alice: User, bob: User) -> None:
    asked = []
    for _more in range(2):
        games = [make_game(alice, bob, vacation=True) for _ in range(4)]
        with counted() as statements, transaction.atomic():
            budget.use_hours(user_id=alice.pk, now=LATE)
        assert {fresh(game).added_hours for game in games} == {1}
        Game.objects.update(added_hours=0)
        asked.append(len(statements))
    assert asked[0] == asked[1]


def test_nobody_plans_more_than_twenty_vacations_at_once(alice: User, settings: Any) -> None:
    settings.VACATION_HOURS = 100
    for number in range(vacation_services.MAX_PLANNED):
        begins = NOW + DAY + 2 * number * HOUR
        made = vacation_services.plan(user=alice, begins=begins, ends=begins + HOUR, now=NOW)
    more = NOW + 9 * DAY
    with pytest.raises(Conflict, match="at most 20 vacations planned at once"):
        vacation_services.plan(user=alice, begins=more, ends=more + HOUR, now=NOW)
    vacation_services.cancel(user=alice, vacation_id=made[0].pk, now=NOW)
    assert vacation_services.plan(user=alice, begins=more, ends=more + HOUR, now=NOW)


def test_vacations_are_planned_and_called_off_only_so_often(alice: User, settings: Any) -> None:
    settings.LIMITS = settings.LIMITS | {"vacations": "2/h"}
    (made,) = vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + DAY + HOUR, now=NOW)
    vacation_services.cancel(user=alice, vacation_id=made.pk, now=NOW)
    with pytest.raises(TooMany):
        vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + DAY + HOUR, now=NOW)


def test_of_many_games_that_are_just_lost_a_request_ends_a_few_which_stay_ended(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vacation_services, "MAX_SETTLED", 2)
    for _ in range(5):
        make_game(alice, bob)
    begins = LATE.replace(minute=0) + DAY
    for ended in (2, 4):
        with pytest.raises(Conflict, match="just run out of time"):
            vacation_services.plan(user=alice, begins=begins, ends=begins + HOUR, now=LATE)
        assert Game.objects.filter(status="finished", termination="time").count() == ended
    assert vacation_services.plan(user=alice, begins=begins, ends=begins + HOUR, now=LATE)
    assert Game.objects.filter(status="finished").count() == 5


def test_hours_that_save_many_games_are_used_once_before_a_vacation_is_planned(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vacation_services, "MAX_SETTLED", 2)
    games = [make_game(alice, bob, vacation=True) for _ in range(5)]
    begins = LATE.replace(minute=0) + DAY
    assert vacation_services.plan(user=alice, begins=begins, ends=begins + HOUR, now=LATE)
    assert {(fresh(game).status, fresh(game).added_hours) for game in games} == {("playing", 1)}
    assert _left(alice) == 8
