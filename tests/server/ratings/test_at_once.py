"""Many games of the same few players end at the same moment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import permutations

from crownhead.server.accounts.models import User
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.services import counting, recalculate, recounting
from tests.server.play.factories import NOW
from tests.server.play.test_at_once import at_once, in_a_file

__all__ = ["in_a_file"]

Move = Callable[[], None]


def _count(number: int, first: User, second: User) -> None:
    counting.count_game(
        game_id=f"game{number}",
        variant="american",
        first_id=first.pk,
        second_id=second.pk,
        half_points=((2, 0), (1, 1), (0, 2))[number % 3],
        now=NOW,
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
