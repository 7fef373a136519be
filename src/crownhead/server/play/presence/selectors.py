"""Who of a live game is away, and since when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from crownhead.server.live.selectors import last_heard, listening_since
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.models import Absence, Game, Seat, Status

CLAIM_AFTER = timedelta(seconds=60)  # of absence: then the opponent may claim the game
_LATELY = timedelta(days=1)  # longer than live games last
_MOST = 1000


def absences(game: Game) -> Mapping[Seat, datetime]:
    """Since when players of a live game in progress have been away, by their seats.

    Time in which there was no such game, or the club could not hear them come back, does not count. Who was
    heard since they left is not away, though that may not be stored yet.
    """
    if game.status != Status.PLAYING or game.pace != Pace.LIVE:
        return {}
    players = {Seat.FIRST: game.first_player_id, Seat.SECOND: game.second_player_id}
    left = dict(Absence.objects.filter(user__in=players.values()).values_list("user_id", "since"))
    return {
        seat: max(filter(None, (left[user_id], game.started_at, listening_since())))
        for seat, user_id in players.items()
        if user_id in left and not _was_heard(user_id, left[user_id])
    }


def absent_lately(now: datetime) -> Mapping[int, datetime]:
    """Everybody who has left during a live game within a day, and since when; of very many the latest."""
    lately = Absence.objects.filter(since__gt=now - _LATELY).order_by("-since")
    return dict(lately.values_list("user_id", "since")[:_MOST])


def _was_heard(user_id: int, since: datetime) -> bool:
    heard = last_heard(user_id)
    return heard is not None and heard > since


def until_claim(since: datetime, now: datetime) -> timedelta:
    """How long until the opponent may claim the game; nothing or less: now."""
    return since + CLAIM_AFTER - now
