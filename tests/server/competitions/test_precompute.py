"""What takes long is computed before a tournament is locked, and only used if it still holds."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from multiprocessing.context import SpawnProcess
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q

from crownhead.contest import Contest, Pair, formats
from crownhead.contest.model import Step
from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Round, Tournament
from crownhead.server.competitions.services import precompute, results, rounds
from crownhead.server.core.background import elsewhere
from tests.server.competitions.factories import (
    LIVE,
    end,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    wait_for_processes,
)
from tests.server.conftest import make_user
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db(transaction=True)

ARENA: dict[str, Any] = {"format": "arena", "game": LIVE, "minutes": 120, "min_players": 2}
WAVE = timedelta(seconds=5)
Meanwhile = Callable[..., list[bool]]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Have something happen while the next round is computed, and its first ``times``.

    The list has an entry for each round that is computed: whether the lock was held.
    """

    def happen(act: Callable[[], object], *, times: int = 1) -> list[bool]:
        held: list[bool] = []
        ask = formats.next_step

        def next_step(contest: Contest) -> Step:
            step = ask(contest)
            if isinstance(step, Pair):
                held.append(connection.in_atomic_block)
                if len(held) <= times:
                    act()
            return step

        monkeypatch.setattr(formats, "next_step", next_step)
        return held

    return happen


def draw_all(tournament: Tournament) -> None:
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=tournament.host)


@pytest.fixture
def swiss(alice: User) -> Tournament:
    """A Swiss tournament of eight whose first round is over."""
    tournament, _users = make_running_tournament(alice, 8, format="swiss")
    draw_all(tournament)
    return tournament


def test_nobody_who_writes_waits_for_the_pairing_of_a_swiss_round(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    held = meanwhile(lambda: None)
    jobs.advance_due(NOW)
    assert Round.objects.count() == 2
    assert held == [False]
    assert len(open_rows(swiss)) == 4


def test_a_round_is_paired_again_if_a_result_changes_meanwhile(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    played = Pairing.objects.filter(round__tournament=swiss).first()
    assert played is not None
    game = played.games.get()
    held = meanwhile(lambda: played.games.update(first_points=2, second_points=0))
    jobs.advance_due(NOW)
    assert held == [False, False]
    assert Round.objects.count() == 2
    winner = played.second if game.swapped else played.first
    (of_winner,) = (
        row for row in Pairing.objects.filter(round__number=2) if winner in {row.first, row.second}
    )
    assert of_winner.table == 1


def test_who_leaves_while_a_round_is_paired_does_not_have_it_paired_again(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    one = Entrant.objects.filter(tournament=swiss).latest("pk").user
    held = meanwhile(lambda: services.withdraw(user=one, tournament_id=swiss.public_id, now=NOW))
    jobs.advance_due(NOW)
    assert held == [False]
    assert Round.objects.count() == 2
    assert len(open_rows(swiss)) == 3


def test_nobody_who_writes_waits_for_a_wave_of_an_arena(alice: User, meanwhile: Meanwhile) -> None:
    tournament, _users = make_running_tournament(alice, 4, **ARENA, max_players=6)
    one, other = open_rows(tournament)
    end(one.game_id or "", winner=None, by=alice)
    for number in range(2):
        services.enter(user=make_user(f"late-{number}"), tournament_id=tournament.public_id, now=NOW)
    held = meanwhile(lambda: end(other.game_id or "", winner=None, by=alice))
    jobs.advance_due(NOW)
    assert held
    assert not any(held)
    assert len(open_rows(tournament)) == 2  # those whose game has just ended don't meet again at once


def test_who_pauses_while_a_wave_is_paired_is_not_in_it(alice: User, meanwhile: Meanwhile) -> None:
    tournament, users = make_running_tournament(alice, 4, **ARENA)
    draw_all(tournament)

    def pause() -> None:
        for user in users[1:]:
            services.be_here(user=user, tournament_id=tournament.public_id, here=False, now=NOW)

    held = meanwhile(pause)
    jobs.advance_due(NOW)
    assert held == [False]
    assert open_rows(tournament) == []


def test_an_arena_with_very_many_games_ends_before_its_time(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precompute, "MOST_GAMES", 4)
    monkeypatch.setattr(precompute, "MOST_GAMES_EACH", 1)
    tournament, _users = make_running_tournament(alice, 4, **ARENA)
    for wave in range(1, 4):
        draw_all(tournament)
        jobs.advance_due(NOW + wave * WAVE)
    assert Pairing.objects.count() == 4
    assert fresh(tournament).status == "finished"


def test_an_arena_with_many_waves_waits_for_the_next_one(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MANY_WAVES", 0)
    tournament, _users = make_running_tournament(alice, 4, **ARENA)
    draw_all(tournament)
    assert fresh(tournament).due_at == NOW + WAVE
    jobs.advance_due(NOW)
    assert Round.objects.count() == 1
    jobs.advance_due(NOW + WAVE)
    assert Round.objects.count() == 2


def test_an_arena_with_many_waves_that_is_closed_ends_with_its_last_game(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MANY_WAVES", 0)
    tournament, _users = make_running_tournament(alice, 4, **ARENA)
    services.close(user=alice, tournament_id=tournament.public_id, reason="It is late.", now=NOW)
    jobs.advance_due(NOW)
    draw_all(tournament)
    jobs.advance_due(NOW)
    assert fresh(tournament).status == "finished"


@pytest.mark.skipif(connection.vendor == "sqlite", reason="needs rows that are held one by one")
def test_a_game_that_ends_while_a_worker_closes_an_arena_is_its_last(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "MANY_WAVES", 0)
    tournament, _users = make_running_tournament(alice, 2, **ARENA)
    (row,) = open_rows(tournament)
    late, wait = NOW + timedelta(hours=2), rounds._wait  # noqa: SLF001 - held up where it has the lock

    def end_it() -> None:
        end(row.game_id or "", winner=None, by=alice, now=late)
        connection.close()

    ending = Thread(target=end_it)

    def slow_wait(*facts: Any) -> None:
        if not ending.ident:
            ending.start()
            ending.join(1)  # it waits for the row of the tournament
        wait(*facts)

    monkeypatch.setattr(rounds, "_wait", slow_wait)
    jobs.advance_due(late)
    ending.join()
    jobs.advance_due(late)
    assert fresh(tournament).status == "finished"


def test_a_game_that_is_annulled_while_a_wave_is_paired_keeps_its_players(
    alice: User, meanwhile: Meanwhile
) -> None:
    tournament, _users = make_running_tournament(alice, 4, **ARENA, max_players=6)
    for number in range(2):
        services.enter(user=make_user(f"late-{number}"), tournament_id=tournament.public_id, now=NOW)
    draw_all(tournament)
    over = PairingGame.objects.earliest("pk").game_id or ""
    meanwhile(lambda: results.annul(game_id=over, now=NOW))
    jobs.advance_due(NOW)
    busy = [user.pk for row in open_rows(tournament) for user in opponents(row)]
    assert len(busy) == len(set(busy))


def test_a_late_entrant_is_in_the_round_that_is_paired_meanwhile(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    Tournament.objects.filter(pk=swiss.pk).update(late_rounds=3, max_players=10)
    late = make_user("late")
    held = meanwhile(lambda: services.enter(user=late, tournament_id=swiss.public_id, now=NOW))
    jobs.advance_due(NOW)
    assert held == [False, False]
    second = Pairing.objects.filter(round__number=2)
    assert late.pk in {entrant.user_id for row in second for entrant in (row.first, row.second) if entrant}


def ask_byes(tournament: Tournament, count: int, number: int) -> Callable[[], None]:
    """Have entrants ask for a bye in a round, another one each time."""
    asking = iter(Entrant.objects.filter(tournament=tournament).order_by("pk")[:count])

    def ask() -> None:
        services.ask_bye(user=next(asking).user, tournament_id=tournament.public_id, number=number)

    return ask


def test_who_asks_for_a_bye_in_a_later_round_does_not_have_this_one_paired_again(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    held = meanwhile(ask_byes(swiss, 1, number=3))
    jobs.advance_due(NOW)
    assert held == [False]
    assert Round.objects.count() == 2


def test_a_bye_that_is_asked_for_while_the_round_is_paired_counts(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    held = meanwhile(ask_byes(swiss, 2, number=2), times=2)
    jobs.advance_due(NOW)
    assert held == [False, False, False]
    assert Pairing.objects.filter(round__number=2, bye="asked").count() == 2
    assert not Entrant.objects.filter(off=[3]).exists()


def test_players_who_keep_asking_for_byes_do_not_keep_a_round_from_being_paired(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    held = meanwhile(ask_byes(swiss, 4, number=2), times=4)
    jobs.advance_due(NOW)
    assert held == [False] * (precompute.MOST_IN_VAIN + 1)
    assert Round.objects.count() == 2
    assert Pairing.objects.filter(round__number=2, bye="asked").count() == precompute.MOST_IN_VAIN
    (late,) = Entrant.objects.filter(off=[3])  # what came too late counts for the next round
    mine = Pairing.objects.filter(round__number=2).filter(Q(first=late) | Q(second=late)).get()
    assert mine.bye in {"", "odd"}


def test_a_bye_that_is_taken_back_too_late_stays(swiss: Tournament, meanwhile: Meanwhile) -> None:
    one = Entrant.objects.filter(tournament=swiss).latest("pk").user

    def toggle() -> None:
        services.ask_bye(user=one, tournament_id=swiss.public_id, number=2)

    toggle()
    held = meanwhile(toggle, times=9)
    jobs.advance_due(NOW)
    assert len(held) == precompute.MOST_IN_VAIN + 1
    bye = Pairing.objects.get(round__number=2, bye="asked")
    assert bye.first.user == one


def test_late_entrants_who_keep_coming_do_not_keep_a_round_from_being_paired(
    swiss: Tournament, meanwhile: Meanwhile
) -> None:
    Tournament.objects.filter(pk=swiss.pk).update(late_rounds=3, max_players=20)
    coming = iter([make_user(f"late-{number}") for number in range(5)])
    held = meanwhile(
        lambda: services.enter(user=next(coming), tournament_id=swiss.public_id, now=NOW), times=5
    )
    jobs.advance_due(NOW)
    assert held == [False] * (precompute.MOST_IN_VAIN + 1)
    assert Round.objects.count() == 2
    entered = Entrant.objects.filter(user__username__startswith="late-").order_by("pk")
    assert [row.entered for row in entered] == [2, 2, 3]


def test_tournaments_have_a_process_in_turn(
    alice: User, swiss: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precompute, "IN_A_PROCESS", 2)
    monkeypatch.setattr(precompute, "MOST_PROCESSES", 1)
    other = make_tournament(alice, name="Other cup", format="swiss")
    for user in [row.user for row in Entrant.objects.filter(tournament=swiss)]:
        services.enter(user=user, tournament_id=other.public_id, now=NOW)
    jobs.advance_due(NOW)
    services.start(user=alice, tournament_id=other.public_id, now=NOW)
    jobs.advance_due(NOW)
    assert [*precompute._begun] == [swiss.pk]  # noqa: SLF001
    ask_byes(swiss, 1, number=2)()
    wait_for_processes()
    jobs.advance_due(NOW)  # in vain for the first
    assert [*precompute._begun] == [other.pk]  # noqa: SLF001
    for _ in range(2):
        wait_for_processes()
        jobs.advance_due(NOW)
    wait_for_processes()
    jobs.advance_due(NOW)
    assert (fresh(swiss).rounds_made, fresh(other).rounds_made) == (2, 1)


def test_a_tournament_that_keeps_changing_holds_up_no_other(
    swiss: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precompute.Precomputed, "still_holds", lambda *_: False)
    jobs.advance_due(NOW)
    assert Round.objects.count() == 1
    monkeypatch.undo()
    jobs.advance_due(NOW)
    assert Round.objects.count() == 2


def test_a_process_that_is_killed_stops_no_pairing(
    swiss: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precompute, "IN_A_PROCESS", 2)
    monkeypatch.setattr(elsewhere, "_compute", leave)
    for _ in range(precompute.MOST_TRIES):
        jobs.advance_due(NOW)
        assert Round.objects.count() == 1
        wait_for_processes()
    jobs.advance_due(NOW)
    assert Round.objects.count() == 2


def leave(*_facts: object) -> None:
    """End a process as a signal does."""
    os.abort()


def test_a_process_that_cannot_be_started_stops_no_pairing(
    swiss: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_process: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr(precompute, "IN_A_PROCESS", 2)
    monkeypatch.setattr(SpawnProcess, "start", refuse)
    jobs.advance_due(NOW)
    assert Round.objects.count() == 2


def test_nothing_is_computed_for_a_tournament_that_others_have_advanced(
    swiss: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precompute, "IN_A_PROCESS", 2)
    jobs.advance_due(NOW)
    Tournament.objects.filter(pk=swiss.pk).update(due_at=None)
    jobs.advance_due(NOW)
    assert precompute._begun == {}  # noqa: SLF001


def test_many_players_are_paired_by_another_process_while_other_jobs_go_on(
    swiss: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precompute, "IN_A_PROCESS", 2)
    monkeypatch.setattr(formats.swiss.Swiss, "_round", None)  # here; the other process has its own
    jobs.advance_due(NOW)
    assert Round.objects.count() == 1
    wait_for_processes()
    jobs.advance_due(NOW)
    assert Round.objects.count() == 2
    assert len(open_rows(swiss)) == 4


def test_a_process_raises_what_its_function_raises() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        elsewhere.Computation(int, "x").result()


def test_nobody_plays_two_live_games_at_once(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4, game=LIVE, options={"at_once": True})
    for _ in range(3):
        rows = open_rows(tournament)
        busy = [user.pk for row in rows for user in opponents(row)]
        assert sorted(busy) == sorted(user.pk for user in users)
        draw_all(tournament)
        jobs.advance_due(NOW)
    assert fresh(tournament).status == "finished"


def test_an_adjourned_live_game_holds_up_no_later_one(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, format="swiss", game=LIVE)
    held, other = open_rows(tournament)
    services.adjourn(
        user=alice,
        tournament_id=tournament.public_id,
        number=1,
        table=held.pairing.table,
        until=NOW + timedelta(days=5),
        reason="The hall closes.",
        now=NOW,
    )
    end(other.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert len([row for row in open_rows(tournament) if row.pairing.round.number == 2]) == 2
