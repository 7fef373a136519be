"""Many games of the same few players end at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from functools import partial
from itertools import permutations

import pytest
from django.db import transaction

from crownhead.server.accounts.models import User
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.services import counting, recalculate, recounting, result_sequence
from tests.server.conftest import make_user
from tests.server.held_rows import PATIENCE, beside, needs_held_rows, until_somebody_waits
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file

__all__ = ["in_a_file"]

Move = Callable[[], None]


def _count(number: int, first: User, second: User, now: datetime = NOW) -> None:
    counting.count_game(
        game_id=f"game{number}",
        variant="american",
        first_id=first.pk,
        second_id=second.pk,
        half_points=((2, 0), (1, 1), (0, 2))[number % 3],
        now=now,
    )


def test_each_counts_once_and_the_ratings_follow_from_all(
    in_a_file: Move, alice: User, bob: User, charlie: User
) -> None:
    pairs = list(permutations((alice, bob, charlie), 2))
    in_a_file()
    acts = [partial(_count, number, *pair) for number, pair in enumerate(pairs)]
    at_once([*acts, *acts])
    assert Change.objects.count() == 2 * len(pairs)
    assert list(PlayerRating.objects.values_list("games", flat=True)) == [4, 4, 4]
    assert recalculate(variant="american") == 0


def test_games_may_be_taken_back_while_others_end(
    in_a_file: Move, alice: User, bob: User, charlie: User
) -> None:
    pairs = list(permutations((alice, bob, charlie), 2))
    for number, pair in enumerate(pairs):
        _count(number, *pair)
    in_a_file()
    back = [
        partial(recounting.take_back, game_id=f"game{number}", first_id=one.pk, second_id=two.pk)
        for number, (one, two) in enumerate(pairs[:3])
    ]
    more = [partial(_count, 10 + number, *pair) for number, pair in enumerate(pairs[:3])]
    at_once([*back, *more, *back])
    assert Change.objects.count() == 2 * len(pairs)
    assert recalculate(variant="american") == 0


def _take_back(number: int, first: User, second: User) -> None:
    recounting.take_back(game_id=f"game{number}", first_id=first.pk, second_id=second.pk)


def _hold(user: User) -> None:
    """Hold somebody's rating, which nobody else may hold."""
    PlayerRating.objects.select_for_update(nowait=True).get(user=user)


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_who_takes_a_game_back_holds_no_rating_while_waiting_for_one_before_it(
    alice: User, bob: User, charlie: User
) -> None:
    _count(0, bob, charlie)
    _count(1, charlie, alice)
    with beside(partial(_take_back, 0, bob, charlie)) as start, transaction.atomic():
        _hold(alice)
        start()
        until_somebody_waits()
        _count(2, alice, bob)
    assert set(Change.objects.values_list("game_id", flat=True)) == {"game1", "game2"}
    assert recalculate(variant="american") == 0


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_who_takes_a_game_back_lets_go_of_all_ratings_before_taking_more(
    alice: User, bob: User, charlie: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    _count(0, bob, charlie)
    hold, held, again, go_on = result_sequence.hold, list[set[int]](), threading.Event(), threading.Event()

    def noted(variant: str, user_ids: Collection[int]) -> None:
        held.append(set(user_ids))
        if len(held) > 1:
            again.set()
            assert go_on.wait(PATIENCE)
        hold(variant, user_ids)

    monkeypatch.setattr(result_sequence, "hold", noted)
    with beside(partial(_take_back, 0, bob, charlie)) as start:
        with transaction.atomic():
            _count(1, charlie, alice)
            start()
            until_somebody_waits()
        assert again.wait(PATIENCE)
        with transaction.atomic():
            _hold(bob)
            _hold(charlie)
        go_on.set()
    assert held == [{bob.pk, charlie.pk}, {alice.pk, bob.pk, charlie.pk}]
    assert recalculate(variant="american") == 0


@needs_held_rows
@pytest.mark.django_db(transaction=True)
def test_a_recount_passes_over_no_game_that_is_being_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    cast = [make_user(f"member{number}") for number in range(6)]
    long_ago = NOW - timedelta(hours=1)
    _count(0, cast[0], cast[1], long_ago)
    _count(1, cast[0], cast[2], long_ago)
    monkeypatch.setattr(recounting, "AT_ONCE", -1)
    _take_back(0, cast[0], cast[1])
    counted, go_on = threading.Event(), threading.Event()

    def slowly() -> None:
        with transaction.atomic():
            _count(2, cast[2], cast[3])
            counted.set()
            assert go_on.wait(PATIENCE)

    monkeypatch.setattr("crownhead.server.ratings.services.recounting.time.sleep", lambda _: go_on.set())
    with beside(slowly) as start:
        start()
        assert counted.wait(PATIENCE)
        _count(3, cast[4], cast[5], long_ago)  # as of somebody who closed their account then
        assert recounting.recount_waiting(now=NOW) == 1
        assert go_on.is_set()
    assert recalculate(variant="american") == 0
