"""The API of ratings: a player's, their history, leaderboards, how they are spread."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema

from crownhead import VARIANTS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.api.auth import ANYONE, viewer
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound
from crownhead.server.play.api.games import CURSOR, LIMIT
from crownhead.server.ratings import selectors
from crownhead.server.ratings.models import Score
from crownhead.server.ratings.presenters import history as history_presenters
from crownhead.server.ratings.selectors import Rating, leaderboards
from crownhead.server.ratings.selectors.leaderboards import Place
from crownhead.server.ratings.services import counting

router = Router(tags=["ratings"])


class RatingOut(Schema):
    """What a player is rated in a variant; ``deviation`` has grown since his last game."""

    variant: str
    rating: int
    deviation: int
    provisional: bool
    games: int
    won: int
    drawn: int
    lost: int
    highest: int | None
    last_rated_at: datetime | None


class ChangeOut(Schema):
    """A game that counted; ``opponent`` and ``game`` are null where the game is hidden from the viewer."""

    at: datetime
    opponent: str | None
    game: str | None
    result: Score
    before: int
    rating: int
    deviation: int


class HistoryOut(Schema):
    """A page of changes, the latest first."""

    items: list[ChangeOut]
    next: str | None


class LeaderOut(Schema):
    """A line of a leaderboard; equal ratings share a place."""

    place: int
    username: str
    rating: int
    deviation: int
    games: int
    won: int
    drawn: int
    lost: int


class LeaderboardOut(Schema):
    """A page of a leaderboard, the best first."""

    items: list[LeaderOut]
    next: str | None


class ColumnOut(Schema):
    """So many players have a rating from ``least`` to ``most``."""

    least: int
    most: int
    players: int


@router.get("/players/{name}/ratings", auth=ANYONE, response=list[RatingOut], summary="A player's ratings")
def ratings(request: HttpRequest, name: str) -> list[RatingOut]:
    """In every variant in which he has one, those of most games first."""
    person = _readable(name, request)
    return [_rating(row) for row in selectors.ratings_of(person.pk, now=clock.now())]


@router.get(
    "/players/{name}/ratings/{variant}", auth=ANYONE, response=HistoryOut, summary="How a rating has gone"
)
def history(
    request: HttpRequest, name: str, variant: str, cursor: CURSOR = None, limit: LIMIT = 50
) -> HistoryOut:
    """Every game that counted, the latest first."""
    person = _readable(name, request)
    lines, more = history_presenters.lines(
        person, _checked(variant), viewer=viewer(request), cursor=cursor, limit=limit
    )
    items = [
        ChangeOut(
            at=line.at,
            opponent=line.opponent or None,
            game=line.game_id or None,
            result=Score(line.score),
            before=line.before,
            rating=line.points,
            deviation=line.deviation,
        )
        for line in lines
    ]
    return HistoryOut(items=items, next=more)


@router.get("/ratings/{variant}", auth=ANYONE, response=LeaderboardOut, summary="A leaderboard")
def leaderboard(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    variant: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> LeaderboardOut:
    """Who has played in the last 90 days and whose rating is not provisional, the best first."""
    now = clock.now()
    places, more = leaderboards.leaderboard(_checked(variant), now=now, cursor=cursor, limit=limit)
    return LeaderboardOut(items=[_leader(place, now) for place in places], next=more)


@router.get(
    "/ratings/{variant}/distribution", auth=ANYONE, response=list[ColumnOut], summary="How ratings are spread"
)
def distribution(request: HttpRequest, variant: str) -> list[ColumnOut]:  # noqa: ARG001
    """Of those on the leaderboard, in columns of fifty points; some minutes old."""
    columns = leaderboards.distribution(_checked(variant), now=clock.now())
    return [ColumnOut(least=column.least, most=column.most, players=column.players) for column in columns]


def _rating(row: Rating) -> RatingOut:
    return RatingOut(
        variant=row.variant,
        rating=row.points,
        deviation=row.deviation,
        provisional=row.provisional,
        games=row.games,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        highest=row.peak,
        last_rated_at=row.updated_at,
    )


def _leader(place: Place, now: datetime) -> LeaderOut:
    row = place.row
    return LeaderOut(
        place=place.place,
        username=row.user.username,
        rating=row.points,
        deviation=round(counting.strength_of(row).by(now).deviation),
        games=row.games,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
    )


def _readable(name: str, request: HttpRequest) -> User:
    """The player of that name, if the one who asks may read of him."""
    person = accounts.player(name)
    if person is None:
        raise NotFound(f"expected the name of a player, got {name[:60]!r}")
    history_presenters.expect_readable(person, viewer(request))
    return person


def _checked(variant: str) -> str:
    if variant not in VARIANTS:
        raise NotFound(f"expected the key of a variant, got {variant[:60]!r}")
    return variant
