"""Who of a live game is away, and since when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Max

from crownhead.server.live.selectors import last_heard, listening_since
from crownhead.server.play.choices import StaffVerb
from crownhead.server.play.clocks import timing
from crownhead.server.play.clocks.time_control import Pace
from crownhead.server.play.models import Absence, Game, OutageRow, Seat, StaffAction, Status
from crownhead.server.play.outages import selectors as outages

CLAIM_AFTER = timedelta(seconds=60)  # of absence: then the opponent may claim the game
_LATELY = timedelta(days=1)  # longer than live games last
_MOST = 1000


def absences(game: Game, now: datetime) -> Mapping[Seat, datetime]:
    """Since when players of a live game in progress have been away, by their seats.

    Time in which there was no such game, or it was adjourned, or the club could not hear them come back, does
    not count. Who was heard since they left is not away, though that may not be stored yet.
    """
    if not _may_be_abandoned(game):
        return {}
    players = {Seat.FIRST: game.first_player_id, Seat.SECOND: game.second_player_id}
    assert game.started_at is not None
    rows = Absence.objects.filter(user__in=players.values(), since__gt=game.started_at - _LATELY)
    left = dict(rows.values_list("user_id", "since"))
    away = {
        seat: left[user_id]
        for seat, user_id in players.items()
        if user_id in left and not _was_heard(user_id, left[user_id])
    }
    if not away or not outages.is_over(now):
        return {}
    heard = _Unheard.of([game], min(away.values()))
    return {seat: heard.counts_from(game, since) for seat, since in away.items()}


def claims(games: Iterable[Game], since: datetime) -> list[tuple[Game, datetime]]:
    """When the opponents of somebody who has left may claim games, where they may, as things stand."""
    found = [game for game in games if _may_be_abandoned(game)]
    heard = _Unheard.of(found, since)
    return [(game, heard.counts_from(game, since) + CLAIM_AFTER) for game in found]


def is_away(user_id: int, now: datetime) -> bool:
    """Whether somebody has left the club during a live game, and was not heard since."""
    rows = Absence.objects.filter(user=user_id, since__gt=now - _LATELY)
    since = rows.values_list("since", flat=True).first()
    return since is not None and not _was_heard(user_id, since)


def absent_lately(now: datetime) -> Mapping[int, datetime]:
    """Everybody who has left during a live game within a day, and since when; of very many the latest."""
    lately = Absence.objects.filter(since__gt=now - _LATELY).order_by("-since")
    return dict(lately.values_list("user_id", "since")[:_MOST])


def _was_heard(user_id: int, since: datetime) -> bool:
    heard = last_heard(user_id)
    return heard is not None and heard > since


def _may_be_abandoned(game: Game) -> bool:
    """Whether to be away from a game may lose it: the beginning of a contest's games has its no-shows."""
    if game.status != Status.PLAYING or game.pace != Pace.LIVE:
        return False
    return not game.contest_kind or not timing.lacks_first_moves(game)


@dataclass(frozen=True, slots=True)
class _Unheard:
    """What of an absence does not count: until when nobody could play, and games that were adjourned once.

    The adjournments of earlier turns are not kept, only that there were some.
    """

    until: datetime | None
    adjourned: frozenset[int]

    @classmethod
    def of(cls, games: Iterable[Game], since: datetime) -> _Unheard:
        """Of games and somebody who left then."""
        over = OutageRow.objects.filter(ends_at__gt=since).aggregate(last=Max("ends_at"))["last"]
        actions = StaffAction.objects.filter(game__in=games, verb=StaffVerb.ADJOURNED)
        return cls(over, frozenset(actions.values_list("game_id", flat=True)))

    def counts_from(self, game: Game, since: datetime) -> datetime:
        """Since when the absence counts: while a game is adjourned, from its end."""
        turn = game.turn_since if game.pk in self.adjourned else None
        pauses = (ends for _begins, ends in timing.adjournments(game))
        moments = (since, game.started_at, listening_since(), self.until, turn, *pauses)
        return max(filter(None, moments))


def until_claim(since: datetime, now: datetime) -> timedelta:
    """How long until the opponent may claim the game; nothing or less: now."""
    return since + CLAIM_AFTER - now
