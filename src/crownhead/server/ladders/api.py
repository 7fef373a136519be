"""The API of ladders: list them, join and leave, challenge, and their history."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router, Schema
from ninja import Status as Answer
from pydantic import Field, StrictStr

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import expect_readable
from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.api import Limit
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import CURSOR, LIMIT, OFFSET
from crownhead.server.core.problems import NotFound
from crownhead.server.ladders import selectors, services
from crownhead.server.ladders.choices import Happening, Outcome, Style
from crownhead.server.ladders.models import Challenge, Ladder, Line, Member
from crownhead.server.ladders.selectors import eligibility
from crownhead.server.ladders.selectors.eligibility import Ineligibility
from crownhead.server.ladders.selectors.styles import Refusal
from crownhead.server.ladders.selectors.terms import name_of, pace_of
from crownhead.server.play.schemas import Body

router = Router(tags=["ladders"])


class LadderOut(Schema):
    """A ladder; ``games`` of each challenge, ``my_rank``: your place or step, null if you aren't on it."""

    id: str
    name: str
    variant: str
    style: Style
    pace: str = Field(description="The time control, in words.")
    games: int
    rated: bool
    vacation: bool
    weekends_off: bool
    idle_days: int = Field(description="After how many idle days members drop; 0 for never.")
    members: int = Field(description="The number of members.")
    my_rank: int | None
    closed_at: datetime | None


class LadderMember(Schema):
    """Who stands where; ``refusal``: why you can't challenge them; null if you can, or aren't on it."""

    rank: int = Field(description="The place, or the step.")
    username: str
    won: int
    drawn: int
    lost: int
    refusal: Refusal | None
    why: str = Field(description="The refusal as a sentence.")


class LadderStandings(Schema):
    """A page of standings, the highest first."""

    items: list[LadderMember]
    next: str | None


class LadderPlace(Schema):
    """Where a player stands on a ladder, and the results of their challenges there."""

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


class ChallengesPage(Schema):
    """A page of challenges, the latest first."""

    items: list[ChallengeOut]
    next: str | None


class LadderEvent(Schema):
    """Something that happened; ``before`` and ``after`` are places or steps."""

    at: datetime
    what: Happening
    user: str | None = Field(description="The player it is about.")
    other: str | None = Field(description="The opponent.")
    before: int | None
    after: int | None
    reason: str


class LadderHistory(Schema):
    """A page of a ladder's history, the latest first."""

    items: list[LadderEvent]
    next: str | None


@router.get("/ladders", auth=ANYONE, response=list[LadderOut], summary="List the ladders")
def list_ladders(
    request: HttpRequest, variant: Annotated[str | None, Query(max_length=32)] = None
) -> list[LadderOut]:
    """All that are open."""
    user = viewer(request)
    mine = {} if user is None else {row.ladder_id: row.rank for row in selectors.memberships_of(user)}
    return [_ladder(row, mine.get(row.pk)) for row in selectors.open_ladders(variant)]


@router.get(
    "/ladders/challenges", auth=SIGNED_IN, response=list[ChallengeOut], summary="List your open challenges"
)
def list_my_challenges(request: HttpRequest, offset: OFFSET = 0, limit: LIMIT = 50) -> list[ChallengeOut]:
    """The challenges you made and those made to you, on all ladders, the latest first."""
    rows = selectors.open_challenges_of(signed_in(request))[offset : offset + limit]
    return [_challenge(row) for row in rows]


@router.get(
    "/players/{name}/ladders", auth=ANYONE, response=list[LadderPlace], summary="List a player's ladders"
)
def list_player_ladders(request: HttpRequest, name: str) -> list[LadderPlace]:
    """Where the player stands, including closed ladders."""
    player = accounts.player(name)
    if player is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(name[:60])})
    expect_readable(player, viewer(request))
    return [_place(row) for row in selectors.memberships_of(player)]


@router.get("/ladders/{ladder_id}", auth=ANYONE, response=LadderOut, summary="Get a ladder")
def get_ladder(request: HttpRequest, ladder_id: str) -> LadderOut:
    """Its terms, and where you stand."""
    return _ladder_for_viewer(request, selectors.access_ladder(ladder_id))


@router.get(
    "/ladders/{ladder_id}/standings",
    auth=ANYONE,
    response=LadderStandings,
    summary="Get the standings of a ladder",
)
def get_ladder_standings(
    request: HttpRequest, ladder_id: str, cursor: CURSOR = None, limit: LIMIT = 50
) -> LadderStandings:
    """The highest first, and why you can't challenge somebody."""
    ladder = selectors.access_ladder(ladder_id)
    page = selectors.standings(ladder, cursor=cursor, limit=limit)
    me = selectors.member_of(ladder, viewer(request))
    refusals = {} if me is None else eligibility.check(ladder, me, page.items, now=clock.now())
    return LadderStandings(
        items=[_member(row, refusals.get(row.user_id)) for row in page.items], next=page.next
    )


@router.post("/ladders/{ladder_id}/join", auth=SIGNED_IN, response=LadderOut, summary="Join a ladder")
@problems(409)
def join_ladder(request: HttpRequest, ladder_id: str) -> LadderOut:
    """At the bottom: on its last place, or its lowest step."""
    services.join(user=signed_in(request), ladder_id=ladder_id, now=clock.now())
    return _ladder_for_viewer(request, selectors.access_ladder(ladder_id))


@router.post("/ladders/{ladder_id}/leave", auth=SIGNED_IN, response=LadderOut, summary="Leave a ladder")
@problems(409)
def leave_ladder(request: HttpRequest, ladder_id: str) -> LadderOut:
    """Your open challenges are lost, or void and their games ended if not both have made two moves."""
    services.leave(user=signed_in(request), ladder_id=ladder_id, now=clock.now())
    return _ladder_for_viewer(request, selectors.access_ladder(ladder_id))


@router.post(
    "/ladders/{ladder_id}/challenges",
    auth=SIGNED_IN,
    throttle=Limit("moves"),
    response={201: ChallengeOut},
    summary="Challenge a player",
)
@problems(409)
def create_challenge(request: HttpRequest, ladder_id: str, body: NewChallenge) -> Answer[ChallengeOut]:
    """A challenge can't be declined: its games start at once."""
    user = signed_in(request)
    made = services.challenge(user=user, ladder_id=ladder_id, opponent=body.opponent, now=clock.now())
    return Answer(201, _challenge(made))


@router.get(
    "/ladders/{ladder_id}/challenges",
    auth=ANYONE,
    response=ChallengesPage,
    summary="List the challenges of a ladder",
)
def list_ladder_challenges(
    request: HttpRequest,
    ladder_id: str,
    mine: Annotated[bool, Query(description="Only those you made or that were made to you.")] = False,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> ChallengesPage:
    """The latest first."""
    user = signed_in(request) if mine else None
    page = selectors.challenges(selectors.access_ladder(ladder_id), user=user, cursor=cursor, limit=limit)
    return ChallengesPage(items=[_challenge(row) for row in page.items], next=page.next)


@router.get(
    "/ladders/{ladder_id}/history", auth=ANYONE, response=LadderHistory, summary="Get the history of a ladder"
)
def get_ladder_history(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    ladder_id: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> LadderHistory:
    """The latest first."""
    page = selectors.history(selectors.access_ladder(ladder_id), cursor=cursor, limit=limit)
    return LadderHistory(items=[_line(row) for row in page.items], next=page.next)


def _ladder_for_viewer(request: HttpRequest, ladder: Ladder) -> LadderOut:
    me = selectors.member_of(ladder, viewer(request))
    return _ladder(ladder, None if me is None else me.rank)


def _ladder(row: Ladder, my_rank: int | None) -> LadderOut:
    return LadderOut(
        id=row.public_id,
        name=name_of(row),
        variant=row.variant,
        style=Style(row.style),
        pace=pace_of(row),
        games=row.games,
        rated=row.rated,
        vacation=row.vacation,
        weekends_off=row.weekends_off,
        idle_days=row.idle_days,
        members=row.size,
        my_rank=my_rank,
        closed_at=row.closed_at,
    )


def _place(row: Member) -> LadderPlace:
    return LadderPlace(
        ladder=row.ladder.public_id,
        name=name_of(row.ladder),
        variant=row.ladder.variant,
        style=Style(row.ladder.style),
        rank=row.rank,
        members=row.ladder.size,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        closed_at=row.ladder.closed_at,
    )


def _member(row: Member, ineligible: Ineligibility | None) -> LadderMember:
    return LadderMember(
        rank=row.rank,
        username=row.user.username,
        won=row.won,
        drawn=row.drawn,
        lost=row.lost,
        refusal=None if ineligible is None else ineligible.reason,
        why="" if ineligible is None else ineligible.sentence,
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


def _line(row: Line) -> LadderEvent:
    return LadderEvent(
        at=row.at,
        what=Happening(row.kind),
        user=None if row.user is None else row.user.username,
        other=None if row.other is None else row.other.username,
        before=row.before,
        after=row.after,
        reason=row.reason,
    )
