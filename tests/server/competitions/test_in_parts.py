"""Of many players a worker tells a few in each transaction; pairings are stored and found without objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from django.db.models import Model
from django.db.models.signals import post_init

from crownhead.server.accounts.models import User
from crownhead.server.competitions import jobs, services
from crownhead.server.competitions.models import (
    Appointment,
    Entrant,
    Pairing,
    PairingGame,
    Round,
    Tournament,
    Trophy,
)
from crownhead.server.competitions.selectors import waiting
from crownhead.server.competitions.selectors.contest_rows import pairing_of
from crownhead.server.competitions.services import appointments, rounds, telling
from crownhead.server.core import clock
from crownhead.server.core.background.killed_tasks import repeat_killed
from crownhead.server.notices.models import Notice
from tests.server.competitions.factories import (
    LIVE,
    MAIN,
    advance,
    end,
    enter_players,
    fresh,
    invite_substitute,
    make_running_tournament,
    make_tournament,
    open_rows,
)
from tests.server.play.factories import NOW
from tests.server.tasks import kill_worker, run_tasks

pytestmark = pytest.mark.django_db

DAYS: dict[str, Any] = {"game": LIVE, "appointment_days": 5}
OVER = "The tournament Spring cup is over"


@contextmanager
def made_of(model: type[Model]) -> Iterator[list[Model]]:
    """The objects of a model that are made meanwhile, also of rows that are read."""
    made: list[Model] = []

    def note(instance: Model, **_facts: Any) -> None:
        made.append(instance)

    post_init.connect(note, sender=model)
    try:
        yield made
    finally:
        post_init.disconnect(note, sender=model)


def told(subject: str) -> list[str]:
    """Who was notified of something, the first first."""
    rows = Notice.objects.filter(subject=subject).order_by("pk")
    return list(rows.values_list("user__username", flat=True))


def all_but_over(host: User, **changes: Any) -> Tournament:
    """A round robin of five, of which all games but one are over."""
    tournament, _users = make_running_tournament(host, 5, options={"at_once": True}, **changes)
    while fresh(tournament).due_at == NOW:
        jobs.advance_due(NOW)
    for row in open_rows(tournament)[1:]:
        end(row.game_id or "", winner=None, by=host)
    return tournament


def end_last(tournament: Tournament) -> None:
    (row,) = open_rows(tournament)
    end(row.game_id or "", winner=None, by=tournament.host)


def told_by_turns(tournament: Tournament, count: Callable[[], int]) -> list[int]:
    """How many more there are after each turn of a worker that does something."""
    seen = [count()]
    while (fresh(tournament).due_at or NOW + timedelta(1)) <= NOW:
        rounds.advance_if_free(pk=tournament.pk, now=NOW)
        seen.append(count())
    return [after - before for before, after in pairwise(seen) if after > before]


def test_a_few_players_at_a_time_hear_that_it_is_over_the_best_first(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = all_but_over(alice, prizes=("Gold", "Silver", "Bronze"))
    monkeypatch.setattr(telling, "MAX_TOLD_OF_END", 2)
    monkeypatch.setattr(rounds, "MAX_TURNS", 1)
    end_last(tournament)

    assert told_by_turns(tournament, lambda: len(told(OVER))) == [2, 2, 1]
    places = Entrant.objects.order_by("place", "pk").values_list("user__username", flat=True)
    assert told(OVER) == list(places)
    assert Notice.objects.filter(kind="trophy").count() == Trophy.objects.count() > 0
    assert (fresh(tournament).due_at, fresh(tournament).told) == (None, 5)


def test_a_worker_that_is_killed_while_it_notifies_of_the_end_leaves_nobody_out(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = all_but_over(alice, prizes=("Gold",))
    monkeypatch.setattr(telling, "MAX_TOLD_OF_END", 2)
    monkeypatch.setattr(rounds, "MAX_TURNS", 1)
    end_last(tournament)
    jobs.advance_due(NOW)
    assert (fresh(tournament).status, len(told(OVER))) == ("finished", 2)

    def killed(*_facts: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(Tournament, "save", killed)  # after these were told
        with pytest.raises(SystemExit):
            rounds.advance_if_free(pk=tournament.pk, now=NOW)
    assert len(told(OVER)) == 2
    told_by_turns(tournament, lambda: 0)
    assert len(told(OVER)) == len({*told(OVER)}) == 5


def test_an_older_worker_beside_that_takes_an_end_for_done_leaves_nobody_out(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = all_but_over(alice)
    monkeypatch.setattr(telling, "MAX_TOLD_OF_END", 2)
    monkeypatch.setattr(rounds, "MAX_TURNS", 1)
    end_last(tournament)
    jobs.advance_due(NOW)
    Tournament.objects.update(due_at=None)  # as a version did that knows nothing of the others

    assert jobs.tell_of_ends(NOW + timedelta(days=2)) == 0
    assert jobs.tell_of_ends(NOW) == 1
    assert told_by_turns(tournament, lambda: len(told(OVER))) == [2, 1]
    assert jobs.tell_of_ends(NOW) == 0


def test_of_an_end_in_an_older_version_nobody_hears_twice(alice: User) -> None:
    tournament = all_but_over(alice)
    end_last(tournament)
    jobs.advance_due(NOW)
    Tournament.objects.update(told=0)  # it told all at once, and counted nobody
    assert jobs.tell_of_ends(NOW) == 0


def test_nobody_hears_the_names_of_very_many_who_share_the_first_place(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "MAX_NAMED", 2)
    monkeypatch.setattr(telling, "MAX_TOLD_OF_END", 4)
    tournament = make_tournament(alice)
    enter_players(tournament, 5)
    for entrant in Entrant.objects.order_by("pk"):
        Entrant.objects.filter(pk=entrant.pk).update(place=1 if entrant.user.username < "player-4" else 4)
    tournament = fresh(tournament)
    while not telling.tell_end(tournament):
        pass
    texts = dict(Notice.objects.filter(subject=OVER).values_list("user__username", "text"))
    first = dict.fromkeys(("player-1", "player-2", "player-3"), "You share first place.")
    assert texts == first | dict.fromkeys(("player-4", "player-5"), "")


def test_of_a_round_after_a_break_a_few_players_are_told_at_a_time(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament, users = make_running_tournament(alice, 7, format="swiss", game=LIVE, pause_minutes=5)
    monkeypatch.setattr(telling, "MAX_TOLD", 1)
    monkeypatch.setattr(rounds, "MAX_TURNS", 1)
    for row in open_rows(tournament):
        end(row.game_id or "", winner=None, by=alice)
    subject = "Round 2 of Spring cup is paired"

    assert told_by_turns(tournament, lambda: len(told(subject))) == [2, 2, 2, 1]
    assert {*told(subject)} == {user.username for user in users}
    assert Round.objects.get(number=2).told_at is not None


def test_who_hears_of_their_game_by_itself_or_has_left_is_not_read(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = make_tournament(alice, max_players=12)
    users = enter_players(tournament, 12)
    places = list(Entrant.objects.order_by("pk"))
    Tournament.objects.update(status="running", started_at=NOW, due_at=NOW, rounds_made=1)
    row = Round.objects.create(tournament=tournament, number=1, made_at=NOW, starts_at=NOW)
    for table, (first, second) in enumerate(zip(places[:4], places[4:8], strict=True), start=1):
        Pairing.objects.create(round=row, table=table, first=first, second=second)
    for table, first in enumerate(places[8:], start=5):
        Pairing.objects.create(round=row, table=table, first=first, bye="absent")
    Entrant.objects.filter(user=users[9]).update(left=0)
    monkeypatch.setattr(telling, "MAX_TOLD", 2)

    with made_of(Pairing) as read:
        while telling.tell_some(pk=tournament.pk, now=NOW):
            pass
    assert len(read) == 3
    byes = told("You have a bye in round 1 of Spring cup")
    assert byes == [users[8].username, *(user.username for user in users[10:])]


def test_a_round_of_many_pairings_is_stored_without_an_object_for_each(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MAX_TURNS", 1)
    tournament = make_tournament(alice, max_players=30, format="sections")
    enter_players(tournament, 30)
    services.start(user=alice, tournament_id=tournament.public_id, now=NOW)
    with made_of(Pairing) as made:
        while fresh(tournament).rounds_made == 0:
            rounds.advance_if_free(pk=tournament.pk, now=NOW)
    assert Pairing.objects.count() == 2 * 28 + 2 * 21
    assert made == []
    assert Round.objects.get().told_at == NOW


def many(host: User, count: int, *, dice: Random) -> Tournament:
    """A tournament with pairings of all kinds, with the games of theirs that may be."""
    tournament = make_tournament(host, game=MAIN)
    enter_players(tournament, 2)
    first, second = Entrant.objects.order_by("pk")
    row = Round.objects.create(tournament=tournament, number=1, made_at=NOW, starts_at=NOW)
    kinds = list(product((1, 2), ((0, 0, 0), (0, 0, 1), (0, 0, 2), (2, 0, 0), (2, 6, 0), (3, 4, 0))))
    for table in range(1, count + 1):
        planned, (wins, most, replays) = dice.choice(kinds)
        pairing = Pairing.objects.create(
            round=row,
            table=table,
            first=first,
            second=second,
            planned=planned,
            wins=wins,
            most=most,
            replays=replays,
        )
        PairingGame.objects.bulk_create(games_of(pairing, planned * dice.randrange(4), dice))
    Tournament.objects.update(status="running", started_at=NOW, due_at=NOW, rounds_made=1)
    return fresh(tournament)


def games_of(pairing: Pairing, count: int, dice: Random) -> Iterator[PairingGame]:
    usual = [(2, 0, "played"), (0, 2, "played"), (1, 1, "played"), (2, 0, "adjudicated")]
    seldom = [(None, None, "played"), (0, 0, "annulled"), (0, 2, "forfeit")]
    for number in range(1, count + 1):
        ours, theirs, how = dice.choice(usual if dice.random() < 0.9 else seldom)
        yield PairingGame(
            pairing=pairing,
            number=number,
            swapped=number % 2 == 0,
            game_id=f"{pairing.pk}-{number}",
            first_points=ours,
            second_points=theirs,
            how=how,
        )


def test_the_database_tells_which_matches_go_on_as_the_contest_does(alice: User) -> None:
    tournament = many(alice, 150, dice=Random(5))
    expected = {
        row.pk
        for row in Pairing.objects.all()
        if pairing_of(row, row.games.filter(replaced=False).order_by("number")).due()
    }
    with made_of(PairingGame) as read:
        found = waiting.due_pairings(tournament, NOW)
    assert set(found) == expected
    assert Pairing.objects.filter(pk__in=expected, games__isnull=False).exists()
    assert read == []


def test_matches_that_go_on_are_found_some_at_a_time_until_none_is_left(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = many(alice, 60, dice=Random(6))
    everything = waiting.due_pairings(tournament, NOW)
    monkeypatch.setattr(waiting, "MOST", 3)
    for query in waiting._DUE:  # noqa: SLF001 - they are written again, with that number
        monkeypatch.setattr(query, "_written", {})
    seen: list[int] = []
    while found := waiting.due_pairings(tournament, NOW):
        assert len(found) <= 2 * 3
        seen += found
        Pairing.objects.filter(pk__in=found).update(adjourned=True)  # as if they had begun
    assert sorted(seen) == sorted(everything)


def appointed_to_play_again(host: User, count: int) -> tuple[Tournament, Entrant]:
    """The place of a player with as many games that are to be played again at times that were agreed."""
    tournament, users = make_running_tournament(host, count + 1, options={"at_once": True}, **DAYS)
    while fresh(tournament).rounds_made < count:
        advance(tournament)
    place = Entrant.objects.get(user=users[0])
    for row in [*Pairing.objects.filter(first=place, bye=""), *Pairing.objects.filter(second=place)]:
        PairingGame.objects.create(
            pairing=row, number=1, swapped=False, game_id=f"game-{row.pk}", replaced=True
        )
        Appointment.objects.create(pairing=row, by=users[0], at=NOW + timedelta(days=2), made_at=NOW)
        Pairing.objects.filter(pk=row.pk).update(starts_at=NOW + timedelta(days=1))
    return tournament, place


def test_of_a_substitute_with_many_games_to_play_again_a_worker_tells_most(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appointments, "MAX_TOLD", 2)
    tournament, place = appointed_to_play_again(alice, 5)
    invite_substitute(tournament, place.user, bob)
    Notice.objects.all().delete()
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)

    of_start = Notice.objects.filter(subject__startswith="Your game in Spring cup starts on")
    assert of_start.filter(user=bob).count() == 2
    assert not Appointment.objects.exists()
    assert not Pairing.objects.exclude(starts_at=None).exists()
    run_tasks("default")
    assert of_start.filter(user=bob).count() == 5
    assert of_start.count() == 10


def test_a_worker_that_is_killed_while_it_tells_a_substitute_leaves_nobody_out_and_tells_nobody_twice(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appointments, "MAX_TOLD", 1)
    tournament, place = appointed_to_play_again(alice, 5)
    invite_substitute(tournament, place.user, bob)
    Notice.objects.all().delete()
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    kill_worker(monkeypatch, appointments, "awaited", turn=3)
    of_start = Notice.objects.filter(subject__startswith="Your game in Spring cup starts on")
    assert of_start.filter(user=bob).count() == 3

    now = clock.now()
    assert repeat_killed(now + timedelta(minutes=1)) == 0  # it may be at work still
    assert repeat_killed(now + timedelta(minutes=6)) == 1
    with clock.stopped(now + timedelta(minutes=6)):
        assert run_tasks("default") == 1
    assert of_start.filter(user=bob).count() == 5
    assert of_start.count() == 10


def test_a_time_on_which_a_substitute_agrees_before_the_worker_comes_is_not_told_as_another(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appointments, "MAX_TOLD", 0)
    tournament, place = appointed_to_play_again(alice, 3)
    invite_substitute(tournament, place.user, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    Notice.objects.all().delete()
    agreed = Pairing.objects.filter(bye="", games__isnull=False).first()
    assert agreed is not None
    Pairing.objects.filter(pk=agreed.pk).update(starts_at=NOW + timedelta(days=3))
    run_tasks("default")
    assert Notice.objects.filter(user=bob, subject__startswith="Your game").count() == 2


def test_nobody_hears_when_a_game_begins_against_somebody_who_has_left_before_the_worker_comes(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(appointments, "MAX_TOLD", 0)
    tournament, place = appointed_to_play_again(alice, 3)
    invite_substitute(tournament, place.user, bob)
    services.enter(user=bob, tournament_id=tournament.public_id, now=NOW)
    Notice.objects.all().delete()
    other = Entrant.objects.exclude(pk=place.pk).earliest("pk")
    Entrant.objects.filter(pk=other.pk).update(left=1)
    run_tasks("default")
    of_start = Notice.objects.filter(subject__startswith="Your game")
    assert of_start.filter(user=bob).count() == 2
    assert not of_start.filter(user=other.user).exists()


def test_a_substitute_asks_as_much_of_a_request_however_many_times_were_agreed(
    alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    tournament, users = make_running_tournament(alice, 12, options={"at_once": True}, **DAYS)
    while fresh(tournament).rounds_made < 11:
        advance(tournament)
    place = Entrant.objects.get(user=users[0])
    for row in [*Pairing.objects.filter(first=place), *Pairing.objects.filter(second=place)]:
        for entrant in (row.first, row.second):
            assert entrant is not None
            Appointment.objects.create(pairing=row, by=entrant.user, at=NOW + timedelta(days=2), made_at=NOW)
        Pairing.objects.filter(pk=row.pk).update(starts_at=NOW + timedelta(days=1))
    Entrant.objects.filter(pk=place.pk).update(user=bob)
    place.refresh_from_db()
    with django_assert_max_num_queries(8):
        void = appointments.begin_again(place, NOW + timedelta(hours=1))
    assert sorted(void) == sorted(user.pk for user in users[1:])
    assert {*Appointment.objects.values_list("by", "made_at")} == {
        (user.pk, NOW + timedelta(hours=1)) for user in users[1:]
    }
