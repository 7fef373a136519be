"""Workers and players acting at the same moment, each on their own connection."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import lock_tournament
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Round, Tournament
from crownhead.server.competitions.services import hosting, leaving
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.play.draws.services import resign
from crownhead.server.play.models import Game, Seat
from crownhead.server.play.staff import services as staff
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    end,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
)
from tests.server.conftest import make_user
from tests.server.held_rows import beside, needs_held_rows, until_somebody_waits
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file
from tests.server.tasks import run_tasks

__all__ = ["in_a_file"]

WORKERS = 6
A_SECOND = timedelta(seconds=1)  # after which a worker begins what each has left to another


def test_workers_that_look_together_pair_a_round_once(alice: User, in_a_file: Callable[[], None]) -> None:
    tournament = make_tournament(alice, max_players=8, start="full")
    enter_players(tournament, 8)
    in_a_file()
    at_once([lambda: jobs.advance_due(NOW)] * WORKERS)
    jobs.advance_due(NOW + A_SECOND)
    assert fresh(tournament).status == "running"
    assert Round.objects.count() == 1
    assert Pairing.objects.count() == PairingGame.objects.count() == Game.objects.count() == 4


def test_games_that_end_together_count_once_each_and_the_next_round_comes_once(
    alice: User, in_a_file: Callable[[], None]
) -> None:
    tournament, _users = make_running_tournament(alice, 8)
    rows = open_rows(tournament)
    losers = [(row.game_id or "", opponents(row)[0]) for row in rows]
    in_a_file()
    acts: list[Callable[[], object]] = [
        lambda game=game, loser=loser: resign(user=loser, game_id=game, now=NOW)  # type: ignore[misc]
        for game, loser in losers
    ]
    acts += [lambda: jobs.advance_due(NOW)] * 4
    at_once(acts)
    jobs.advance_due(NOW + A_SECOND)
    assert Round.objects.count() == 2
    assert not PairingGame.objects.filter(pairing__round__number=1, first_points=None).exists()
    assert Game.objects.filter(status="playing").count() == 4


def test_the_last_place_is_given_once(alice: User, in_a_file: Callable[[], None]) -> None:
    tournament = make_tournament(alice, max_players=3)
    enter_players(tournament, 2)
    users = [make_user(f"late-{number}") for number in range(4)]
    in_a_file()
    outcomes = at_once(
        [
            lambda user=user: services.enter(  # type: ignore[misc]
                user=user, tournament_id=tournament.public_id, now=NOW
            )
            for user in users
        ]
    )
    assert outcomes[Entrant] == 1
    assert outcomes[Conflict] == 3
    assert fresh(tournament).size == Entrant.objects.count() == 3


def test_a_host_who_creates_many_tournaments_at_once_gets_as_many_as_one_may_hold(
    alice: User, in_a_file: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "MAX_HELD", 2)
    in_a_file()
    outcomes = at_once([lambda: make_tournament(alice)] * 8)
    assert outcomes == {Tournament: 2, Conflict: 6}


@pytest.mark.parametrize("round_", range(3))
def test_withdrawing_and_pairing_together_leave_nothing_open(
    alice: User, in_a_file: Callable[[], None], round_: int
) -> None:
    tournament, users = make_running_tournament(alice, 6)
    losers = [(row.game_id or "", opponents(row)[0]) for row in open_rows(tournament)]
    in_a_file()
    acts: list[Callable[[], object]] = [
        lambda game=game, loser=loser: resign(user=loser, game_id=game, now=NOW)  # type: ignore[misc]
        for game, loser in losers
    ]
    acts.append(lambda: services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW))
    acts += [lambda: jobs.advance_due(NOW)] * 2
    at_once(acts)
    jobs.advance_due(NOW + A_SECOND)
    left = Entrant.objects.get(user=users[0])
    assert left.left is not None
    open_ = [user.pk for row in open_rows(tournament) for user in opponents(row)]
    assert users[0].pk not in open_


def _rows_are_free(tournament: Tournament) -> None:
    """Hold what hangs on a tournament; raises ``OperationalError`` where another transaction has some."""
    for rows in (
        Entrant.objects.filter(tournament=tournament),
        PairingGame.objects.filter(pairing__round__tournament=tournament),
    ):
        list(rows.select_for_update(of=("self",), nowait=True))


@needs_held_rows
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("over", [False, True])
def test_who_waits_for_a_tournament_holds_no_player_and_no_pairing_of_it(alice: User, over: bool) -> None:
    tournament, _users = make_running_tournament(alice, 4, game=LIVE, format="arena", minutes=20)
    game_id = open_rows(tournament)[0].game_id or ""
    if over:
        end(game_id, winner=Seat.FIRST, by=alice)

    def act() -> None:
        why = "Did not come."
        if over:
            staff.annul(staff=alice, game_id=game_id, reason=why, now=NOW, as_director=True)
        else:
            staff.forfeit(by=alice, game_id=game_id, loser=Seat.FIRST, reason=why, now=NOW, as_director=True)

    with beside(act) as start, transaction.atomic():
        lock_tournament(tournament.public_id)
        start()
        until_somebody_waits()
        _rows_are_free(tournament)
    assert Entrant.objects.filter(here=False).count() == (0 if over else 1)


@pytest.mark.django_db(transaction=True)
def test_each_game_of_who_withdraws_is_resigned_with_nothing_else_held(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, users = make_running_tournament(
        alice, 5, options={"at_once": True}, withdrawal="forfeit", game=MAIN
    )
    end_one, held = leaving.Ending.end, list[int]()

    def noted(self: leaving.Ending, game_id: str, now: datetime) -> None:
        held.append(len(connection.atomic_blocks))
        end_one(self, game_id, now)

    monkeypatch.setattr(leaving.Ending, "end", noted)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    assert (held, len(open_rows(tournament))) == ([], 10)
    with clock.stopped(NOW):
        run_tasks(GENERAL)
    assert held == [1] * 4  # its own, of which ``noted`` is a part
    assert len(open_rows(tournament)) == 6
