"""The API of invitations and matches."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest
from ninja import Router, Schema
from ninja import Status as Answer

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound
from crownhead.server.play import selectors
from crownhead.server.play.api.games import shown
from crownhead.server.play.invitations import selectors as invitation_selectors
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game
from crownhead.server.play.schemas import GameOut, MatchScore, Message, PlayerOut

router = Router(tags=["invitations and matches"])


class InvitationOut(Schema):
    """A game that is offered to one; ``email`` is shown to the one who wrote it."""

    game: GameOut
    message: str
    email: str


class InvitationsOut(Schema):
    """What waits for my answer, and what I have sent."""

    received: list[InvitationOut]
    sent: list[InvitationOut]


class MatchOut(Schema):
    """A match: its games in order, as far as they have begun."""

    id: str
    kind: str
    length: int
    creator: PlayerOut
    opponent: PlayerOut | None
    score: MatchScore
    ended_at: datetime | None
    games: list[GameOut]


@router.get("/invitations", auth=SIGNED_IN, response=InvitationsOut, summary="My invitations")
def my_invitations(request: HttpRequest) -> InvitationsOut:
    """Newest first; those that are not answered, withdrawn or expired."""
    user, now = signed_in(request), clock.now()
    received, sent = (
        invitation_selectors.received(user=user, now=now),
        invitation_selectors.sent(user=user, now=now),
    )
    return InvitationsOut(
        received=[_invitation(request, game) for game in received],
        sent=[_invitation(request, game, email=game.invitation.email) for game in sent],
    )


@router.post("/invitations/{game_id}/accept", auth=SIGNED_IN, response=GameOut, summary="Accept")
def accept(request: HttpRequest, game_id: str) -> GameOut:
    """The game starts."""
    return shown(
        request, invitation_services.accept(user=signed_in(request), game_id=game_id, now=clock.now())
    )


@router.post("/invitations/{game_id}/decline", auth=SIGNED_IN, response=GameOut, summary="Decline")
def decline(request: HttpRequest, game_id: str) -> GameOut:
    """The one who invited is told."""
    return shown(
        request, invitation_services.decline(user=signed_in(request), game_id=game_id, now=clock.now())
    )


@router.post("/join/{token}", auth=SIGNED_IN, response=GameOut, summary="Accept by the link of a mail")
def accept_link(request: HttpRequest, token: str) -> GameOut:
    """Whoever has the link may take the game; it starts."""
    return shown(
        request, invitation_services.accept_link(user=signed_in(request), token=token, now=clock.now())
    )


@router.post(
    "/games/{game_id}/rematch", auth=SIGNED_IN, response={201: GameOut}, summary="Invite a former opponent"
)
def rematch(request: HttpRequest, game_id: str, body: Message) -> Answer[GameOut]:
    """The same terms, the sides swapped."""
    made = invitation_services.invite_again(
        user=signed_in(request), game_id=game_id, message=body.message, now=clock.now()
    )
    return Answer(201, shown(request, made))


@router.get("/matches/{match_id}", auth=ANYONE, response=MatchOut, summary="A match")
def read_match(request: HttpRequest, match_id: str) -> MatchOut:
    """Its score and its games, as far as the viewer may see them."""
    games = list(selectors.games_of_match(viewer=viewer(request), match_id=match_id))
    if not games or games[0].match is None:
        raise NotFound(f"expected the identifier of a match, got {match_id[:60]!r}")
    match = games[0].match
    return MatchOut(
        id=match.public_id,
        kind=match.kind,
        length=match.length,
        creator=PlayerOut(username=match.creator.username),
        opponent=None if match.opponent is None else PlayerOut(username=match.opponent.username),
        score=MatchScore(creator=match.creator_score / 2, opponent=match.opponent_score / 2),
        ended_at=match.ended_at,
        games=[shown(request, game) for game in games],
    )


def _invitation(request: HttpRequest, game: Game, *, email: str = "") -> InvitationOut:
    return InvitationOut(game=shown(request, game), message=game.invitation.message, email=email)
