"""Every rating follows from the results, also when a game is annulled long after."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from crownhead.contest import glicko2
from crownhead.server.accounts.models import User
from crownhead.server.core.jobs import jobs
from crownhead.server.play.staff.services import annul
from crownhead.server.ratings.models import Change, PlayerRating, TakenBack
from crownhead.server.ratings.services import counting, recalculate, recounting, result_sequence
from tests.server.conftest import make_user
from tests.server.play.factories import DAY, NOW
from tests.server.ratings.factories import make_rated_game

CAST = 6
_POINTS = {"1-0": (2, 0), "½": (1, 1), "0-1": (0, 2)}

HOW = st.sampled_from(["at once", "soon after", "later, part by part", "by recalculating"])

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


class TestEveryRatingFollowsFromTheResults(TestCase):
    """Against a model on paper, with games taken back in any order."""

    def setUp(self) -> None:
        self.cast = [make_user(f"player{number}") for number in range(CAST)]

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(meetings=_meetings(), gone=st.sets(st.integers(0, 19), max_size=5), how=HOW)
    def test_taking_games_back_is_as_if_they_had_never_been_played(
        self, meetings: list[Meeting], gone: set[int], how: str
    ) -> None:
        keys = [user.pk for user in self.cast]
        now = NOW
        for number, (one, two, result, later) in enumerate(meetings):
            now += timedelta(hours=later)
            self._count(number, keys[one], keys[two], result, now)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(recounting, "AT_ONCE", 1000 if how == "at once" else -1)
            patch.setattr(result_sequence, "_CHUNK", 3)
            for number in sorted(gone, reverse=how == "at once"):
                if number < len(meetings):
                    one, two, *_ = meetings[number]
                    self._take_back(number, keys[one], keys[two])
            if how == "by recalculating":
                recalculate(variant="american")
            late = timedelta(days=9999) if how == "later, part by part" else timedelta(0)
            recounting.recount_waiting(now=NOW + late)
        wanted = _model(meetings, gone)
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
