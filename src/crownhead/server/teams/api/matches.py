"""The API of matches between teams."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema
from ninja import Status as Answer
from pydantic import Field, StrictBool, StrictInt, StrictStr

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, checked_message, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.play.games.options import BankClock, ColourChoice, GameOptions, LiveClock
from crownhead.server.play.schemas import Body, ClockBody, LiveClockBody
from crownhead.server.teams import selectors, services
from crownhead.server.teams.access.matches import led_side
from crownhead.server.teams.models import Board, MatchStatus, Side, TeamMatch
from crownhead.server.teams.selectors import matches

router = Router(tags=["team matches"])

_Id = Annotated[StrictStr, Field(max_length=32)]


class ContestTerms(Body):
    """The terms of all games of a contest: ``days_per_move``, or a ``clock``, live or in hours."""

    variant: Annotated[StrictStr, Field(max_length=32)]
    days_per_move: Annotated[StrictInt, Field(ge=1, le=14)] | None = None
    clock: ClockBody | None = None
    weekends_off: bool = False
    vacation: bool = False
    draw_rules: Annotated[StrictStr, Field(max_length=32)] = "official"
    rated: bool = True

    def terms_of_games(self) -> GameOptions:
        """The terms of the games, in the form that the services take."""
        clock_: LiveClock | BankClock | None = None
        if isinstance(self.clock, LiveClockBody):
            clock_ = LiveClock(**self.clock.model_dump())
        elif self.clock is not None:
            clock_ = BankClock(**self.clock.model_dump())
        plain = self.model_dump(include=set(ContestTerms.model_fields) - {"clock"})
        return GameOptions(colour=ColourChoice.FIRST.value, clock=clock_, **plain)


class NewTeamMatch(ContestTerms):
    """A match to propose, without a live clock: ``home`` is the id of the team that you lead."""

    home: _Id
    boards: Annotated[StrictInt, Field(ge=1, le=50)]
    games_each: Annotated[StrictInt, Field(ge=1, le=2)] = 2
    message: Annotated[StrictStr, Field(max_length=500)] = ""


class LineUp(Body):
    """The usernames of members, first board first."""

    players: Annotated[list[Annotated[StrictStr, Field(max_length=40)]], Field(max_length=50)]


class AvailabilityBody(Body):
    """Whether you can play; ``side``: for members of both teams."""

    available: StrictBool
    side: Side | None = None


class TeamMatchSide(Schema):
    """One of the two teams, and its points so far."""

    id: str
    name: str
    points: float


class TeamMatchGame(Schema):
    """A game on a board; ``home_points`` and ``away_points`` are null until it is over."""

    id: str
    number: int
    home_is_first: bool
    home_points: float | None
    away_points: float | None
    annulled: bool


class TeamMatchBoard(Schema):
    """Two players and their games: none if they do not play each other."""

    number: int
    home: str = Field(description="The username of the home team's player.")
    away: str = Field(description="The username of the away team's player.")
    games: list[TeamMatchGame]
    lost_by: Side | None = Field(
        description="The side that loses the board without a game: its player has left."
    )


class TeamMatchOut(Schema):
    """A match between two teams."""

    id: str
    home: TeamMatchSide
    away: TeamMatchSide
    status: MatchStatus
    variant: str
    boards: int = Field(description="The number of boards.")
    games_each: int = Field(description="The number of games on each board.")
    proposed_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    tables: list[TeamMatchBoard] = Field(description="The boards with their players; empty in lists.")


@router.get(
    "/teams/{team_id}/matches", auth=ANYONE, response=list[TeamMatchOut], summary="List the matches of a team"
)
def list_team_matches(request: HttpRequest, team_id: str) -> list[TeamMatchOut]:
    """The newest 50, without their boards."""
    rows = matches.matches_of(selectors.access_team(team_id), viewer(request))[:50]
    return [_out(match, boards=[]) for match in rows]


@router.post(
    "/teams/{team_id}/matches",
    auth=SIGNED_IN,
    response={201: TeamMatchOut},
    summary="Challenge a team to a match",
)
@problems(409)
def propose_team_match(request: HttpRequest, team_id: str, body: NewTeamMatch) -> Answer[TeamMatchOut]:
    """Its captain has to accept."""
    match = services.propose(
        user=signed_in(request),
        home_id=body.home,
        away_id=team_id,
        options=body.terms_of_games(),
        boards=body.boards,
        games_each=body.games_each,
        message=checked_message(request, body.message),
        now=clock.now(),
    )
    return Answer(201, _out(match, boards=[]))


@router.get("/team-matches/{match_id}", auth=ANYONE, response=TeamMatchOut, summary="Get a team match")
def get_team_match(request: HttpRequest, match_id: str) -> TeamMatchOut:  # noqa: ARG001 - given by the router
    """With its boards and their games."""
    return _whole(match_id)


@router.post(
    "/team-matches/{match_id}/accept", auth=SIGNED_IN, response=TeamMatchOut, summary="Accept a team match"
)
@problems(409)
def accept_team_match(request: HttpRequest, match_id: str) -> TeamMatchOut:
    """For the captain of the team that was challenged."""
    services.answer_match(user=signed_in(request), match_id=match_id, accepted=True, now=clock.now())
    return _whole(match_id)


@router.post(
    "/team-matches/{match_id}/decline", auth=SIGNED_IN, response=TeamMatchOut, summary="Decline a team match"
)
@problems(409)
def decline_team_match(request: HttpRequest, match_id: str) -> TeamMatchOut:
    """For the captain of the team that was challenged."""
    services.answer_match(user=signed_in(request), match_id=match_id, accepted=False, now=clock.now())
    return _whole(match_id)


@router.post(
    "/team-matches/{match_id}/withdraw",
    auth=SIGNED_IN,
    response=TeamMatchOut,
    summary="Call off a team match",
)
@problems(409)
def withdraw_team_match(request: HttpRequest, match_id: str) -> TeamMatchOut:
    """For either captain, before the games begin."""
    services.withdraw(user=signed_in(request), match_id=match_id, now=clock.now())
    return _whole(match_id)


@router.put(
    "/team-matches/{match_id}/line-up",
    auth=SIGNED_IN,
    response=TeamMatchOut,
    summary="Set your team's line-up",
)
@problems(409)
def set_line_up(request: HttpRequest, match_id: str, body: LineUp) -> TeamMatchOut:
    """For either captain: members who can play, or yourself. Once both teams have one, the games begin."""
    services.line_up(user=signed_in(request), match_id=match_id, usernames=body.players, now=clock.now())
    return _whole(match_id)


@router.put(
    "/team-matches/{match_id}/availability",
    auth=SIGNED_IN,
    response={204: None},
    summary="Say whether you can play in a team match",
)
@problems(409)
def set_availability(request: HttpRequest, match_id: str, body: AvailabilityBody) -> Answer[None]:
    """For members of the two teams, before it begins. Captains line up only members who can play."""
    services.be_available(
        user=signed_in(request),
        match_id=match_id,
        available=body.available,
        side=body.side,
        now=clock.now(),
    )
    return Answer(204, None)


@router.get(
    "/team-matches/{match_id}/availability",
    auth=SIGNED_IN,
    response=list[str],
    summary="List the members who can play in a team match",
)
@problems(403)
def list_available_members(request: HttpRequest, match_id: str) -> list[str]:
    """For either captain: the usernames of their own members who have said that they can play."""
    match = matches.access_match(match_id)
    side = led_side(match, signed_in(request))
    return matches.available(match, side)


def _whole(match_id: str) -> TeamMatchOut:
    match = matches.access_match(match_id)
    return _out(match, boards=list(matches.boards(match)))


def _out(match: TeamMatch, *, boards: list[Board]) -> TeamMatchOut:
    return TeamMatchOut(
        id=match.public_id,
        home=TeamMatchSide(id=match.home.public_id, name=match.home.name, points=match.home_points / 2),
        away=TeamMatchSide(id=match.away.public_id, name=match.away.name, points=match.away_points / 2),
        status=MatchStatus(match.status),
        variant=match.variant,
        boards=match.boards,
        games_each=match.games_each,
        proposed_at=match.proposed_at,
        started_at=match.started_at,
        ended_at=match.ended_at,
        tables=[_board(board) for board in boards],
    )


def _board(board: Board) -> TeamMatchBoard:
    games = [
        TeamMatchGame(
            id=game.game_id,
            number=game.number,
            home_is_first=game.home_is_first,
            home_points=None if game.home_points is None else game.home_points / 2,
            away_points=None if game.away_points is None else game.away_points / 2,
            annulled=game.annulled,
        )
        for game in board.games.all()
    ]
    return TeamMatchBoard(
        number=board.number,
        home=board.home_player.username,
        away=board.away_player.username,
        games=games,
        lost_by=Side(board.lost_by) if board.lost_by else None,
    )
