"""A game counts: the ratings of its two players change in the game's own transaction, once."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from crownhead.contest.glicko2 import Rating
from crownhead.server.ratings.models import Change, PlayerRating
from crownhead.server.ratings.selectors.strength import (
    HALF_POINTS,
    SCORES,
    Strength,
    after,
    strength_of,
)


def count_game(
    *,
    game_id: str,
    variant: str,
    first_id: int,
    second_id: int,
    half_points: tuple[int, int],
    now: datetime,
    live: bool = False,
    on_time: bool = False,
) -> None:
    """Let a game change the ratings of its two players; counted again, it changes nothing.

    ``live``: it was played by a live clock; ``on_time``: it ended because time ran out.
    """
    with transaction.atomic():
        rows = lock_ratings(variant, first_id, second_id)
        if Change.objects.filter(game_id=game_id).exists():
            return
        first, second = rows[first_id], rows[second_id]
        made = [
            _change(game_id, mine, other, points, now)
            for mine, other, points in ((first, second, half_points[0]), (second, first, half_points[1]))
        ]
        for change in made:
            change.live, change.on_time = live, on_time
        Change.objects.bulk_create(made)
        for row, change in zip((first, second), made, strict=True):
            _apply(row, change)


def lock_ratings(variant: str, *user_ids: int) -> dict[int, PlayerRating]:
    """The rows of some players by their keys, made where there are none, held until the transaction ends.

    They are taken in the order of the keys, so that no two transactions wait for each other.
    """
    rows, wanted = _rows(variant, *user_ids), set(user_ids)
    while True:
        if missing := wanted - set(rows.values_list("user_id", flat=True)):
            PlayerRating.objects.bulk_create(
                [_unrated(user_id, variant) for user_id in sorted(missing)], ignore_conflicts=True
            )
        locked = {row.user_id: row for row in rows.select_related("user").select_for_update(of=("self",))}
        if locked.keys() == wanted:  # else one was deleted meanwhile: its only game was annulled
            return locked


def compute_change(change: Change, mine: Strength, other: Strength) -> None:
    """Work a change out from what both had."""
    opponent, had = other.by(change.at), mine.rating
    new = mine.after(other, HALF_POINTS[change.score], change.at).rating
    change.previous_at = mine.at
    change.value_before, change.deviation_before, change.volatility_before = _numbers(had)
    change.opponent_value, change.opponent_deviation = opponent.value, opponent.deviation
    change.value, change.deviation, change.volatility = _numbers(new)


def set_strength(row: PlayerRating, strength: Strength) -> None:
    """Let a row say it; whose account is closed or suspended gets no place on the leaderboard."""
    row.value, row.deviation, row.volatility = _numbers(strength.rating)
    row.points, row.updated_at = strength.points, strength.at
    until = strength.listed_until()
    row.listed_until = until if until is not None and row.user.is_active else None


def _numbers(rating: Rating) -> tuple[float, float, float]:
    return rating.value, rating.deviation, rating.volatility


def _rows(variant: str, *user_ids: int) -> QuerySet[PlayerRating]:
    return PlayerRating.objects.filter(variant=variant, user_id__in=user_ids).order_by("user_id")


def _unrated(user_id: int, variant: str) -> PlayerRating:
    row = PlayerRating(user_id=user_id, variant=variant)
    set_strength(row, Strength())
    return row


def _change(game_id: str, mine: PlayerRating, other: PlayerRating, half_points: int, now: datetime) -> Change:
    change = Change(
        game_id=game_id,
        variant=mine.variant,
        user_id=mine.user_id,
        opponent_id=other.user_id,
        score=SCORES[half_points],
        at=now,
    )
    compute_change(change, strength_of(mine), strength_of(other))
    return change


def _apply(row: PlayerRating, change: Change) -> None:
    set_strength(row, after(change))
    row.games += 1
    setattr(row, change.score, getattr(row, change.score) + 1)
    if not after(change).rating.provisional:
        row.peak = row.points if row.peak is None else max(row.peak, row.points)
    row.save()
