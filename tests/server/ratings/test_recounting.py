"""Every rating follows from the results, also when a game is annulled long after."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import count, islice
from typing import Any

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from crownhead.contest import glicko2
from crownhead.server.accounts.models import User
from crownhead.server.core.jobs import jobs
from crownhead.server.play.staff.services import annul
from crownhead.server.ratings.models import Change, PlayerRating, TakenBack
from crownhead.server.ratings.services import counting, recalculate, recounting, result_sequence
from crownhead.server.ratings.services.result_sequence import ResultSequence
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW
from tests.server.ratings.factories import make_rated_game

CAST = 6
_POINTS = {"1-0": (2, 0), "½": (1, 1), "0-1": (0, 2)}

HOW = st.sampled_from(["at once", "all in the last part", "part by part", "by recalculating"])

Meeting = tuple[int, int, str, int]  # who, against whom, result, hours since the game before


def _meetings() -> st.SearchStrategy[list[Meeting]]:
    pair = st.tuples(st.integers(0, CAST - 1), st.integers(0, CAST - 1)).filter(lambda two: two[0] != two[1])
    one = st.tuples(pair, st.sampled_from(sorted(_POINTS)), st.integers(0, 3000)).map(
        lambda parts: (*parts[0], parts[1], parts[2])
    )
    return st.lists(one, min_size=1, max_size=20)


def _model(meetings: list[Meeting], gone: set[int]) -> dict[int, glicko2.Rating]:
    """Glicko-2 on paper: the games in order, without those taken back."""
    known: dict[int, tuple[glicko2.Rating, float]] = {}
    hours = 0.0
    for number, (one, two, result, later) in enumerate(meetings):
        hours += later
        if number in gone:
            continue
        had = [known.get(who, (glicko2.Rating(), hours)) for who in (one, two)]
        waits = [(hours - since) / 24 / glicko2.PERIOD_DAYS for _, since in had]
        for who, mine, other in ((one, 0, 1), (two, 1, 0)):
            new = glicko2.after_game(
                had[mine][0],
                had[other][0],
                _POINTS[result][mine],
                periods=waits[mine],
                opponent_periods=waits[other],
            )
            known[who] = (new, hours)
    return {who: rating for who, (rating, _) in known.items()}


class _KilledError(BaseException):
    """Nothing that anybody would catch."""


class _Club(TestCase):
    def setUp(self) -> None:
        self.cast = [make_user(f"player{number}") for number in range(CAST)]

    def _counted_one_by_one(self, meetings: list[Meeting]) -> Iterator[int]:
        """Each game is counted when its number is asked for."""
        now, self.counted = NOW, 0
        for number, (one, two, result, later) in enumerate(meetings):
            now += timedelta(hours=later)
            self._count(number, self.cast[one].pk, self.cast[two].pk, result, now)
            self.counted += 1
            yield number

    def _meanwhile(self, patch: pytest.MonkeyPatch, counted: Iterator[int], killed: int) -> None:
        """Count a game after each write of a recount, and let the worker die at one of them."""
        moments = count(1)
        outermost = len(connection.savepoint_ids)

        def interrupted(act: Any) -> Any:
            def do(*given: Any, **named: Any) -> Any:
                if next(moments) == killed:
                    raise _KilledError
                done = act(*given, **named)
                if len(connection.savepoint_ids) == outermost:  # else this is the last part
                    next(counted, None)
                return done

            return do

        for name in ("advance", "store"):
            patch.setattr(ResultSequence, name, interrupted(getattr(ResultSequence, name)))

    def _expect(self, keys: list[int], wanted: dict[int, glicko2.Rating]) -> None:
        rows = {row.user_id: row for row in PlayerRating.objects.all()}
        assert set(rows) == {keys[who] for who in wanted}
        for who, rating in wanted.items():
            row = rows[keys[who]]
            assert row.value == pytest.approx(rating.value, abs=1e-9)
            assert row.deviation == pytest.approx(rating.deviation, abs=1e-9)
        assert recalculate(variant="american") == 0

    def _count(self, number: int, first: int, second: int, result: str, now: datetime) -> None:
        counting.count_game(
            game_id=f"game{number}",
            variant="american",
            first_id=first,
            second_id=second,
            half_points=_POINTS[result],
            now=now,
        )

    def _take_back(self, number: int, first: int, second: int) -> None:
        for _ in range(2):
            recounting.take_back(game_id=f"game{number}", first_id=first, second_id=second)


class TestEveryRatingFollowsFromTheResults(_Club):
    """Against a model on paper, with games taken back in any order."""

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(meetings=_meetings(), gone=st.sets(st.integers(0, 19), max_size=5), how=HOW)
    def test_taking_games_back_is_as_if_they_had_never_been_played(
        self, meetings: list[Meeting], gone: set[int], how: str
    ) -> None:
        keys = [user.pk for user in self.cast]
        assert len(list(self._counted_one_by_one(meetings))) == len(meetings)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(recounting, "AT_ONCE", 1000 if how == "at once" else -1)
            patch.setattr(result_sequence, "_CHUNK", 3)
            for number in sorted(gone, reverse=how == "at once"):
                if number < len(meetings):
                    one, two, *_ = meetings[number]
                    self._take_back(number, keys[one], keys[two])
            if how == "by recalculating":
                recalculate(variant="american")
            if how == "all in the last part":
                patch.setattr(recounting, "_ROUNDS", 0)
            recounting.recount_waiting(now=NOW)
        self._expect(keys, _model(meetings, gone))


class TestARecountIsAsIfNobodyHadPlayedMeanwhile(_Club):
    """Against the same model."""

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        meetings=_meetings(),
        gone=st.sets(st.integers(0, 9), min_size=1, max_size=3),
        before=st.integers(1, 20),
        killed=st.integers(1, 30),
        rounds=st.integers(0, 3),
    )
    def test_games_may_end_between_the_parts_of_a_recount_and_it_may_be_killed_in_any(
        self, meetings: list[Meeting], gone: set[int], before: int, killed: int, rounds: int
    ) -> None:
        """One more game counts whenever something is stored; ``before`` are there when it begins.

        ``killed``: at which of these moments the worker dies.
        """
        counted = self._counted_one_by_one(meetings)
        taken = gone & set(islice(counted, before))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(recounting, "AT_ONCE", -1)
            patch.setattr(recounting, "TAKEN_AT_ONCE", 2)
            patch.setattr(recounting, "_ROUNDS", rounds)
            patch.setattr(result_sequence, "_CHUNK", 3)
            patch.setattr(result_sequence, "_SUMMED", 5)
            for number in sorted(taken):
                self._take_back(number, *(self.cast[who].pk for who in meetings[number][:2]))
            with patch.context() as dying, suppress(_KilledError):
                self._meanwhile(dying, counted, killed)
                recounting.recount_waiting(now=NOW)
            next(counted, None)
            TakenBack.objects.update(claimed_until=None)
            self._meanwhile(patch, counted, 0)
            while recounting.recount_waiting(now=NOW):
                pass
        self._expect([user.pk for user in self.cast], _model(meetings[: self.counted], taken))


@pytest.fixture
def dora(django_user_model: type[User]) -> User:
    """Dora, of the staff."""
    return django_user_model.objects.create_superuser("dora", "dora@example.org", "a long passphrase")


def _annul(dora: User, game: Any) -> None:
    annul(staff=dora, game_id=game.public_id, reason="Played by a program.", now=NOW + 9 * DAY)


@pytest.mark.django_db
def test_a_game_that_staff_annul_counts_no_more(alice: User, bob: User, charlie: User, dora: User) -> None:
    wrong = make_rated_game(alice, bob)
    make_rated_game(bob, charlie, now=NOW + DAY)
    with_it = PlayerRating.objects.get(user=charlie).value
    _annul(dora, wrong)
    assert not PlayerRating.objects.filter(user=alice).exists()
    beginner = glicko2.after_game(glicko2.Rating(), glicko2.Rating(), 0)
    assert PlayerRating.objects.get(user=charlie).value == beginner.value != with_it
    assert PlayerRating.objects.get(user=bob).games == 1
    assert list(TakenBack.objects.values_list("game_id", "recounted")) == [(wrong.public_id, True)]


@pytest.mark.django_db
def test_a_long_recount_is_left_to_the_worker(
    alice: User, bob: User, charlie: User, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = make_rated_game(alice, bob)
    make_rated_game(bob, charlie)
    make_rated_game(charlie, bob)
    monkeypatch.setattr(recounting, "AT_ONCE", 1)
    _annul(dora, wrong)
    assert Change.objects.filter(game_id=wrong.public_id).count() == 2
    (job,) = (job for job in jobs() if job.name == "annulled games")
    job.run(NOW)
    assert not Change.objects.filter(game_id=wrong.public_id).exists()
    assert recalculate(variant="american") == 0


@pytest.mark.django_db
def test_a_worker_leaves_alone_what_another_has_taken_on_until_that_one_counts_as_dead(
    alice: User, bob: User, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = make_rated_game(alice, bob)
    make_rated_game(bob, alice)
    monkeypatch.setattr(recounting, "AT_ONCE", 0)
    _annul(dora, wrong)
    TakenBack.objects.update(claimed_until=NOW + timedelta(minutes=5))
    assert recounting.recount_waiting(now=NOW) == 0
    assert recounting.recount_waiting(now=NOW + timedelta(minutes=6)) == 1
    assert recounting.recount_waiting(now=NOW + timedelta(minutes=6)) == 0
    assert recalculate(variant="american") == 0


@pytest.mark.django_db
def test_a_recount_that_broke_off_is_done_again(
    alice: User, bob: User, charlie: User, dora: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [
        make_rated_game(alice, bob),
        *(make_rated_game(one, charlie) for one in (alice, bob, alice, bob)),
    ]
    monkeypatch.setattr(recounting, "AT_ONCE", 0)
    monkeypatch.setattr(result_sequence, "_CHUNK", 3)
    _annul(dora, games[0])
    later = NOW + timedelta(days=1)

    with monkeypatch.context() as broken:
        broken.setattr(recounting, "_finish", _killed)
        with pytest.raises(KeyboardInterrupt):
            recounting.recount_waiting(now=later)
    assert Change.objects.filter(game_id=games[0].public_id).exists()
    make_rated_game(charlie, alice, now=later)
    assert recounting.recount_waiting(now=later + timedelta(minutes=11)) == 1
    assert recalculate(variant="american") == 0
    assert PlayerRating.objects.get(user=alice).games == 3


@pytest.fixture
def crowd() -> list[User]:
    """Forty members who played each other in a circle, twice."""
    cast = [make_user(f"member{number}") for number in range(40)]
    for number in range(80):
        one, two = cast[number % 40], cast[(number + 1) % 40]
        counting.count_game(
            game_id=f"game{number}",
            variant="american",
            first_id=one.pk,
            second_id=two.pk,
            half_points=(2, 0),
            now=NOW + timedelta(minutes=number),
        )
    return cast


@pytest.mark.django_db
def test_no_transaction_of_a_recount_stores_the_ratings_of_many(
    crowd: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounting, "AT_ONCE", 0)
    monkeypatch.setattr(result_sequence, "_SUMMED", 20)
    recounting.take_back(game_id="game0", first_id=crowd[0].pk, second_id=crowd[1].pk)
    sizes: list[int] = []
    store = result_sequence.store_changes

    def measured(variant: str, user_ids: Collection[int]) -> int:
        sizes.append(len(user_ids))
        return store(variant, user_ids)

    for module in (result_sequence, recounting):
        monkeypatch.setattr(module, "store_changes", measured)
    assert recounting.recount_waiting(now=NOW + DAY) == 1
    assert sum(sizes) == len(crowd)
    assert max(sizes) <= 5
    assert sizes[-1] == 2  # at last those of the game itself, which is deleted in the same transaction
    assert recalculate(variant="american") == 0


@pytest.mark.django_db
def test_of_many_annulled_games_some_are_taken_back_together(
    crowd: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounting, "AT_ONCE", 0)
    monkeypatch.setattr(recounting, "TAKEN_AT_ONCE", 2)
    for number in range(3):
        first, second = crowd[number].pk, crowd[number + 1].pk
        recounting.take_back(game_id=f"game{number}", first_id=first, second_id=second)
    assert [recounting.recount_waiting(now=NOW + DAY) for _ in range(3)] == [2, 1, 0]
    assert recalculate(variant="american") == 0


@pytest.mark.django_db
def test_a_game_of_players_with_very_many_others_is_left_to_the_worker(
    crowd: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounting, "SUMMED_AT_ONCE", 7)
    for number in (79, 78):
        first, second = crowd[number % 40].pk, crowd[(number + 1) % 40].pk
        recounting.take_back(game_id=f"game{number}", first_id=first, second_id=second)
        assert TakenBack.objects.get(game_id=f"game{number}").recounted is False
    assert recounting.recount_waiting(now=NOW + DAY) == 2
    assert recalculate(variant="american") == 0


@pytest.mark.django_db
def test_a_worker_that_was_silent_for_long_leaves_the_rest_to_the_one_that_has_taken_over(
    crowd: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recounting, "AT_ONCE", 0)
    recounting.take_back(game_id="game0", first_id=crowd[0].pk, second_id=crowd[1].pk)
    advance, finished = ResultSequence.advance, []

    def silent(self: ResultSequence, **until: Any) -> bool:
        monkeypatch.setattr(ResultSequence, "advance", advance)
        going_on = advance(self, **until)
        TakenBack.objects.update(claimed_until=NOW)
        finished.append(recounting.recount_waiting(now=NOW + DAY))
        monkeypatch.setattr(ResultSequence, "store", _killed)
        return going_on

    monkeypatch.setattr(ResultSequence, "advance", silent)
    assert recounting.recount_waiting(now=NOW + DAY) == 0
    assert finished == [1]
    assert recalculate(variant="american") == 0


def _killed(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.django_db
def test_annulling_a_game_that_never_counted_changes_nothing(alice: User, bob: User, dora: User) -> None:
    make_rated_game(alice, bob)
    before = list(PlayerRating.objects.values())
    _annul(dora, make_rated_game(alice, bob, rated=False))
    assert list(PlayerRating.objects.values()) == before
    assert not TakenBack.objects.exists()


@pytest.mark.django_db
def test_a_recount_repairs_a_rating_that_was_tampered_with(alice: User, bob: User, charlie: User) -> None:
    make_rated_game(alice, bob)
    make_rated_game(charlie, bob)
    make_rated_game(alice, bob, variant="russian", rated=False)
    right = list(PlayerRating.objects.order_by("user_id").values())
    PlayerRating.objects.filter(user=alice).update(value=2400, points=2400)
    Change.objects.filter(user=bob).update(value=1)
    assert recalculate(variant="american") == 1
    assert list(PlayerRating.objects.order_by("user_id").values()) == right
    assert recalculate(variant="russian") == 0
