"""How much a player has played lately: finished games in each of the last weeks."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from django.db.models import Count, Q, QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.people.selectors.sums import kept
from crownhead.server.play.choices import Status
from crownhead.server.play.selectors import Games, PreparedOfPublicGames, Viewer

WEEKS = 13  # a quarter
_WEEK = timedelta(weeks=1)


def games_by_week(person: User, *, viewer: Viewer, now: datetime) -> list[int]:
    """The numbers of games that ended in each of the last weeks, the last one up to now; oldest first.

    Read by both seats, from indexes that are in the order of the ends; annulled games do not count.
    """
    begins = {f"begin_{number}": now - (WEEKS - number) * _WEEK for number in range(WEEKS)}

    def rows() -> list[tuple[int, ...]]:
        seats = (counts.rows(viewer=viewer, person=person.pk, now=now, **begins) for counts in _COUNTS)
        return list(chain.from_iterable(seats))

    by_seat = kept("weeks", viewer, rows, players=(person,))
    return [sum(numbers) for numbers in zip(*by_seat, strict=True)] if by_seat else [0] * WEEKS


def _counts(seat: str) -> PreparedOfPublicGames[tuple[int, ...]]:
    """One row with the number of each week, or none where there is no game."""

    def build(games: Games, *, person: int, now: datetime, **begins: datetime) -> QuerySet[Any, Any]:
        ends = [*list(begins.values())[1:], now]
        rows: QuerySet[Any, Any] = games.filter(
            **{f"{seat}_player": person},
            status=Status.FINISHED,
            annulled=False,
            ended_at__gt=begins["begin_0"],
        )
        sums = {
            f"week_{number}": Count("pk", filter=Q(ended_at__gt=begin, ended_at__lte=end))
            for number, (begin, end) in enumerate(zip(begins.values(), ends, strict=True))
        }
        counted: QuerySet[Any, Any] = (
            rows.order_by().values(f"{seat}_player").annotate(**sums).values_list(*sums)
        )
        return counted

    times = dict.fromkeys((f"begin_{number}" for number in range(WEEKS)), datetime)
    return PreparedOfPublicGames(build, person=int, now=datetime, **times)


_COUNTS = (_counts("first"), _counts("second"))
