"""The API of ladders: see them, step on and off, challenge, and what has happened."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router, Schema
from ninja import Status as Answer
from pydantic import Field, StrictStr

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.limits import Limit
from crownhead.server.core.problems import NotFound
from crownhead.server.ladders import selectors, services
from crownhead.server.ladders.choices import Happening, Outcome, Style
from crownhead.server.ladders.models import Challenge, Ladder, Line, Member
from crownhead.server.ladders.selectors import eligibility
from crownhead.server.ladders.selectors.eligibility import Against
from crownhead.server.ladders.services import terms
from crownhead.server.ladders.services.styles import Refusal
from crownhead.server.play.api.games import CURSOR, LIMIT
from crownhead.server.play.schemas import Body

router = Router(tags=["ladders"])


class LadderOut(Schema):
    """A ladder; ``games`` of a challenge, ``my_rank`` my place or step, null where I am not on it."""

    id: str
    name: str
    variant: str
    style: Style
    pace: str
    games: int
    rated: bool
    vacation: bool
    weekends_off: bool
    idle_days: int
    members: int
    my_rank: int | None
    closed_at: datetime | None


class MemberOut(Schema):
    """Who stands where; ``refusal`` says why I cannot challenge him, null: I can, or am not on the ladder."""

    rank: int
    username: str
    won: int
    drawn: int
    lost: int
    refusal: Refusal | None
    why: str


class StandingsOut(Schema):
    """A page of standings, the highest first."""

    items: list[MemberOut]
    next: str | None


class PlaceOut(Schema):
    """Where a player stands on a ladder: his place or step, and what became of his challenges there."""

    ladder: str
    name: str
    variant: str
    style: Style
    rank: int
    members: int
    won: int
    drawn: int
    lost: int
    closed_at: datetime | None


class NewChallenge(Body):
    """Whom to challenge."""

    opponent: Annotated[StrictStr, Field(min_length=1, max_length=60)]


class ChallengeOut(Schema):
    """A challenge and its games; ``outcome`` is the challenger's, null while it is open."""

    id: int
    ladder: str
    challenger: str
    challenged: str
    made_at: datetime
    ended_at: datetime | None
    outcome: Outcome | None
    games: list[str]


class ChallengesOut(Schema):
    """A page of challenges, the latest first."""

    items: list[ChallengeOut]
    next: str | None


class LineOut(Schema):
    """What has happened; ``before`` and ``after`` are places or steps."""

    at: datetime
    what: Happening
    user: str | None
    other: str | None
    before: int | None
    after: int | None
    reason: str


class HistoryOut(Schema):
    """A page of a history, the latest first."""

    items: list[LineOut]
    next: str | None


@router.get("/ladders", auth=ANYONE, response=list[LadderOut], summary="The ladders")
def ladders(
    request: HttpRequest, variant: Annotated[str | None, Query(max_length=32)] = None
) -> list[LadderOut]:
    """All that are open; ``variant`` keeps to one."""
    user = viewer(request)
    mine = {} if user is None else {row.ladder_id: row.rank for row in selectors.memberships_of(user)}
    return [_ladder(row, mine.get(row.pk)) for row in selectors.open_ladders(variant)]


@router.get("/ladders/challenges", auth=SIGNED_IN, response=list[ChallengeOut], summary="My open challenges")
def my_challenges(request: HttpRequest) -> list[ChallengeOut]:
    """Those I have made and those made to me, on all ladders."""
    return [_challenge(row) for row in selectors.open_challenges_of(signed_in(request))]


@router.get("/players/{name}/ladders", auth=ANYONE, response=list[PlaceOut], summary="A player's ladders")
def ladders_of(request: HttpRequest, name: str) -> list[PlaceOut]:  # noqa: ARG001 - given by the router
    """Where he stands, on closed ladders too."""
    player = accounts.player(name)
    if player is None:
        raise NotFound(_("expected the name of a player, got %(given)s") % {"given": repr(name[:60])})
    return [_place(row) for row in selectors.memberships_of(player)]


@router.get("/ladders/{ladder_id}", auth=ANYONE, response=LadderOut, summary="A ladder")
def read_ladder(request: HttpRequest, ladder_id: str) -> LadderOut:
    """Its terms, and where I stand."""
    return _seen(request, selectors.ladder(ladder_id))


@router.get("/ladders/{ladder_id}/standings", auth=ANYONE, response=StandingsOut, summary="Who stands where")
def standings(request: HttpRequest, ladder_id: str, cursor: CURSOR = None, limit: LIMIT = 50) -> StandingsOut:
    """The highest first, with what stands against a challenge of mine."""
    found = selectors.ladder(ladder_id)
    page = selectors.standings(found, cursor=cursor, limit=limit)
    me = selectors.member_of(found, viewer(request))
    refusals = {} if me is None else eligibility.of(found, me, page.items, now=clock.now())
    return StandingsOut(items=[_member(row, refusals.get(row.user_id)) for row in page.items], next=page.next)


@router.post("/ladders/{ladder_id}/join", auth=SIGNED_IN, response=LadderOut, summary="Step on a ladder")
def join(request: HttpRequest, ladder_id: str) -> LadderOut:
    """On its last place, or its lowest step."""
    services.join(user=signed_in(request), ladder_id=ladder_id, now=clock.now())
    return _seen(request, selectors.ladder(ladder_id))


@router.post("/ladders/{ladder_id}/leave", auth=SIGNED_IN, response=LadderOut, summary="Step off a ladder")
def leave(request: HttpRequest, ladder_id: str) -> LadderOut:
    """Open challenges are lost with it; their games go on."""
    services.leave(user=signed_in(request), ladder_id=ladder_id, now=clock.now())
    return _seen(request, selectors.ladder(ladder_id))


@router.post(
    "/ladders/{ladder_id}/challenges",
    auth=SIGNED_IN,
    throttle=Limit("moves"),
    response={201: ChallengeOut},
    summary="Challenge",
)
def challenge(request: HttpRequest, ladder_id: str, body: NewChallenge) -> Answer[ChallengeOut]:
    """It cannot be declined: the games begin."""
    user = signed_in(request)
    made = services.challenge(user=user, ladder_id=ladder_id, opponent=body.opponent, now=clock.now())
    return Answer(201, _challenge(made))


@router.get("/ladders/{ladder_id}/challenges", auth=ANYONE, response=ChallengesOut, summary="Challenges")
def challenges(
    request: HttpRequest, ladder_id: str, mine: bool = False, cursor: CURSOR = None, limit: LIMIT = 50
) -> ChallengesOut:
    """The latest first; ``mine``: those I have made and those made to me."""
    user = signed_in(request) if mine else None
    page = selectors.challenges(selectors.ladder(ladder_id), user=user, cursor=cursor, limit=limit)
    return ChallengesOut(items=[_challenge(row) for row in page.items], next=page.next)


@router.get("/ladders/{ladder_id}/history", auth=ANYONE, response=HistoryOut, summary="What has happened")
def history(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    ladder_id: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> HistoryOut:
    """The latest first."""
    page = selectors.history(selectors.ladder(ladder_id), cursor=cursor, limit=limit)
    return HistoryOut(items=[_line(row) for row in page.items], next=page.next)


def _seen(request: HttpRequest, found: Ladder) -> LadderOut:
    me = selectors.member_of(found, viewer(request))
    return _ladder(found, None if me is None else me.rank)


def _ladder(row: Ladder, my_rank: int | None) -> LadderOut:
    return LadderOut(
        id=row.public_id,
        name=terms.name_of(row),
        variant=row.variant,
        style=Style(row.style),
        pace=terms.pace_of(row),
        games=row.games,
        rated=row.rated,
        vacation=row.vacation,
        weekends_off=row.weekends_off,
        idle_days=row.idle_days,
        members=row.size,
        my_rank=my_rank,
        closed_at=row.closed_at,
    )


def _place(row: Member) -> PlaceOut:
    return PlaceOut(
        ladder=row.ladder.public_id,
        name=terms.name_of(row.ladder),
        variant=row.ladder.variant,
        style=Style(row.ladder.style),
        rank=row.rank,
        members=row.ladder.size,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        closed_at=row.ladder.closed_at,
    )


def _member(row: Member, against: Against | None) -> MemberOut:
    return MemberOut(
        rank=row.rank,
        username=row.user.username,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        refusal=None if against is None else against.reason,
        why="" if against is None else against.sentence,
    )


def _challenge(row: Challenge) -> ChallengeOut:
    return ChallengeOut(
        id=row.pk,
        ladder=row.ladder.public_id,
        challenger=row.challenger.username,
        challenged=row.challenged.username,
        made_at=row.made_at,
        ended_at=row.ended_at,
        outcome=Outcome(row.outcome) if row.outcome else None,
        games=[game.game_id for game in row.games.all()],
    )


def _line(row: Line) -> LineOut:
    return LineOut(
        at=row.at,
        what=Happening(row.kind),
        user=None if row.user is None else row.user.username,
        other=None if row.other is None else row.other.username,
        before=row.before,
        after=row.after,
        reason=row.reason,
    )
