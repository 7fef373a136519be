"""The API of invitations and matches."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema
from ninja import Status as Answer
from pydantic import Field

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, checked_message, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import OFFSET
from crownhead.server.core.problems import NotFound
from crownhead.server.play import selectors
from crownhead.server.play.api.games import MAX_GAMES, game_response, short_enough
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.matches import services as match_services
from crownhead.server.play.models import Game
from crownhead.server.play.schemas import GameOut, MatchScore, PlayerOut, RematchMessage

router = Router(tags=["invitations and matches"])

MAX_INVITATIONS = 30  # of each kind, in one answer
Some = Annotated[int, Query(ge=1, le=MAX_INVITATIONS)]


class InvitationOut(Schema):
    """An invitation to a game; ``email`` is shown to its sender only."""

    game: GameOut
    message: str
    email: str


class InvitationsOut(Schema):
    """Invitations waiting for your answer, and those you have sent."""

    received: list[InvitationOut]
    sent: list[InvitationOut]


class MatchOut(Schema):
    """A match, and games of it that have begun, in order."""

    id: str
    kind: str = Field(description="`two`, `games` or `wins`.")
    length: int = Field(description="The number of games, or of wins, that decides it.")
    creator: PlayerOut
    opponent: PlayerOut | None
    score: MatchScore
    ended_at: datetime | None
    games: list[GameOut]
    next_offset: int | None = Field(description="Where the games go on; null: there are no more.")


@router.get("/invitations", auth=SIGNED_IN, response=InvitationsOut, summary="List your invitations")
def list_invitations(
    request: HttpRequest, offset: OFFSET = 0, limit: Some = MAX_INVITATIONS
) -> InvitationsOut:
    """Invitations that are still open, newest first; `offset` and `limit` are for each of the two lists."""
    user, now = signed_in(request), clock.now()
    received, sent = (
        invitation_selectors.received(user=user, now=now),
        invitation_selectors.sent(user=user, now=now),
    )
    return InvitationsOut(
        received=[_invitation(request, game) for game in received[offset : offset + limit]],
        sent=[
            _invitation(request, game, email=game.invitation.email) for game in sent[offset : offset + limit]
        ],
    )


@router.post(
    "/invitations/{game_id}/accept", auth=SIGNED_IN, response=GameOut, summary="Accept an invitation"
)
@problems(409, 422)
def accept_invitation(request: HttpRequest, game_id: str) -> GameOut:
    """The game starts."""
    return game_response(
        request, invitation_services.accept(user=signed_in(request), game_id=game_id, now=clock.now())
    )


@router.post(
    "/invitations/{game_id}/decline", auth=SIGNED_IN, response=GameOut, summary="Decline an invitation"
)
@problems(409)
def decline_invitation(request: HttpRequest, game_id: str) -> GameOut:
    """The player who invited you is notified."""
    return game_response(
        request, invitation_services.decline(user=signed_in(request), game_id=game_id, now=clock.now())
    )


@router.post("/join/{token}", auth=SIGNED_IN, response=GameOut, summary="Accept an invitation by its link")
@problems(409, 422)
def accept_invitation_link(request: HttpRequest, token: str) -> GameOut:
    """Anybody who has the link of the e-mail may take the game; it starts."""
    return game_response(
        request, invitation_services.accept_link(user=signed_in(request), token=token, now=clock.now())
    )


@router.post(
    "/games/{game_id}/rematch",
    auth=SIGNED_IN,
    response={201: GameOut},
    summary="Invite your opponent to a rematch",
)
@problems(409)
def rematch(request: HttpRequest, game_id: str, body: RematchMessage) -> Answer[GameOut]:
    """On the same terms, with the sides swapped."""
    message = checked_message(request, body.message)
    made = invitation_services.invite_again(
        user=signed_in(request), game_id=game_id, message=message, now=clock.now()
    )
    return Answer(201, game_response(request, made))


@router.get("/matches/{match_id}", auth=ANYONE, response=MatchOut, summary="Get a match")
def get_match(request: HttpRequest, match_id: str, offset: OFFSET = 0) -> MatchOut:
    """Its score, and those of its games that you may see: 25 from the `offset` on, of long ones fewer."""
    return _match(request, match_id, offset)


@router.post("/matches/{match_id}/end", auth=SIGNED_IN, response=MatchOut, summary="End a match")
@problems(409)
def end_match(request: HttpRequest, match_id: str) -> MatchOut:
    """For its players: the game in progress is its last one. A match of two games ends with these."""
    match_services.end(user=signed_in(request), match_id=match_id, now=clock.now())
    return _match(request, match_id)


def _match(request: HttpRequest, match_id: str, offset: int = 0) -> MatchOut:
    rows = selectors.games_of_match(viewer=viewer(request), match_id=match_id)
    latest = rows.first()
    if latest is None or latest.match is None:
        raise NotFound(f"There is no match {match_id[:60]!r}.")
    match = latest.match
    found = list(rows.order_by("match_number")[offset : offset + MAX_GAMES + 1])
    games = short_enough(found[:MAX_GAMES])
    return MatchOut(
        id=match.public_id,
        kind=match.kind,
        length=match.length,
        creator=PlayerOut(username=match.creator.username),
        opponent=None if match.opponent is None else PlayerOut(username=match.opponent.username),
        score=MatchScore(creator=match.creator_score / 2, opponent=match.opponent_score / 2),
        ended_at=match.ended_at,
        games=[game_response(request, game) for game in selectors.prefetch_vacations(games)],
        next_offset=offset + len(games) if len(games) < len(found) else None,
    )


def _invitation(request: HttpRequest, game: Game, *, email: str = "") -> InvitationOut:
    return InvitationOut(game=game_response(request, game), message=game.invitation.message, email=email)
