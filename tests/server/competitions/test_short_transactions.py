"""However many players, rounds and games: a transaction makes one round or begins a few games."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crownhead.contest import formats
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services import closing
from crownhead.server.competitions import access, jobs, services
from crownhead.server.competitions.access import NOTICE
from crownhead.server.competitions.models import (
    Entrant,
    Pairing,
    PairingGame,
    Round,
    Tournament,
)
from crownhead.server.competitions.selectors import contest_rows
from crownhead.server.competitions.services import rounds, telling
from crownhead.server.core import clock
from crownhead.server.core.processes.queues import GENERAL
from crownhead.server.notices.models import Notice
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    advance,
    end,
    enter_players,
    fresh,
    make_running_tournament,
    make_tournament,
    open_rows,
    opponents,
    play_out,
    state,
)
from tests.server.competitions.test_attended import arrive
from tests.server.conftest import make_user
from tests.server.play.factories import NOW
from tests.server.tasks import run_tasks

pytestmark = pytest.mark.django_db

FEW = 6  # games
AT_ONCE: dict[str, Any] = {"options": {"at_once": True, "cycles": 2}}
MINUTE = timedelta(minutes=1)


@pytest.fixture
def transactions(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """How many rounds and games there were whenever a worker locked a tournament."""
    seen: list[tuple[int, int]] = []
    lock = access.lock_tournament_if_free

    def counted(pk: int) -> Tournament | None:
        seen.append((Round.objects.count(), PairingGame.objects.count()))
        return lock(pk)

    monkeypatch.setattr(rounds, "lock_tournament_if_free", counted)
    return seen


def check(transactions: list[tuple[int, int]]) -> None:
    """Check what each of them did."""
    ends = [*transactions[1:], (Round.objects.count(), PairingGame.objects.count())]
    done = [(after[0] - at[0], after[1] - at[1]) for at, after in zip(transactions, ends, strict=True)]
    assert {made for made, _games in done} <= {0, 1}
    assert max(games for _made, games in done) <= FEW
    assert all(not made or not games for made, games in done)
    transactions.clear()


def advance_all(tournament: Tournament) -> None:
    """Let workers come until there is something to wait for."""
    advance_all_from(tournament, NOW)


def advance_all_from(tournament: Tournament, now: datetime) -> None:
    """The same from a moment on."""
    due_at: datetime | None = now
    while due_at is not None and due_at <= now:
        jobs.advance_due(now)
        due_at = fresh(tournament).due_at


def not_to_be_read(*_facts: Any) -> Any:
    raise AssertionError("the whole contest was read")


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From then on nobody may read a whole contest."""

    def begin() -> None:
        monkeypatch.setattr(contest_rows, "rounds_of", not_to_be_read)

    return begin


@pytest.mark.parametrize("game", [LIVE, MAIN], ids=["live", "days"])
def test_a_round_robin_at_once_is_made_by_a_round_or_a_few_games_in_each_transaction(
    alice: User, transactions: list[tuple[int, int]], unread: Callable[[], None], game: Any
) -> None:
    unread()
    tournament, _users = make_running_tournament(alice, 10, game=game, **AT_ONCE)
    advance_all(tournament)
    assert fresh(tournament).rounds_made == 18
    assert Pairing.objects.count() == 90
    assert PairingGame.objects.count() == (5 if game is LIVE else 90)
    assert len(transactions) >= 18 + 1
    check(transactions)


def test_the_games_of_sections_begin_a_few_at_a_time(
    alice: User, transactions: list[tuple[int, int]]
) -> None:
    tournament, _users = make_running_tournament(alice, 8, format="sections")
    advance_all(tournament)
    assert PairingGame.objects.count() == 56
    check(transactions)


@pytest.mark.parametrize(
    "wanted",
    [
        {"game": LIVE, **AT_ONCE},
        {"game": MAIN, **AT_ONCE},
        {"format": "round-robin"},
        {"format": "sections"},
        {"format": "swiss"},
        {"format": "single-elimination"},
        {"format": "double-elimination"},
    ],
    ids=lambda wanted: f"{wanted.get('format', 'at once')}",
)
def test_nobody_reads_a_whole_contest_for_a_game_that_ends_while_its_round_goes_on(
    alice: User, unread: Callable[[], None], wanted: dict[str, Any]
) -> None:
    tournament, _users = make_running_tournament(alice, 8, **wanted)
    advance_all(tournament)
    unread()
    for row in open_rows(tournament)[:-1]:
        end(row.game_id or "", winner=None, by=alice)
        advance_all(tournament)
        assert fresh(tournament).due_at is None
    if wanted.get("game") is LIVE:
        assert len(open_rows(tournament)) > 1  # the next ones of those who are free


def test_a_round_of_a_schedule_is_that_of_the_whole_contest_also_after_players_have_left(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = make_tournament(alice, max_players=10, game=LIVE, options={"at_once": True})
    users = enter_players(tournament, 10)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    monkeypatch.setattr(rounds, "MAX_TURNS", 1)
    leaves = {2: users[1], 7: users[5], 8: users[2]}
    while (made := fresh(tournament).rounds_made) < 9:
        read = contest_rows.load_schedule(fresh(tournament))
        assert formats.next_step(read) == formats.next_step(state(tournament))
        for row in open_rows(tournament):
            end(row.game_id or "", winner=None, by=alice)
        if made in leaves:
            services.withdraw(user=leaves.pop(made), tournament_id=tournament.public_id, now=NOW)
        advance(tournament)
    assert {*Pairing.objects.values_list("bye", flat=True)} == {"", "odd", "absent"}


@pytest.mark.parametrize("count", [4, 12])
def test_withdrawing_asks_no_more_of_a_request_where_more_pairings_are_to_come(
    alice: User, count: int, transactions: list[tuple[int, int]]
) -> None:
    tournament, users = make_running_tournament(alice, count, game=LIVE, **AT_ONCE)
    advance_all(tournament)
    with CaptureQueriesContext(connection) as asked:
        services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    assert len([query for query in asked if "competitions_pairinggame" in query["sql"]]) <= 6
    assert not PairingGame.objects.filter(game_id=None).exists()
    transactions.clear()
    advance_all(tournament)
    check(transactions)
    assert PairingGame.objects.filter(game_id=None, how="forfeit").count() == 2 * (count - 1) - 1


def test_an_expelled_player_and_one_whose_account_is_closed_lose_what_is_to_come_by_a_worker(
    alice: User, transactions: list[tuple[int, int]]
) -> None:
    tournament, (one, other, *_others) = make_running_tournament(alice, 6, game=LIVE, **AT_ONCE)
    advance_all(tournament)
    services.expel(
        user=alice, tournament_id=tournament.public_id, username=one.username, reason="Enough.", now=NOW
    )
    closing.close(user=other, now=NOW)
    run_tasks(GENERAL)
    assert PairingGame.objects.filter(game_id=None).count() == 0
    transactions.clear()
    advance_all(tournament)
    check(transactions)
    gone = set(Entrant.objects.filter(user__in=[one, other]).values_list("pk", flat=True))
    for pairing in Pairing.objects.filter(bye="").prefetch_related("games"):
        if gone.intersection({pairing.first_id, pairing.second_id}):
            assert pairing.games.exclude(first_points=None).count() == 1
    version = fresh(tournament).version
    advance_all(tournament)
    assert fresh(tournament).version == version


def test_tables_change_when_a_worker_has_forfeited_games(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4, game=LIVE, **AT_ONCE)
    advance_all(tournament)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    before = fresh(tournament).version
    advance_all(tournament)
    assert fresh(tournament).version > before


def test_who_withdraws_before_a_round_that_is_on_hold_loses_it_at_once(alice: User) -> None:
    tournament, users = make_running_tournament(alice, 4, held_rounds=True)
    services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)
    advance_all(tournament)
    row = PairingGame.objects.select_related("pairing__first__user", "pairing__second__user").get()
    assert users[0] in {row.pairing.first.user, row.pairing.second and row.pairing.second.user}
    assert row.how == "forfeit"


def test_players_who_are_to_agree_on_a_time_are_told_a_few_at_a_time(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "MAX_TOLD", 2)
    monkeypatch.setattr(rounds, "MAX_TURNS", 3)
    told: list[int] = []
    tell = telling._tell  # noqa: SLF001 - what one transaction does

    def counted(*facts: Any) -> None:
        tell(*facts)
        told.append(Notice.objects.filter(kind="paired").count())

    monkeypatch.setattr(telling, "_tell", counted)
    tournament, users = make_running_tournament(alice, 10, game=LIVE, appointment_days=3)
    assert told[-1] < len(users)
    for _ in range(2):
        advance(tournament)
    assert [after - before for before, after in pairwise([0, *told])] == [4, 4, 2]
    assert Round.objects.get().told_at is not None


def test_a_worker_that_begins_to_tell_again_notifies_nobody_twice(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "MAX_TOLD", 2)
    tournament, users = make_running_tournament(alice, 6, game=LIVE, appointment_days=3)
    Round.objects.update(told_at=None)
    advance(tournament)
    assert Notice.objects.filter(kind="paired").count() == len(users)
    assert Round.objects.get().told_at is not None


def test_who_has_to_be_told_by_a_director_who_releases_a_round_is_told_by_a_worker(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "MAX_TOLD", 2)
    wanted: dict[str, Any] = {"game": LIVE, "appointment_days": 3, "held_rounds": True}
    tournament, users = make_running_tournament(alice, 6, **wanted)
    services.release(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert not Notice.objects.filter(kind="paired").exists()
    advance(tournament)
    assert Notice.objects.filter(kind="paired").count() == len(users)


def adjourn(row: PairingGame, by: User, tournament: Tournament, until: Any) -> None:
    with clock.stopped(NOW):
        services.adjourn(
            user=by,
            tournament_id=tournament.public_id,
            number=row.pairing.round.number,
            table=row.pairing.table,
            until=until,
            reason="The hall closes.",
            now=NOW,
        )


def busy_twice(tournament: Tournament) -> list[User]:
    """Who has two live games at once."""
    players = [user for row in open_rows(tournament) for user in opponents(row)]
    return [user for user in set(players) if players.count(user) > 1]


@pytest.fixture
def hall(alice: User) -> tuple[Tournament, PairingGame]:
    """A live round robin of three, all rounds at once, and its only game in progress."""
    tournament, _users = make_running_tournament(alice, 3, game=LIVE, **AT_ONCE)
    advance_all(tournament)
    (row,) = open_rows(tournament)
    return tournament, row


def test_no_live_game_begins_shortly_before_an_adjourned_one_of_a_player_goes_on(
    alice: User, hall: tuple[Tournament, PairingGame]
) -> None:
    tournament, row = hall
    arrive(*opponents(row))
    adjourn(row, alice, tournament, NOW + 2 * MINUTE)
    for minutes in range(4):
        advance(tournament, now=NOW + minutes * MINUTE)
        assert not busy_twice(tournament)


def test_no_live_game_begins_while_an_adjourned_one_of_a_player_goes_on_again(
    alice: User, hall: tuple[Tournament, PairingGame]
) -> None:
    tournament, row = hall
    adjourn(row, alice, tournament, NOW + NOTICE)
    later = NOW + NOTICE + MINUTE
    advance(tournament, now=later)
    assert not busy_twice(tournament)
    play_out(row.game_id or "", winner=None, now=later)
    advance(tournament, now=later)
    assert len(open_rows(tournament)) == 1


def test_a_game_that_is_adjourned_for_long_lets_its_players_play_on(
    alice: User, hall: tuple[Tournament, PairingGame]
) -> None:
    tournament, row = hall
    adjourn(row, alice, tournament, NOW + NOTICE)
    advance(tournament)
    assert len(open_rows(tournament)) == 2


def test_tournaments_of_a_thousand_games_leave_workers_time_for_others(
    alice: User, transactions: list[tuple[int, int]]
) -> None:
    tournament = make_tournament(alice, max_players=16, **AT_ONCE)
    for number in range(16):
        services.enter(user=make_user(f"n-{number}"), tournament_id=tournament.public_id, now=NOW)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    assert len(transactions) <= rounds.MAX_TURNS
    assert fresh(tournament).due_at == NOW  # the rest is for the next time


@pytest.mark.parametrize("began", [None, 0], ids=["held by another", "begun by another"])
def test_a_worker_whose_games_another_one_begins_leaves_the_rest_due(
    alice: User, monkeypatch: pytest.MonkeyPatch, began: int | None
) -> None:
    """Nobody would wake the tournament: beginning games doesn't count its version up."""
    tournament = make_tournament(alice, format="round-robin", game=MAIN, **AT_ONCE)
    enter_players(tournament, 8)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    while not PairingGame.objects.exists():
        jobs.advance_due(NOW)
    with monkeypatch.context() as patched:
        patched.setattr(rounds, "_begin_if_free", lambda *_facts, **_further: began)
        for _ in range(3):
            jobs.advance_due(NOW)
    due_at = fresh(tournament).due_at
    assert due_at is not None
    assert due_at <= NOW + timedelta(seconds=1)
    advance_all_from(tournament, due_at)
    assert PairingGame.objects.count() == 8 * 7


def test_a_round_that_was_not_told_before_the_next_was_made_is_told(alice: User) -> None:
    tournament, _users = make_running_tournament(
        alice, 24, format="round-robin", game=LIVE, appointment_days=5, **AT_ONCE
    )
    advance_all(tournament)
    told = Notice.objects.count()
    Round.objects.filter(number=1).update(told_at=None)
    Notice.objects.all().delete()
    Tournament.objects.update(due_at=NOW)
    advance_all(tournament)
    assert not Round.objects.filter(told_at=None).exists()
    assert 0 < Notice.objects.count() < told


def test_the_places_of_a_field_are_stored_row_by_row_and_not_by_one_long_statement(alice: User) -> None:
    tournament, _users = make_running_tournament(alice, 4, options={"at_once": True})
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    with CaptureQueriesContext(connection) as asked:
        advance_all(tournament)
    assert fresh(tournament).status == "finished"
    stored = [query["sql"] for query in asked if query["sql"].startswith("UPDATE")]
    assert not any("CASE" in sql for sql in stored if "competitions_entrant" in sql)
    assert set(Entrant.objects.values_list("place", "points")) == {(1, 3)}
