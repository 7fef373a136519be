"""Who gained rating points from whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q, Sum

from crownhead.server.ratings.models import Change, Score


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """What one player gained in games with another, over all variants, and the public ids of the games."""

    winner_id: int
    winner: str
    loser_id: int
    loser: str
    games: int
    won: int
    points: int
    game_ids: tuple[str, ...]


def transfers(*, since: datetime, most: int) -> list[Transfer]:
    """The pairs in which one gained points from the other, the largest gains first."""
    pairs = ("user_id", "opponent_id", "user__username", "opponent__username")
    rows = Change.objects.filter(at__gte=since).values(*pairs)
    won = Count("id", filter=Q(score=Score.WON))
    gained = rows.annotate(games=Count("id"), won=won, points=Sum(F("value") - F("value_before")))
    found = list(gained.filter(points__gt=0).order_by("-points", "user_id", "opponent_id")[:most])
    ids = _games({(row["user_id"], row["opponent_id"]) for row in found}, since)
    return [
        Transfer(
            winner_id=row["user_id"],
            winner=row["user__username"],
            loser_id=row["opponent_id"],
            loser=row["opponent__username"],
            games=row["games"],
            won=row["won"],
            points=round(row["points"]),
            game_ids=tuple(ids[row["user_id"], row["opponent_id"]]),
        )
        for row in found
    ]


def _games(pairs: set[tuple[int, int]], since: datetime) -> dict[tuple[int, int], list[str]]:
    ids: dict[tuple[int, int], list[str]] = {pair: [] for pair in pairs}
    rows = Change.objects.filter(at__gte=since, user__in={winner for winner, _loser in pairs})
    for user_id, opponent_id, game_id in rows.values_list("user_id", "opponent_id", "game_id"):
        if (user_id, opponent_id) in ids:
            ids[user_id, opponent_id].append(game_id)
    return ids
