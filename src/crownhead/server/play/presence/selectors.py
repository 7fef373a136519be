"""Who of a live game is away, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.models import Absence, Game, Seat, Status

CLAIM_AFTER = timedelta(seconds=60)  # of absence: then the opponent may claim the game


def absences(game: Game) -> Mapping[Seat, datetime]:
    """Since when players of a live game in progress have been away, by their seats."""
    if game.status != Status.PLAYING or game.pace != Pace.LIVE:
        return {}
    players = {Seat.FIRST: game.first_player_id, Seat.SECOND: game.second_player_id}
    since = dict(Absence.objects.filter(user__in=players.values()).values_list("user_id", "since"))
    return {seat: since[user_id] for seat, user_id in players.items() if user_id in since}


def until_claim(since: datetime, now: datetime) -> timedelta:
    """How long until the opponent may claim the game; nothing or less: now."""
    return since + CLAIM_AFTER - now
