"""Whether ratings follow from the games that were counted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from django.db import transaction
from django.db.models import Count

from crownhead.contest.glicko2 import Rating
from crownhead.server.core.background.checks import Finding
from crownhead.server.play.games.selectors import results
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.selectors import strength
from crownhead.server.ratings.selectors.strength import Strength
from crownhead.server.ratings.services import result_sequence

AT_ONCE = 500
_EQUAL = 1e-6  # numbers of another machine may differ in their last digits


def findings(repair: bool) -> Iterator[Finding]:
    """What does not follow, variant by variant and player by player."""
    yield from _not_counted()
    yield from _without_game()
    yield from _broken_sequences()
    yield from _other_ratings(repair=repair)


def _not_counted() -> Iterator[Finding]:
    for ids in results.rated_results():
        counted = set(Change.objects.filter(game_id__in=ids).values_list("game_id", flat=True))
        for game in [game for game in ids if game not in counted]:
            yield Finding(f"Game {game}: it is rated and over, but counts for no rating.")


def _without_game() -> Iterator[Finding]:
    pairs = Change.objects.order_by().values_list("game_id").annotate(count=Count("id"))
    rows = pairs.order_by("game_id").iterator(AT_ONCE)
    while part := [row for row, _ in zip(rows, range(AT_ONCE), strict=False)]:
        known = results.existing([game for game, _ in part])
        for game, count in part:
            if game not in known:
                yield Finding(f"Game {game}: it counts for ratings, but there is no such game.")
            elif count != 2:
                yield Finding(f"Game {game}: it changed the rating of {count} players instead of two.")


def _broken_sequences() -> Iterator[Finding]:
    rows = Change.objects.order_by("user", "variant", "id").iterator(AT_ONCE)
    for (user, variant), changes in groupby(rows, key=lambda change: (change.user_id, change.variant)):
        last = None
        for change in changes:
            if last is not None and strength.before(change) != strength.after(last):
                yield Finding(
                    f"Rating of player {user} in {variant}: game {change.game_id} does not begin where "
                    f"game {last.game_id} ended."
                )
            if not _follows(change):
                yield Finding(
                    f"Rating of player {user} in {variant}: game {change.game_id} gives another rating."
                )
            last = change


def _follows(change: Change) -> bool:
    """Whether what a game made of a rating follows from what is stored of it."""
    had = strength.before(change)
    opponent = Strength(Rating(change.opponent_value, change.opponent_deviation, 0.06), change.at)
    due = had.after(opponent, strength.half_points(change), change.at).rating
    return (
        abs(due.value - change.value) < _EQUAL
        and abs(due.deviation - change.deviation) < _EQUAL
        and abs(due.volatility - change.volatility) < _EQUAL
    )


def _other_ratings(*, repair: bool) -> Iterator[Finding]:
    for model in (Change, PlayerRating):  # a rating may lack its changes, and changes their rating
        pairs = model.objects.order_by("variant", "user").values_list("variant", "user").distinct()
        for variant, rows in groupby(pairs.iterator(AT_ONCE), key=lambda pair: pair[0]):
            users = (user for _, user in rows)
            while part := [user for user, _ in zip(users, range(AT_ONCE), strict=False)]:
                yield from _compared(variant, part, repair=repair)


def _compared(variant: str, users: list[int], *, repair: bool) -> Iterator[Finding]:
    with transaction.atomic():
        wrong = result_sequence.other_ratings(variant, users)
        if repair and wrong:
            result_sequence.hold(variant, wrong)
            result_sequence.store_changes(variant, wrong)
    for user in sorted(wrong):
        yield Finding(
            f"Rating of player {user} in {variant}: it is not what the counted games made of it.", repair
        )
