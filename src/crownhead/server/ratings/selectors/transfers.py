"""Who gained rating points, from whom, and by which games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Q, Sum

from crownhead.server.ratings.models import Change, Score

_GAINED = Sum(F("value") - F("value_before"))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """A rated game that a player won, by its public id, and the points it brought."""

    winner_id: int
    winner: str
    loser_id: int
    points: float
    game_id: str


def transfers(*, since: datetime, most: int) -> list[Transfer]:
    """The pairs in which one gained points from the other, the largest gains first."""
    pairs = ("user_id", "opponent_id", "user__username", "opponent__username")
    rows = Change.objects.filter(at__gte=since).values(*pairs)
    won = Count("id", filter=Q(score=Score.WON))
    gained = rows.annotate(games=Count("id"), won=won, points=_GAINED)
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


def wins_of_gainers(*, since: datetime, most: int) -> list[Win]:
    """All wins, in every variant, of the players with the largest gains in one variant.

    So losses in one variant hide no gains in another.
    """
    gained = Change.objects.filter(at__gte=since).values("user_id", "variant").annotate(points=_GAINED)
    largest = gained.filter(points__gt=0).order_by("-points", "user_id", "variant")[:most]
    gainers = {row["user_id"] for row in largest}
    won = Change.objects.filter(at__gte=since, user__in=gainers, score=Score.WON)
    rows = won.values_list("user_id", "user__username", "opponent_id", "value", "value_before", "game_id")
    return [
        Win(winner_id=winner_id, winner=winner, loser_id=loser_id, points=after - before, game_id=game_id)
        for winner_id, winner, loser_id, after, before, game_id in rows
    ]


def _games(pairs: set[tuple[int, int]], since: datetime) -> dict[tuple[int, int], list[str]]:
    ids: dict[tuple[int, int], list[str]] = {pair: [] for pair in pairs}
    rows = Change.objects.filter(at__gte=since, user__in={winner for winner, _loser in pairs})
    for user_id, opponent_id, game_id in rows.values_list("user_id", "opponent_id", "game_id"):
        if (user_id, opponent_id) in ids:
            ids[user_id, opponent_id].append(game_id)
    return ids
