"""The tables of tournaments that are over are stored, and no two large ones push each other out of memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from crownhead.contest import Contest, formats
from crownhead.server.accounts.models import User
from crownhead.server.accounts.services.closing import close
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.access import publish_change
from crownhead.server.competitions.models import FinalTables, PairingGame, Tournament
from crownhead.server.competitions.presenters import rounds
from crownhead.server.competitions.selectors import final_tables, standings
from crownhead.server.competitions.selectors.standings import Some, standing_of
from crownhead.server.competitions.services.finish import store_missing_tables
from crownhead.server.core import clock
from tests.server.competitions.factories import end, fresh, make_running_tournament, open_rows, state
from tests.server.competitions.test_winners import play_all
from tests.server.play.factories import NOW, api_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    """Begin without the tables of the tests before."""
    standings.kept.clear()
    yield
    standings.kept.clear()


def not_to_be_computed(*_args: Any, **_kwargs: Any) -> Any:
    raise AssertionError("the tables were computed")


def page_of(tournament: Tournament) -> str:
    """The page as a guest gets it whose address is in no cache."""
    return Client().get(f"/tournaments/{tournament.public_id}/?x=1").content.decode()


FORMATS: list[tuple[str, dict[str, Any]]] = [
    ("round-robin", {}),
    ("swiss", {}),
    ("sections", {"options": {"section_size": 3}}),
    ("single-elimination", {}),
    ("double-elimination", {}),
]


@pytest.mark.parametrize(("key", "changes"), FORMATS, ids=[key for key, _changes in FORMATS])
def test_who_ends_a_tournament_stores_its_tables_and_its_page_is_the_same(
    alice: User, monkeypatch: pytest.MonkeyPatch, key: str, changes: dict[str, Any]
) -> None:
    tournament = play_all(make_running_tournament(alice, 6, format=key, **changes)[0])
    stored = final_tables.stored(tournament)
    assert stored is not None
    assert stored[0] == formats.standings(state(tournament))
    with monkeypatch.context() as patch:
        patch.setattr(standings, "computed", not_to_be_computed)
        shown = page_of(tournament)
    monkeypatch.setattr(standings.Standing, "without_pairings", lambda found, _tournament: found)
    FinalTables.objects.all().delete()
    standings.kept.clear()
    assert page_of(tournament) == shown


def test_tables_that_an_older_version_did_not_store_are_stored_by_a_job_and_by_no_reader(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = make_running_tournament(alice, 4)[0]
    assert store_missing_tables() == 0
    tournament = play_all(running)
    FinalTables.objects.all().delete()
    shown = page_of(tournament)
    assert not FinalTables.objects.exists()
    assert (store_missing_tables(), store_missing_tables()) == (1, 0)
    standings.kept.clear()
    monkeypatch.setattr(standings, "computed", not_to_be_computed)
    assert page_of(tournament) == shown
    assert api_of(alice).get(f"/tournaments/{tournament.public_id}/tables").json()[0]["rows"]


def test_a_result_that_is_changed_afterwards_is_in_the_tables(alice: User) -> None:
    tournament = play_all(make_running_tournament(alice, 4)[0])
    before = standing_of(tournament).tables
    PairingGame.objects.update(first_points=1, second_points=1)
    publish_change(fresh(tournament))
    after = standing_of(fresh(tournament)).tables
    assert before != after == formats.standings(state(tournament))
    assert store_missing_tables() == 1
    assert FinalTables.objects.get().version == fresh(tournament).version
    assert final_tables.stored(fresh(tournament)) == (after, 6)


def test_asking_people_after_the_end_leaves_the_tables_as_they_are_stored(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = make_running_tournament(alice, 4, format="swiss")[0]
    services.invite(user=alice, tournament_id=running.public_id, usernames=[bob.username], now=NOW)
    tournament = play_all(fresh(running))
    acts: dict[str, Any] = {"user": alice, "tournament_id": tournament.public_id, "now": NOW}
    services.withdraw_invitation(username=bob.username, **acts)
    services.set_directors(usernames=[bob.username], **acts)
    last = fresh(tournament).version
    services.set_directors(usernames=[bob.username], **acts)  # which changes nothing
    assert fresh(tournament).version == last > tournament.version
    monkeypatch.setattr(standings, "computed", not_to_be_computed)
    assert final_tables.stored(fresh(tournament)) is not None
    assert page_of(fresh(tournament))


def test_tables_in_another_form_are_computed_again(alice: User) -> None:
    tournament = play_all(make_running_tournament(alice, 4)[0])
    FinalTables.objects.update(form=0)
    assert standing_of(tournament).tables == formats.standings(state(tournament))
    assert store_missing_tables() == 1
    assert FinalTables.objects.get().form == final_tables.FORM


def test_a_name_that_is_gone_is_no_longer_in_tables_that_are_over(alice: User) -> None:
    tournament, (one, *_others) = make_running_tournament(alice, 4)
    tournament = play_all(tournament)
    assert one.username in standing_of(tournament).names.values()
    close(user=one, now=NOW)
    with clock.stopped(NOW + timedelta(minutes=2)):
        assert one.username not in standing_of(fresh(tournament)).names.values()


def test_what_a_finished_tournament_asks_for_does_not_grow_with_its_games(alice: User) -> None:
    tournament = play_all(make_running_tournament(alice, 16, format="round-robin", max_players=16)[0])
    with CaptureQueriesContext(connection) as asked:
        page_of(tournament)
    tables = [query["sql"] for query in asked if "competitions_pairing" in query["sql"]]
    assert tables == []  # too many players for a cross table, so none of 120 games is read


def test_two_large_tournaments_do_not_push_each_other_out(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _users = make_running_tournament(alice, 4)
    found = cast("Any", SimpleNamespace(weight=standings.MAX_PAIRINGS))
    read: list[str] = []

    def compute(tournament: Tournament) -> Any:
        read.append(tournament.public_id)
        until = clock.now() + timedelta(seconds=80)
        return standings._Kept(found, tournament.status, 0, standings.SMALL + 1, until, until)  # noqa: SLF001

    monkeypatch.setattr(standings, "_read", compute)
    second = Tournament(public_id="other", status=first.status)
    for _time in range(3):
        standing_of(first)
        standing_of(second)
    assert read == [first.public_id, "other"]
    with clock.stopped(clock.now() + timedelta(seconds=90)):
        standing_of(Tournament(public_id="third", status=first.status))
    assert list(standings.kept) == ["third"]


def test_only_the_tables_of_a_large_tournament_are_kept(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, _users = make_running_tournament(alice, 6)
    whole = page_of(tournament)
    end(PairingGame.objects.all()[0].game_id or "", winner=None, by=alice)
    after = page_of(tournament)
    assert whole != after
    monkeypatch.setattr(standings, "SMALL", 1)
    standings.kept.clear()
    assert page_of(tournament) == after
    found = standing_of(fresh(tournament))
    assert size(found.contest) == 0
    assert [size(part.contest) for part in found.parts.values()] == [3]
    assert len(found.running) == 2


def size(contest: Contest) -> int:
    return sum(len(made.pairings) for made in contest.rounds)


def test_a_tournament_is_read_by_one_thread_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    read, begun, may_end = [], Event(), Event()

    def compute(tournament: Any) -> Any:
        read.append(tournament.version)
        begun.set()
        assert may_end.wait(10)
        found = cast("Any", SimpleNamespace(weight=1))
        until, ends = clock.now(), clock.now() + timedelta(minutes=1)
        large = standings.SMALL + 1
        return standings._Kept(found, "running", tournament.version, large, until, ends)  # noqa: SLF001

    monkeypatch.setattr(standings, "_read", compute)
    answers: list[Any] = []

    def ask(version: int) -> None:
        answers.append(standing_of(Tournament(public_id="a", status="running", version=version)))

    threads = [Thread(target=ask, args=(1,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert begun.wait(10)
    may_end.set()
    for thread in threads:
        thread.join(10)
    assert read == [1]
    assert len(answers) == 4
    may_end.clear()
    begun.clear()
    late = Thread(target=ask, args=(2,))
    late.start()
    assert begun.wait(10)
    ask(2)  # another thread reads the new one: this is the one before
    assert answers[-1] is answers[0]
    may_end.set()
    late.join(10)
    assert read == [1, 2]


def test_a_round_that_was_made_since_the_tables_were_read_waits_for_the_next_reading(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large tournament the tables are seconds old, and its pairings are read when they are shown."""
    monkeypatch.setattr(standings, "SMALL", 1)
    tournament, _users = make_running_tournament(alice, 6, format="swiss")
    before = standing_of(fresh(tournament))
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    jobs.advance_due(NOW)
    assert fresh(tournament).rounds_made == 2

    shown = before.showing(Some(players=frozenset(before.users)))

    assert [made.number for made in shown.contest.rounds] == [1]
    assert len(shown.contest.rounds[0].pairings) == 3
    assert set(before.sizes) == {(1, 0)}


def test_a_bracket_that_is_over_says_that_its_first_rounds_are_not_drawn(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MAX_DRAWN", 2)
    tournament = play_all(make_running_tournament(alice, 8, format="single-elimination")[0])
    assert final_tables.stored(tournament) is not None
    (bracket,) = rounds.brackets(standing_of(tournament), None)
    assert bracket.left_out
    assert [made.number for made in bracket.rounds] == [2, 3]
