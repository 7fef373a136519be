"""A player's history as pages and the API show it: hidden games keep their secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import F, Window
from django.db.models.functions import Mod, RowNumber

from crownhead.server.accounts.selectors import User
from crownhead.server.core.pagination import page
from crownhead.server.ratings import selectors
from crownhead.server.ratings.models import Change
from crownhead.server.ratings.presenters.charts import Moment
from crownhead.server.ratings.selectors.paces import RatedPace, at_pace

MAX_READ = 1000  # changes of one player that are gone through for a picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What a game has made of a rating."""

    before: int
    points: int

    @property
    def gain(self) -> int:
        """By how much the rating has gone up, or down."""
        return self.points - self.before

    @property
    def size(self) -> int:
        """The change without its sign."""
        return abs(self.gain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Changed):
    """A game and what it did; a hidden one shows neither ``opponent`` nor ``game_id`` to others."""

    at: datetime
    opponent: str
    game_id: str
    score: str
    deviation: int
    live: bool
    on_time: bool


def lines(
    person: User,
    variant: str,
    *,
    viewer: User | None,
    pace: RatedPace | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> tuple[list[Line], str | None]:
    """Some games that counted, the latest first, and the cursor of those before them."""
    rows = at_pace(selectors.history(person.pk, variant), pace)
    rows_page = page(rows, order=("-id",), cursor=cursor, limit=limit)
    return [_line(change, viewer) for change in rows_page.items], rows_page.next


class Span(StrEnum):
    """How far back a graph goes."""

    QUARTER = "quarter"
    YEAR = "year"

    def since(self, now: datetime) -> datetime:
        """The earliest moment that is shown."""
        return now - timedelta(days=91 if self is Span.QUARTER else 365)


def moments(
    user_id: int, variant: str, *, pace: RatedPace | None = None, since: datetime | None = None
) -> Sequence[Moment]:
    """The history of a rating, oldest first, at a pace or since a time if asked for.

    Of a long one there is the rating after every so many games, up to the last.
    """
    rows = at_pace(selectors.history(user_id, variant), pace).select_related(None)
    if since is not None:
        rows = rows.filter(at__gte=since)
    step = -(-rows.count() // MAX_READ)
    if step > 1:
        counted = rows.annotate(place=Window(RowNumber(), order_by=F("id").desc()))
        rows = counted.annotate(rest=Mod("place", step)).filter(rest=1)
    return [Moment(*fact) for fact in rows.values_list("at", "value", "deviation")][::-1]


def _line(change: Change, viewer: User | None) -> Line:
    secret = change.hidden and not (
        viewer is not None and (viewer.acts_as_staff or viewer.pk in {change.user_id, change.opponent_id})
    )
    return Line(
        at=change.at,
        opponent="" if secret else change.opponent.username,
        game_id="" if secret else change.game_id,
        score=change.score,
        before=round(change.value_before),
        points=round(change.value),
        deviation=round(change.deviation),
        live=change.live,
        on_time=change.on_time,
    )
