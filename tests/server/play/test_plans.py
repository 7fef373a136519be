"""Conditional moves: kept for their owner alone, made when reached."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from crownhead.server.accounts.models import User
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.live.models import Outbox
from crownhead.server.play.draws.services import decline_draw, offer_draw, resign
from crownhead.server.play.events import TimeIsShort
from crownhead.server.play.games.services.deadlines import end_overdue_games, send_reminders
from crownhead.server.play.models import Game, Plan
from crownhead.server.play.moves import services
from crownhead.server.play.plans.selectors.lines import parse_lines
from crownhead.server.play.take_backs.services import accept_take_back, ask_take_back, decline_take_back
from tests.server.play.factories import (
    DAY,
    NOW,
    api_of,
    fresh,
    make_game,
    make_game_from,
    play_moves,
    recorded_events,
    slug,
)
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db


def _set(user: User, game: Game, *lines: str, version: int = 0) -> Any:
    body = {"version": version, "lines": [line.split() for line in lines]}
    return api_of(user).send("PUT", f"/games/{game.public_id}/plan", json.dumps(body).encode())


def _plan(user: User, game: Game) -> dict[str, Any]:
    answer = api_of(user).get(f"/games/{game.public_id}/plan")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = json.loads(answer.content)
    return found


def _moves(game: Game) -> str:
    moves: str = fresh(game).moves
    return moves


def test_the_answer_is_made_when_the_opponent_plays_into_the_plan(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    assert _set(bob, game, "11-15 22-18 15x22 25x18", "9-14 22-18").status_code == 200
    game = play_moves(game, "11-15")
    assert (game.moves, game.version, game.turn) == ("11-15 22-18", 2, "first")
    assert _plan(bob, game) == {"version": 2, "ply": 2, "lines": [["15x22", "25x18"]]}
    play_moves(game, "15x22")
    assert _moves(game) == "11-15 22-18 15x22 25x18"
    assert _plan(bob, game) == {"version": 3, "ply": 4, "lines": []}


def test_a_plan_is_dropped_when_the_opponent_plays_something_else(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _set(bob, game, "11-15 22-18")
    assert play_moves(game, "9-13").moves == "9-13"
    assert _plan(bob, game)["lines"] == []


def test_the_plans_of_both_sides_reach_each_other(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    assert _set(bob, game, "11-15 22-18 15x22 25x18").status_code == 200
    answer = _set(alice, game, "11-15 22-18 15x22 25x18 8-11", "9-14 22-18 5-9")
    assert answer.status_code == 200, answer.content
    play_moves(game, "11-15")
    run_tasks(GENERAL)
    game = fresh(game)
    assert game.moves == "11-15 22-18 15x22 25x18 8-11"
    assert (game.turn, game.planned) == ("second", [1, 2, 3, 4])
    assert _plan(alice, game)["lines"] == _plan(bob, game)["lines"] == []


def test_ones_own_first_move_is_not_made_by_the_plan(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _set(alice, game, "11-15 22-18 15x22", "9-14 22-18 5-9")
    assert (fresh(game).moves, _plan(alice, game)["ply"]) == ("", 0)
    assert [" ".join(line) for line in _plan(alice, game)["lines"]] == ["11-15 22-18 15x22", "9-14 22-18 5-9"]
    game = play_moves(game, "9-14")
    assert _plan(alice, game) == {"version": 2, "ply": 1, "lines": [["22-18", "5-9"]]}
    assert play_moves(game, "22-18").moves == "9-14 22-18 5-9"


def test_another_move_of_ones_own_drops_the_plan(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _set(alice, game, "11-15 22-18 15x22")
    assert _plan(alice, play_moves(game, "9-13"))["lines"] == []


def test_a_draw_declined_on_turn_leaves_ones_own_plan_alone(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _set(alice, game, "11-15 22-18 15x22")
    offer_draw(user=bob, game_id=game.public_id, now=NOW)
    decline_draw(user=alice, game_id=game.public_id, now=NOW)
    assert _plan(alice, game)["lines"] == [["11-15", "22-18", "15x22"]]


def test_the_clock_of_who_planned_loses_nothing(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _set(bob, game, "11-15 22-18")
    game = play_moves(game, "11-15", now=NOW + DAY)
    assert (game.turn_since, game.deadline_at) == (NOW + DAY, NOW + 4 * DAY)


def test_nobody_else_learns_of_a_plan(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    before = {place: api_of(alice).get(place).content for place in (f"/games/{game.public_id}", "/games")}
    events = Outbox.objects.count()
    _set(bob, game, "11-15 22-18")
    assert [row.topic for row in Outbox.objects.all()[events:]] == [f"user:{bob.pk}"]
    assert {place: api_of(alice).get(place).content for place in before} == before
    assert _plan(alice, game)["lines"] == []
    assert slug(api_of(charlie).get(f"/games/{game.public_id}/plan")) == "not-a-player"
    assert slug(api_of().get(f"/games/{game.public_id}/plan")) == "not-signed-in"


def test_which_moves_were_planned_is_reported_when_the_game_is_over(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _set(bob, game, "11-15 22-18")
    game = play_moves(game, "11-15")
    door = api_of()
    assert json.loads(door.get(f"/games/{game.public_id}").content)["planned"] == []
    assert "conditional" not in door.get(f"/games/{game.public_id}.pdn").content.decode()
    resign(user=alice, game_id=game.public_id, now=NOW)
    assert json.loads(door.get(f"/games/{game.public_id}").content)["planned"] == [1]
    assert "22-18 {conditional move}" in door.get(f"/games/{game.public_id}.pdn").content.decode()


def test_a_plan_waits_while_an_offer_of_the_opponent_waits_for_an_answer(alice: User, bob: User) -> None:
    for ask, decline in (
        (offer_draw, decline_draw),
        (ask_take_back, decline_take_back),
    ):
        game = play_moves(make_game(alice, bob), "11-15", "22-18")
        _set(bob, game, "15x22 25x18")
        ask(user=alice, game_id=game.public_id, now=NOW)
        game = play_moves(game, "15x22")
        assert game.turn == "second"
        assert _plan(bob, game)["lines"] == [["15x22", "25x18"]]
        decline(user=bob, game_id=game.public_id, now=NOW)
        assert _moves(game) == "11-15 22-18 15x22 25x18"


def test_a_draw_offer_holds_up_a_plan_for_half_of_the_time_only(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    _set(bob, game, "15x22 25x18")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    play_moves(game, "15x22")
    send_reminders(now=NOW + 1.4 * DAY)
    assert _moves(game) == "11-15 22-18 15x22"
    with recorded_events(TimeIsShort) as reminders:
        assert send_reminders(now=NOW + 1.5 * DAY) == 1
        assert _moves(game) == "11-15 22-18 15x22 25x18"
        assert (fresh(game).draw_offer_by, reminders) == (None, [])
        end_overdue_games(now=NOW + 4 * DAY)
        assert fresh(game).status == "playing"


def test_who_has_no_planned_answer_is_reminded_while_an_offer_waits(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    play_moves(game, "11-15")
    with recorded_events(TimeIsShort) as reminders:
        assert send_reminders(now=NOW + 1.5 * DAY) == 1
    assert [event.seat for event in reminders] == ["second"]


@pytest.mark.parametrize(("move", "lines"), [("25x18", [["8-11", "29-25"]]), ("26x17", [])])
def test_a_player_who_moves_while_their_plan_waits_keeps_it_if_they_follow_it(
    alice: User, bob: User, move: str, lines: Sequence[Sequence[str]]
) -> None:
    game = play_moves(make_game(alice, bob), "11-15", "22-18")
    _set(bob, game, "15x22 25x18 8-11 29-25")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    play_moves(game, "15x22", move)
    assert _plan(bob, game)["lines"] == lines


def test_a_plan_without_an_answer_to_the_move_does_not_wait(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    _set(bob, game, "11-15 22-18")
    offer_draw(user=alice, game_id=game.public_id, now=NOW)
    play_moves(game, "10-14")
    assert _plan(bob, game)["lines"] == []


def test_a_plan_is_replaced_by_its_version_only(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    assert json.loads(_set(bob, game, "11-15 22-18").content)["version"] == 1
    assert slug(_set(bob, game, "9-14 22-18")) == "out-of-date"
    answer = _set(bob, game, "9-14 22-18", version=1)
    assert json.loads(answer.content) == {"version": 2, "ply": 0, "lines": [["9-14", "22-18"]]}
    assert json.loads(_set(bob, game, version=2).content)["lines"] == []


@pytest.mark.parametrize(
    "lines",
    [
        ["11-15"],
        ["11-15 22-18 15x22"],
        ["22-18 11-15"],
        ["11-15 11-15"],
        ["11-15 22-18", "11-15 23-18"],
        [""],
        ["11-15 22-18 15x22 25x18 nonsense 1-5"],
    ],
)
def test_lines_that_cannot_be_played_are_refused_with_their_place(
    alice: User, bob: User, lines: list[str]
) -> None:
    answer = _set(bob, make_game(alice, bob), *lines)
    assert (answer.status_code, slug(answer)) == (422, "unprocessable")
    assert "lines." in json.loads(answer.content)["detail"]
    assert not Plan.objects.exists()


def test_a_plan_of_too_many_moves_is_refused_before_any_is_played(alice: User, bob: User) -> None:
    answer = _set(bob, make_game(alice, bob), *["nonsense " * 40] * 6)
    assert (answer.status_code, slug(answer)) == (422, "unprocessable")
    detail = json.loads(answer.content)["detail"]
    assert detail == "lines: All lines of a plan have at most 200 moves together."


def test_a_form_of_many_lines_is_read_no_further_than_a_plan_goes() -> None:
    texts = iter(["11-15 22-18"] * 100)
    with pytest.raises(Unprocessable, match="at most 40 lines"):
        parse_lines(texts)
    assert len(list(texts)) == 59


def test_a_line_ends_with_an_answer_whichever_side_is_on_turn(alice: User, bob: User, charlie: User) -> None:
    game = make_game(alice, bob)
    for line in ("11-15", "11-15 22-18"):
        assert slug(_set(alice, game, line)) == "unprocessable"
    assert slug(_set(charlie, game, "11-15 22-18")) == "not-a-player"


def test_a_planned_move_may_end_the_game(alice: User, bob: User) -> None:
    game = make_game_from("B:W22,30:B14", alice, bob)
    assert _set(bob, game, "14-18 22x15").status_code == 200
    game = play_moves(game, "14-18")
    assert (game.status, game.winner, game.planned) == ("finished", "second", [1])


def test_lines_that_begin_alike_are_kept_as_one_tree(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    lines = ["11-16 22-18 8-11 25-22", "11-16 22-18 7-11 25-22", "9-13 22-18"]
    assert _set(bob, game, *lines).status_code == 200
    assert [" ".join(line) for line in _plan(bob, game)["lines"]] == lines
    assert len(Plan.objects.get().tree) == 2


def test_a_move_taken_back_drops_the_plans(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    _set(alice, game, "22-18 15x22")
    ask_take_back(user=alice, game_id=game.public_id, now=NOW)
    accept_take_back(user=bob, game_id=game.public_id, now=NOW)
    assert _plan(alice, game)["lines"] == []


def test_lines_for_a_position_that_has_gone_are_refused(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    door = api_of(bob)

    def put(game_version: int) -> Any:
        body = {"version": 0, "game_version": game_version, "lines": [["22-18", "15x22"]]}
        return door.send("PUT", f"/games/{game.public_id}/plan", json.dumps(body).encode())

    play_moves(game, "11-15")
    late = put(0)
    assert (late.status_code, slug(late)) == (409, "out-of-date")
    assert put(1).status_code == 422  # the position is that one, and it is not the opponent's turn


def test_so_many_planned_moves_are_made_at_once_and_the_rest_by_a_worker(alice: User, bob: User) -> None:
    game = make_game_from("W:WK32:BK1", alice, bob)
    first, other = ("alice", "bob") if fresh(game).turn == "first" else ("bob", "alice")
    users = {"alice": alice, "bob": bob}
    line = ["32-27", "1-6", "27-32", "6-1"] * 7
    assert _set(users[first], game, " ".join(line[:27])).status_code == 200
    assert _set(users[other], game, " ".join(line)).status_code == 200
    play_moves(game, line[0])
    made = [len(_moves(game).split())]
    services.go_on_with_plans(game_id=game.public_id, now=NOW)
    made.append(len(_moves(game).split()))
    assert made == [services.MAX_PLANNED + 1, 2 * services.MAX_PLANNED + 1]
    assert run_tasks(GENERAL)
    assert len(_moves(game).split()) == len(line)
    assert fresh(game).planned == list(range(1, 28))


def test_planned_moves_that_wait_go_on_when_their_owner_moves(alice: User, bob: User) -> None:
    game = make_game(alice, bob)
    assert _set(bob, game, "11-15 22-18 15x22 25x18").status_code == 200
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "MAX_PLANNED", 0)
        assert play_moves(game, "11-15").turn == "second"
    assert play_moves(game, "22-18", "15x22").moves == "11-15 22-18 15x22 25x18"
    services.go_on_with_plans(game_id=game.public_id, now=NOW)
    assert _moves(game) == "11-15 22-18 15x22 25x18"
