"""Starting and seeding a large tournament holds up nobody: players are read before, and written in parts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from crownhead.server.accounts.models import User
from crownhead.server.competitions import access, jobs, services
from crownhead.server.competitions.models import Entrant, Round, Tournament
from crownhead.server.competitions.services import directing, rounds, starting
from crownhead.server.ratings.models import PlayerRating
from tests.server.competitions.factories import enter_players, fresh, make_tournament
from tests.server.conftest import make_user
from tests.server.play.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def entered(alice: User) -> tuple[Tournament, list[User]]:
    """A tournament of five who have won a game elsewhere since they entered it."""
    tournament = make_tournament(alice, format="swiss", options={"rounds": 3})
    users = enter_players(tournament, 5)
    PlayerRating.objects.bulk_create(
        PlayerRating(
            user=user,
            variant="american",
            value=1600 + number,
            deviation=60,
            volatility=0.06,
            points=1600 + number,
            games=20,
            won=20,
            updated_at=NOW,
        )
        for number, user in enumerate(users)
    )
    return tournament, users


def ratings_of(tournament: Tournament) -> list[int]:
    return list(Entrant.objects.filter(tournament=tournament).order_by("pk").values_list("rating", flat=True))


def test_starting_by_hand_writes_no_player(alice: User, entered: tuple[Tournament, list[User]]) -> None:
    tournament, _users = entered
    with CaptureQueriesContext(connection) as asked:
        services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    assert not [query for query in asked if query["sql"].startswith('UPDATE "competitions_entrant"')]
    assert fresh(tournament).status == "running"


def test_the_ratings_of_the_start_are_noted_in_parts_before_the_first_round(
    alice: User, entered: tuple[Tournament, list[User]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, _users = entered
    monkeypatch.setattr(starting, "MAX_NOTED", 2)
    seen: list[tuple[int, int]] = []
    lock = access.lock_tournament_if_free

    def noted(pk: int) -> Tournament | None:
        seen.append((sum(rating != 1500 for rating in ratings_of(tournament)), Round.objects.count()))
        return lock(pk)

    for module in (starting, rounds):
        monkeypatch.setattr(module, "lock_tournament_if_free", noted)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    assert seen[:4] == [(0, 0), (2, 0), (4, 0), (5, 0)]
    assert ratings_of(tournament) == [1600, 1601, 1602, 1603, 1604]
    assert Round.objects.count() == 1


def test_a_worker_that_finds_another_at_the_ratings_pairs_nobody(
    alice: User, entered: tuple[Tournament, list[User]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, _users = entered
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    with monkeypatch.context() as patch:
        patch.setattr(starting, "lock_tournament_if_free", lambda _pk: None)
        jobs.advance_due(NOW)
    assert not Round.objects.exists()
    jobs.advance_due(NOW)
    assert Round.objects.count() == 1


def test_ratings_do_not_change_once_the_first_round_is_made(
    alice: User, entered: tuple[Tournament, list[User]]
) -> None:
    tournament, _users = entered
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    jobs.advance_due(NOW)
    PlayerRating.objects.update(points=1900)
    Tournament.objects.update(due_at=NOW)
    jobs.advance_due(NOW)
    assert max(ratings_of(tournament)) == 1604


def seeds_of(tournament: Tournament) -> dict[str, int]:
    rows = Entrant.objects.filter(tournament=tournament)
    return dict(rows.values_list("user__username", "seed"))


@pytest.fixture
def at_the_lock(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Have something happen just before a director's act locks the tournament."""

    def begin(act: Callable[[], object]) -> None:
        lock = access.lock_tournament

        def locked(tournament_id: str) -> Tournament:
            act()
            return lock(tournament_id)

        monkeypatch.setattr(directing, "lock_tournament", locked)

    return begin


def test_seeding_reads_the_names_before_it_locks(
    alice: User,
    entered: tuple[Tournament, list[User]],
    at_the_lock: Callable[[Callable[[], object]], None],
) -> None:
    tournament, users = entered
    with CaptureQueriesContext(connection) as asked:
        at_the_lock(lambda: connection.queries_log.append({"sql": "locks", "time": "0"}))
        services.seed(user=alice, tournament_id=tournament.public_id, usernames=[users[2].username], now=NOW)
        statements = [query["sql"] for query in asked]
    held = statements[statements.index("locks") :]
    assert not [sql for sql in held if "competitions_entrant" in sql and "accounts_user" in sql]
    assert seeds_of(tournament)[users[2].username] == 1


def test_who_enters_or_leaves_just_before_is_seen_by_the_seeding(
    alice: User,
    entered: tuple[Tournament, list[User]],
    at_the_lock: Callable[[Callable[[], object]], None],
) -> None:
    tournament, users = entered
    late = make_user("late")

    def change() -> None:
        services.enter(user=late, tournament_id=tournament.public_id, now=NOW)
        services.withdraw(user=users[0], tournament_id=tournament.public_id, now=NOW)

    at_the_lock(change)
    names = ["late", users[1].username]
    services.seed(user=alice, tournament_id=tournament.public_id, usernames=names, now=NOW)
    seeds = seeds_of(tournament)
    assert (seeds["late"], seeds[users[1].username]) == (1, 2)
    assert users[0].username not in seeds
