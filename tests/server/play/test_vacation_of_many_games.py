"""Vacations of who plays many games: few clocks are set at once, the others by a worker; none is lost."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.models import User
from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import repeat_killed
from crownhead.server.play import selectors, tasks
from crownhead.server.play.clocks import time_control
from crownhead.server.play.clocks.time_control import DAY, HOUR, Pace, TimeControl, Turn
from crownhead.server.play.draws.services import offer_draw
from crownhead.server.play.events import TimeChanged, TimeIsShort
from crownhead.server.play.games.services.checking import findings_of_games
from crownhead.server.play.games.services.deadlines import end_overdue_games, send_reminders
from crownhead.server.play.models import Game, Vacation
from crownhead.server.play.vacation import budget, hours
from crownhead.server.play.vacation import services as vacation_services
from tests.server.play.factories import NOW, fresh, make_game, recorded_events

pytestmark = pytest.mark.django_db
LATE = NOW + 3 * DAY


@pytest.fixture(autouse=True)
def few_at_once(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VACATION_HOURS = 20
    monkeypatch.setattr(budget, "MAX_SET", 2)


@pytest.fixture
def games(alice: User, bob: User) -> list[Game]:
    """Five on alice's turn, the latest with the least time."""
    return [make_game(alice, bob, now=NOW - n * HOUR, vacation=True) for n in range(5)]


def _deadlines(games: list[Game]) -> list[timedelta]:
    return [deadline - LATE for game in games if (deadline := fresh(game).deadline_at)]


def _plan(user: User, length: timedelta = 4 * HOUR) -> Vacation:
    """A vacation that begins a day from now."""
    (made,) = vacation_services.plan(user=user, begins=NOW + DAY, ends=NOW + DAY + length, now=NOW)
    return made


def _work(now: datetime = NOW) -> list[int]:
    """Do what is left to a worker, as it would; returns for whom."""
    left = DBTaskResult.objects.filter(task_path=tasks.set_clocks.module_path)
    users = [task.args_kwargs["args"][0] for task in left]
    left.delete()
    with clock.stopped(now):
        for user_id in users:
            tasks.set_clocks.func(user_id)
    return users


def test_planning_sets_the_most_urgent_clocks_and_a_worker_the_others(alice: User, games: list[Game]) -> None:
    with recorded_events(TimeChanged) as told:
        _plan(alice)
    assert len(told) == 2
    assert _deadlines(games) == [n * HOUR for n in (0, -1, -2, 1, 0)]
    with recorded_events(TimeChanged) as told:
        assert _work() == [alice.pk]
    assert _deadlines(games) == [n * HOUR for n in (4, 3, 2, 1, 0)]
    assert {event.game_id for event in told} == {game.public_id for game in games}


def test_cancelling_sets_the_most_urgent_clocks_and_a_worker_the_others(
    alice: User, games: list[Game]
) -> None:
    made = _plan(alice)
    _work()
    with recorded_events(TimeChanged) as told:
        vacation_services.cancel(user=alice, vacation_id=made.pk, now=NOW)
    assert len(told) == 2
    assert _work() == [alice.pk]
    assert _deadlines(games) == [-n * HOUR for n in range(5)]


def test_few_games_are_left_to_nobody(alice: User, bob: User) -> None:
    game = make_game(alice, bob, vacation=True)
    _plan(alice)
    assert (_deadlines([game]), _work()) == ([4 * HOUR], [])


@pytest.mark.parametrize("who", ["the sweeper", "who looks", "who acts"])
def test_no_game_is_lost_before_a_worker_has_come_to_it(
    alice: User, bob: User, charlie: User, games: list[Game], who: str
) -> None:
    _plan(alice, 6 * HOUR)
    assert _deadlines(games[:1]) == [0 * HOUR]
    if who == "the sweeper":
        end_overdue_games(now=LATE)
    elif who == "who looks":
        selectors.visible(viewer=charlie, public_ids=[games[0].public_id], now=LATE)
    else:
        offer_draw(user=alice, game_id=games[0].public_id, now=LATE)
    game = fresh(games[0])
    assert (game.status, game.deadline_at, game.added_hours) == ("playing", LATE + 6 * HOUR, 0)
    assert not Vacation.objects.filter(automatic=True).exists()


def test_a_game_that_was_not_set_is_lost_when_its_time_is_out_after_all(
    alice: User, games: list[Game], settings: Any
) -> None:
    settings.VACATION_HOURS = 4
    _plan(alice)
    end_overdue_games(now=LATE + 5 * HOUR)
    assert [fresh(game).ended_at for game in games] == [LATE + (4 - n) * HOUR for n in range(5)]


def test_hours_save_a_game_whose_vacation_was_called_off_before_a_worker_has_come_to_it(
    alice: User, games: list[Game]
) -> None:
    made = _plan(alice)
    _work()
    vacation_services.cancel(user=alice, vacation_id=made.pk, now=NOW)
    assert _deadlines(games[:1]) == [4 * HOUR]
    offer_draw(user=alice, game_id=games[0].public_id, now=LATE + 4 * HOUR)
    assert _work(LATE + 4 * HOUR) == [alice.pk, alice.pk]
    assert {(fresh(game).status, fresh(game).added_hours) for game in games} == {("playing", 9)}
    assert _deadlines(games) == [(9 - n) * HOUR for n in range(5)]


def test_who_acts_in_one_game_sets_the_clocks_of_few_others(alice: User, bob: User) -> None:
    games = [make_game(alice, bob, vacation=True) for _ in range(5)]
    with recorded_events(TimeChanged) as told:
        offer_draw(user=alice, game_id=games[-1].public_id, now=LATE)
    assert len(told) == 2
    assert {(fresh(game).added_hours, fresh(game).deadline_at) for game in games} == {(1, LATE + HOUR)}
    assert {fresh(game).remind_at for game in games} == {None, NOW + DAY * 1.5}
    assert _work(LATE) == [alice.pk]
    assert {fresh(game).remind_at for game in games} == {None}
    assert Vacation.objects.count() == 1


def test_the_game_that_is_acted_in_is_right_though_its_clock_was_not_among_those_set(
    alice: User, bob: User
) -> None:
    friday = datetime.fromisoformat("2026-03-06T12:00:00Z")
    since = friday + 12 * HOUR - 3 * DAY  # out at midnight: an hour more is one of Monday
    games = [make_game(alice, bob, now=since, vacation=True, weekends_off=True) for _ in range(5)]
    now = friday + 12 * HOUR
    assert {fresh(game).deadline_at for game in games} == {now}
    offer_draw(user=alice, game_id=games[-1].public_id, now=now + HOUR)
    monday = now + 2 * DAY + HOUR
    assert fresh(games[-1]).deadline_at == monday
    end_overdue_games(now=now + 5 * HOUR)
    assert {(fresh(game).added_hours, fresh(game).deadline_at) for game in games} == {(1, monday)}


def test_hours_are_the_same_however_late_somebody_looks_and_whether_clocks_were_set(
    alice: User, bob: User
) -> None:
    found = []
    for step in (1, 5, 31):
        Vacation.objects.all().delete()
        games = [
            make_game(alice, bob, now=NOW - n * HOUR * 0.7, vacation=True, weekends_off=n % 2 == 1)
            for n in range(5)
        ]
        for hour in range(0, 32, step):
            end_overdue_games(now=LATE - 3 * HOUR + hour * HOUR)
        end_overdue_games(now=LATE + 28 * HOUR)
        found.append([(fresh(game).status, fresh(game).added_hours, fresh(game).ended_at) for game in games])
        Game.objects.all().delete()
    assert found[0] == found[1] == found[2]


def test_a_reminder_that_a_vacation_has_put_off_is_not_sent_early(alice: User, bob: User) -> None:
    games = [make_game(alice, bob, vacation=True) for _ in range(3)]
    begins = NOW + DAY
    vacation_services.plan(user=alice, begins=begins, ends=begins + 4 * HOUR, now=NOW)
    with recorded_events(TimeIsShort) as told:
        send_reminders(now=NOW + 1.5 * DAY)
        assert not told
        send_reminders(now=NOW + 1.5 * DAY + 4 * HOUR)
    assert {(event.game_id, event.reminder) for event in told} == {(game.public_id, "half") for game in games}


def test_the_check_finds_no_fault_with_clocks_that_a_worker_is_about_to_set(
    alice: User, games: list[Game]
) -> None:
    _plan(alice)
    assert list(findings_of_games(repair=False)) == []
    DBTaskResult.objects.all().delete()
    assert len(list(findings_of_games(repair=True))) == 3
    assert _deadlines(games) == [n * HOUR for n in (4, 3, 2, 1, 0)]


def test_what_a_killed_worker_has_left_is_done_again(alice: User, games: list[Game]) -> None:
    _plan(alice)
    now = clock.now()
    left = DBTaskResult.objects.filter(task_path=tasks.set_clocks.module_path)
    left.update(status=TaskResultStatus.RUNNING, started_at=now)
    assert repeat_killed(now) == 0
    assert repeat_killed(now + HOUR) == 1
    assert left.get().status == TaskResultStatus.READY


def test_a_worker_sets_some_clocks_in_a_transaction_and_goes_on_after_a_failure(
    alice: User, games: list[Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    _plan(alice)
    steps: list[list[int]] = []
    set_some = budget._set_some  # noqa: SLF001

    def note(user_id: int, keys: list[int], now: datetime) -> None:
        steps.append(keys)
        if len(steps) == 1:
            raise RuntimeError
        set_some(user_id, keys, now)

    monkeypatch.setattr(budget, "_set_some", note)
    _work()
    assert [len(keys) for keys in steps] == [2, 2, 1]


def _turns(dice: Random) -> dict[int, Turn]:
    """Turns some of which began after the time of others was out."""
    turns = {}
    for pk in range(dice.randrange(1, 9)):
        control = TimeControl(pace=Pace.DAYS, initial=DAY, weekends_off=dice.random() < 0.5, vacation=True)
        since = NOW + dice.randrange(60) * HOUR / 2
        begins = NOW + dice.randrange(100) * HOUR
        turns[pk] = Turn(control=control, left=DAY, since=since, away=((begins, begins + 3 * HOUR),))
    return turns


def _hour_by_hour(
    turns: dict[int, Turn], now: datetime, left: dict[int, int]
) -> tuple[list[datetime], dict[int, int]]:
    """What ``hours.needed`` finds, every deadline worked out after every hour."""
    each, moments, added = dict(turns), [], dict.fromkeys(turns, 0)
    while each:
        moment, first = min((time_control.deadline(turn), pk) for pk, turn in each.items())
        if moment > now:
            break
        if not left[moment.year]:
            del each[first]
            continue
        left[moment.year] -= 1
        moments.append(moment)
        for pk in [pk for pk, turn in each.items() if turn.since <= moment]:
            each[pk], added[pk] = time_control.lengthened(each[pk]), added[pk] + 1
    return moments, added


@pytest.mark.parametrize("seed", range(60))
def test_hours_are_those_of_every_deadline_worked_out_after_every_hour(seed: int) -> None:
    dice = Random(seed)
    turns, now, left = _turns(dice), NOW + dice.randrange(150) * HOUR, dice.randrange(40)
    moments, added = _hour_by_hour(turns, now, {2026: left})
    used = hours.needed(turns, now, lambda _year: left)
    assert list(used.moments) == moments
    assert {pk: used.of(pk, turn.since) for pk, turn in turns.items()} == added


def test_many_hours_of_many_games_are_worked_out_of_few_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    control = TimeControl(pace=Pace.DAYS, initial=DAY, vacation=True)
    turn = Turn(control=control, left=DAY, since=NOW)
    turns = dict.fromkeys(range(100), turn)
    asked: list[Turn] = []
    deadline = time_control.deadline

    def note(turn: Turn) -> datetime:
        asked.append(turn)
        return deadline(turn)

    monkeypatch.setattr(time_control, "deadline", note)
    assert len(hours.needed(turns, NOW + 5 * DAY, lambda _year: 240).moments) == 97
    assert len(asked) == 100 + 97
