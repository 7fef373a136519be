"""The API of ratings: a player's, their history, leaderboards, their distribution."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field

from crownhead import VARIANTS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import expect_readable
from crownhead.server.accounts.api.auth import ANYONE, viewer
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.api.parameters import CURSOR, LIMIT
from crownhead.server.core.problems import NotFound
from crownhead.server.ratings import selectors
from crownhead.server.ratings.models import Score
from crownhead.server.ratings.presenters import history as history_presenters
from crownhead.server.ratings.selectors import Rating, leaderboards, strength
from crownhead.server.ratings.selectors.leaderboards import Place
from crownhead.server.ratings.selectors.paces import RatedPace, results_by_pace

router = Router(tags=["ratings"])


class PlayerRating(Schema):
    """A player's rating in a variant; ``deviation`` grows with the time since the last game."""

    variant: str
    rating: int
    deviation: int
    provisional: bool = Field(description="The rating is still uncertain.")
    games: int
    won: int
    drawn: int
    lost: int
    highest: int | None = Field(description="The highest rating so far.")
    last_rated_at: datetime | None


class RatingChange(Schema):
    """A game that counted; ``opponent`` and ``game`` are null if the game is hidden from you."""

    at: datetime
    opponent: str | None
    game: str | None
    result: Score
    before: int
    rating: int
    deviation: int
    pace: RatedPace
    on_time: bool = Field(description="The game ended because time ran out.")


class ResultsAtPace(Schema):
    """A player's rated games in a variant, live or by correspondence; the rating is one for both."""

    pace: RatedPace
    games: int
    won: int
    drawn: int
    lost: int
    lost_on_time: int
    opponents: int = Field(description="The mean rating of the opponents.")
    performance: int = Field(description="The rating that fits the results.")


class RatingHistory(Schema):
    """A page of rating changes, the latest first."""

    items: list[RatingChange]
    next: str | None


class LeaderboardRow(Schema):
    """A row of a leaderboard; equal ratings share a place."""

    place: int
    username: str
    rating: int
    deviation: int
    games: int
    won: int
    drawn: int
    lost: int


class LeaderboardPage(Schema):
    """A page of a leaderboard, the best first."""

    items: list[LeaderboardRow]
    next: str | None


class RatingBucket(Schema):
    """The number of players with a rating from ``least`` to ``most``."""

    least: int
    most: int
    players: int


@router.get(
    "/players/{name}/ratings", auth=ANYONE, response=list[PlayerRating], summary="List a player's ratings"
)
def list_player_ratings(request: HttpRequest, name: str) -> list[PlayerRating]:
    """In every variant in which the player has one, most games first."""
    person = _readable(name, request)
    return [_rating(row) for row in selectors.ratings_of(person.pk, now=clock.now())]


@router.get(
    "/players/{name}/ratings/{variant}",
    auth=ANYONE,
    response=RatingHistory,
    summary="Get the history of a rating",
)
def get_rating_history(
    request: HttpRequest,
    name: str,
    variant: str,
    pace: Annotated[RatedPace | None, Query(description="Only games of this pace.")] = None,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> RatingHistory:
    """Every game that counted, the latest first."""
    person = _readable(name, request)
    lines, more = history_presenters.lines(
        person, _checked(variant), viewer=viewer(request), pace=pace, cursor=cursor, limit=limit
    )
    items = [
        RatingChange(
            at=line.at,
            opponent=line.opponent or None,
            game=line.game_id or None,
            result=Score(line.score),
            before=line.before,
            rating=line.points,
            deviation=line.deviation,
            pace=RatedPace.LIVE if line.live else RatedPace.CORRESPONDENCE,
            on_time=line.on_time,
        )
        for line in lines
    ]
    return RatingHistory(items=items, next=more)


@router.get(
    "/players/{name}/ratings/{variant}/paces",
    auth=ANYONE,
    response=list[ResultsAtPace],
    summary="Count a player's rated games by pace",
)
def get_results_by_pace(request: HttpRequest, name: str, variant: str) -> list[ResultsAtPace]:
    """Live and by correspondence, with how many were lost on time; a pace without games is left out."""
    person = _readable(name, request)
    return [
        ResultsAtPace.model_validate(results, from_attributes=True)
        for results in results_by_pace(person.pk, _checked(variant))
    ]


@router.get("/ratings/{variant}", auth=ANYONE, response=LeaderboardPage, summary="Get a leaderboard")
def get_leaderboard(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    variant: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> LeaderboardPage:
    """Players active in the last 90 days whose rating isn't provisional, the best first."""
    now = clock.now()
    places, more = leaderboards.leaderboard(_checked(variant), now=now, cursor=cursor, limit=limit)
    return LeaderboardPage(items=[_leader(place, now) for place in places], next=more)


@router.get(
    "/ratings/{variant}/distribution",
    auth=ANYONE,
    response=list[RatingBucket],
    summary="Get the distribution of ratings",
)
def get_rating_distribution(request: HttpRequest, variant: str) -> list[RatingBucket]:  # noqa: ARG001
    """The ratings of the players on the leaderboard, in steps of fifty points; a few minutes old."""
    columns = leaderboards.distribution(_checked(variant), now=clock.now())
    return [RatingBucket(least=column.least, most=column.most, players=column.players) for column in columns]


def _rating(row: Rating) -> PlayerRating:
    return PlayerRating(
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


def _leader(place: Place, now: datetime) -> LeaderboardRow:
    row = place.row
    return LeaderboardRow(
        place=place.place,
        username=row.user.username,
        rating=row.points,
        deviation=round(strength.strength_of(row).by(now).deviation),
        games=row.games,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
    )


def _readable(name: str, request: HttpRequest) -> User:
    """The player of that name, if the viewer may see their profile."""
    person = accounts.player(name)
    if person is None:
        raise NotFound(f"expected the name of a player, got {name[:60]!r}")
    expect_readable(person, viewer(request))
    return person


def _checked(variant: str) -> str:
    if variant not in VARIANTS:
        raise NotFound(f"expected the key of a variant, got {variant[:60]!r}")
    return variant
