"""The games of a member who leaves, and what their data export says about them."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django_tasks_db.models import DBTaskResult

from crownhead.server.accounts.guests import services as guests
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.core import clock, exports
from crownhead.server.core import events as core_events
from crownhead.server.core.background.killed_tasks import repeat_killed
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.play import events, jobs, problems
from crownhead.server.play.chat.services import send_message, write_note
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.options import GameOptions
from crownhead.server.play.games.selectors import terms
from crownhead.server.play.games.services import account_closing
from crownhead.server.play.games.services.checking import findings_of_games
from crownhead.server.play.games.services.deadlines import end_overdue_games
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game, Invitation, Note, Plan, Vacation
from crownhead.server.play.plans.services import set_plan
from crownhead.server.play.staff.services import appeal
from crownhead.server.play.vacation import services as vacation_services
from tests.server.play.factories import DAY, NOW, fresh, make_game, make_offer, play_moves, recorded_events
from tests.server.tasks import close_for_good, kill_worker, run_tasks

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
TERMS = GameOptions(variant="american", colour="first", days_per_move=3)


def _invite(creator: User, opponent: str) -> Game:
    return invitation_services.invite(
        creator=creator, opponent=opponent, options=TERMS, message="A game?", site="http://x", now=NOW
    )


def test_games_in_progress_are_given_up_and_offers_taken_back(alice: User, bob: User, charlie: User) -> None:
    running, waits = make_game(alice, bob), make_offer(alice)
    sent, received, mailed = _invite(alice, "charlie"), _invite(bob, "alice"), _invite(alice, "d@x.example")
    others = make_game(bob, charlie)
    with recorded_events(events.GameEnded, events.GameWithdrawn, events.GameDeclined) as emitted:
        close_for_good(alice, NOW + DAY)
    assert (fresh(running).winner, fresh(running).termination) == ("second", "resignation")
    assert {fresh(game).status for game in (waits, sent, mailed)} == {"withdrawn"}
    assert fresh(received).status == "declined"
    assert fresh(others).status == "playing"
    assert len(emitted) == 5
    jobs.forget_closed_accounts(NOW + DAY)
    assert _written(alice) == {("", "", "")}


def _written(user: User) -> set[tuple[str, str, str]]:
    """What a member wrote with invitations, to which addresses, and the tokens of their links."""
    rows = Invitation.objects.filter(game__creator=user)
    return set(rows.values_list("message", "email", "token"))


@pytest.mark.parametrize(("terms", "games"), [({"games": 4}, 1), ({"wins": 3}, 1), ({"games": 2}, 2)])
def test_a_match_ends_with_the_games_in_progress(alice: User, bob: User, terms: Any, games: int) -> None:
    make_game(alice, bob, **terms)
    with recorded_events(events.MatchEnded) as emitted:
        close_for_good(alice, NOW)
    assert set(Game.objects.values_list("status", flat=True)) == {"finished"}
    assert Game.objects.count() == games
    assert [event.winner_id for event in emitted] == [bob.pk]


def test_what_was_theirs_alone_is_gone_and_the_record_stays(alice: User, bob: User) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    write_note(user=alice, game_id=game.public_id, text="Likes the corner.")
    write_note(user=bob, game_id=game.public_id, text="Quick.")
    vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + 2 * DAY, now=NOW)
    set_plan(user=alice, game_id=game.public_id, version=0, lines=[["22-18", "15x22"]], now=NOW)
    closing.close(user=alice, now=NOW)
    assert not Vacation.objects.exists()
    run_tasks(GENERAL)
    assert Plan.objects.get(seat="first").tree == {}
    jobs.forget_closed_accounts(NOW)
    jobs.delete_old_plans(NOW)
    assert list(Note.objects.values_list("user", flat=True)) == [bob.pk]
    assert not Plan.objects.exists()
    assert fresh(game).moves == "11-15"


def _part(name: str, user: User) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(b"".join(exports.pieces(f"{name}.json", user)))
    return found


def test_the_archive_has_what_one_wrote_planned_and_offered_and_nothing_of_the_opponent(
    alice: User, bob: User
) -> None:
    game = play_moves(make_game(alice, bob), "11-15")
    write_note(user=alice, game_id=game.public_id, text="Likes the corner.")
    write_note(user=bob, game_id=game.public_id, text="Quick.")
    send_message(user=alice, game_id=game.public_id, text="Hello.", now=NOW)
    send_message(user=bob, game_id=game.public_id, text="Hello yourself.", now=NOW)
    set_plan(user=alice, game_id=game.public_id, version=0, lines=[["22-18", "15x22"]], now=NOW)
    appeal(user=alice, game_id=game.public_id, claim="draw", reason="Bare.", now=NOW)
    vacation_services.plan(user=alice, begins=NOW + DAY, ends=NOW + 2 * DAY, now=NOW)
    invited = _invite(bob, "alice")
    assert [row["text"] for row in _part("game_notes", alice)] == ["Likes the corner."]
    assert [row["text"] for row in _part("game_chat", alice)] == ["Hello."]
    assert [row["lines"] for row in _part("game_plans", alice)] == [[["22-18", "15x22"]]]
    assert [row["reason"] for row in _part("game_appeals", alice)] == ["Bare."]
    assert [row["hours"] for row in _part("vacations", alice)] == [24]
    (offered,) = _part("game_offers", alice)
    assert (offered["game"], offered["by"], offered["message"]) == (invited.public_id, "bob", "")
    assert _part("game_plans", bob) == _part("vacations", bob) == _part("game_appeals", bob) == []
    assert [row["message"] for row in _part("game_offers", bob)] == ["A game?"]


def test_many_games_of_a_closed_account_are_ended_by_a_worker(alice: User, bob: User) -> None:
    games = [make_game(alice, bob, days_per_move=days) for days in (5, 1, 2, 4)]
    offers = [make_offer(alice), _invite(bob, "alice"), _invite(alice, "bob")]
    closing.close(user=alice, now=NOW + HOUR)
    assert {fresh(game).status for game in games} == {"playing"}
    with clock.stopped(NOW + 2 * HOUR):
        assert run_tasks(GENERAL)
    assert [fresh(offer).status for offer in offers] == ["withdrawn", "declined", "withdrawn"]
    ends = {(fresh(game).winner, fresh(game).termination, fresh(game).ended_at) for game in games}
    assert ends == {("second", "resignation", NOW + HOUR)}


def test_nobody_loses_on_time_to_a_closed_account_that_waits_for_the_worker(alice: User, bob: User) -> None:
    games = [play_moves(make_game(alice, bob, days_per_move=1), "11-15") for _ in range(3)]
    late = NOW + DAY + HOUR  # bob's time is out
    closing.close(user=alice, now=NOW + 2 * HOUR)
    assert list(findings_of_games(repair=True)) == []
    end_overdue_games(now=late)
    assert {fresh(game).status for game in games} == {"playing"}
    account_closing.end_everything_of(user_id=alice.pk, now=late)
    ended = {(fresh(game).winner, fresh(game).termination) for game in games}
    assert ended == {("second", "resignation")}


def test_a_move_before_the_worker_comes_is_kept(alice: User, bob: User) -> None:
    games = [play_moves(make_game(alice, bob), "11-15") for _ in range(3)]
    closing.close(user=alice, now=NOW)
    play_moves(games[2], "22-18", now=NOW + HOUR)
    run_tasks(GENERAL)
    game = fresh(games[2])
    assert (game.moves, game.winner, game.ended_at) == ("11-15 22-18", "second", NOW + HOUR)


def test_what_a_worker_that_died_has_left_is_ended_all_the_same(
    alice: User, bob: User, charlie: User
) -> None:
    others = make_game(bob, charlie)
    games, offers = [make_game(alice, bob) for _ in range(2)], [make_offer(alice), _invite(bob, "alice")]
    closing.close(user=alice, now=NOW)
    DBTaskResult.objects.all().delete()
    stubborn = [games[0].public_id]

    @core_events.on(events.GameEnded)
    def refuse(event: events.GameEnded) -> None:
        if event.game_id in stubborn:
            raise RuntimeError("this one cannot be ended")

    jobs.end_games_of_closed_accounts(NOW + HOUR)
    assert [fresh(game).status for game in games] == ["playing", "finished"]
    assert [fresh(offer).status for offer in offers] == ["withdrawn", "declined"]
    stubborn.clear()
    jobs.end_games_of_closed_accounts(NOW + HOUR)
    assert {fresh(game).status for game in games} == {"finished"}
    assert fresh(others).status == "playing"


def test_a_closed_guest_is_found_before_anybody_loses_on_time_to_them(alice: User, bob: User) -> None:
    game = make_game(bob, alice)
    User.objects.filter(pk=bob.pk).update(is_guest=True, is_active=False)
    guests.close(guest_id=bob.pk, now=NOW)
    DBTaskResult.objects.all().delete()
    jobs.end_games_of_closed_accounts(NOW + 3 * DAY - HOUR)
    assert fresh(game).winner == "second"


def test_a_worker_that_was_killed_at_the_games_of_a_closed_account_is_replaced(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [make_game(alice, bob) for _ in range(3)]
    closing.close(user=alice, now=NOW)
    with clock.stopped(NOW):
        kill_worker(monkeypatch, account_closing, "_end", turn=2)
    assert repeat_killed(NOW + HOUR) == 1
    run_tasks(GENERAL)
    assert {fresh(game).status for game in games} == {"finished"}


def test_offers_of_a_locked_account_are_taken_by_nobody_before_a_worker_withdraws_them(
    alice: User, bob: User
) -> None:
    offers = [make_offer(alice) for _ in range(3)]
    alice.is_active = False
    alice.save()
    assert {fresh(offer).status for offer in offers} == {"waiting"}
    with pytest.raises(problems.NotWaiting):
        game_services.join(user=bob, game_id=offers[2].public_id, now=NOW)
    same_terms = terms.options_of(offers[2], colour="second")
    matched = game_services.auto_match(user=bob, options=same_terms, now=NOW)
    assert matched.status == "waiting"
    assert run_tasks(GENERAL)
    assert {fresh(offer).status for offer in offers} == {"withdrawn"}
