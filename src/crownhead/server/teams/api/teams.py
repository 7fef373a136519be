"""The API of teams: found one, join one, look after it, write on its board."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from ninja import Status as Answer
from pydantic import Field, StrictStr

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.pagination import page
from crownhead.server.play.schemas import Body, PlayerOut
from crownhead.server.teams import selectors, services
from crownhead.server.teams.models import Joining, KnockKind, Post, Team

router = Router(tags=["teams"])

CURSOR = Annotated[str | None, Query(max_length=200)]
LIMIT = Annotated[int, Query(ge=1, le=100)]
Name = Annotated[StrictStr, Field(min_length=1, max_length=40)]
Text = Annotated[StrictStr, Field(max_length=5000)]


class NewTeam(Body):
    """What a team says of itself; ``about`` is Markdown."""

    name: Name
    about: Text = ""
    joining: Literal["open", "ask", "invited"] = "ask"


class NamedPlayer(Body):
    """A player by name."""

    username: Name


class TeamInvitation(NamedPlayer):
    """Whom to invite, with a few words."""

    message: Text = ""


class Words(Body):
    """A few words to the captain."""

    message: Text = ""


class NewPost(Body):
    """A message for the board; Markdown."""

    text: Text


class TeamOut(Schema):
    """A team."""

    id: str
    name: str
    about: str
    joining: Joining
    captain: PlayerOut
    size: int
    created_at: datetime
    disbanded_at: datetime | None


class TeamsPage(Schema):
    """Some teams, and the cursor of the page that follows; null on the last."""

    items: list[TeamOut]
    next: str | None


class MemberOut(Schema):
    """A member."""

    username: str
    joined_at: datetime


class MembersPage(Schema):
    """Some members, and the cursor of the page that follows; null on the last."""

    items: list[MemberOut]
    next: str | None


class KnockOut(Schema):
    """Somebody asks to join (``asked``) or is invited (``invited``)."""

    username: str
    kind: KnockKind
    message: str
    made_at: datetime


class Standing(Schema):
    """Whether one is a member now; otherwise the captain is asked."""

    member: bool


class PostOut(Schema):
    """A message on the board."""

    id: int
    author: PlayerOut
    text: str
    written_at: datetime


class PostsPage(Schema):
    """Some messages, and the cursor of the page that follows; null on the last."""

    items: list[PostOut]
    next: str | None


@router.get("/teams", auth=ANYONE, response=TeamsPage, summary="Teams")
def teams(
    request: HttpRequest,
    name: Annotated[str, Query(max_length=40)] = "",
    mine: bool = False,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> TeamsPage:
    """The largest first; ``name``: how the name begins; ``mine``: those to which I belong."""
    rows = selectors.teams_of(signed_in(request).pk) if mine else selectors.teams(search=name)
    found = page(rows, order=("-size", "-id"), cursor=cursor, limit=limit)
    return TeamsPage(items=[team_out(team) for team in found.items], next=found.next)


@router.post("/teams", auth=SIGNED_IN, response={201: TeamOut}, summary="Found a team")
def create_team(request: HttpRequest, body: NewTeam) -> Answer[TeamOut]:
    """I lead it."""
    user = signed_in(request)
    spend(scope="teams", who=caller(request))
    team = services.create_team(
        user=user, name=body.name, about_text=body.about, joining=body.joining, now=clock.now()
    )
    return Answer(201, team_out(team))


@router.get("/teams/{team_id}", auth=ANYONE, response=TeamOut, summary="A team")
def read_team(request: HttpRequest, team_id: str) -> TeamOut:  # noqa: ARG001 - given by the router
    """Disbanded ones too."""
    return team_out(selectors.access_team(team_id))


@router.put("/teams/{team_id}", auth=SIGNED_IN, response=TeamOut, summary="Change a team")
def edit_team(request: HttpRequest, team_id: str, body: NewTeam) -> TeamOut:
    """For its captain."""
    services.edit_team(
        user=signed_in(request), team_id=team_id, name=body.name, about_text=body.about, joining=body.joining
    )
    return team_out(selectors.access_team(team_id))


@router.delete("/teams/{team_id}", auth=SIGNED_IN, response={204: None}, summary="Disband a team")
def disband(request: HttpRequest, team_id: str) -> Answer[None]:
    """For its captain, while no match is to be played."""
    services.disband(user=signed_in(request), team_id=team_id, now=clock.now())
    return Answer(204, None)


@router.get("/teams/{team_id}/members", auth=ANYONE, response=MembersPage, summary="Its members")
def members(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    team_id: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> MembersPage:
    """The oldest member first."""
    rows = selectors.members(selectors.access_team(team_id))
    found = page(rows, order=("joined_at", "id"), cursor=cursor, limit=limit)
    shown = [MemberOut(username=row.user.username, joined_at=row.joined_at) for row in found.items]
    return MembersPage(items=shown, next=found.next)


@router.post("/teams/{team_id}/join", auth=SIGNED_IN, response=Standing, summary="Join, or ask to")
def join(request: HttpRequest, team_id: str, body: Words) -> Standing:
    """A team that invited me, or is open, takes me in at once."""
    now = clock.now()
    is_in = services.join(user=signed_in(request), team_id=team_id, message=body.message, now=now)
    return Standing(member=is_in)


@router.post("/teams/{team_id}/decline", auth=SIGNED_IN, response={204: None}, summary="Decline")
def decline(request: HttpRequest, team_id: str) -> Answer[None]:
    """Say no to an invitation, or no longer ask to join."""
    services.decline(user=signed_in(request), team_id=team_id)
    return Answer(204, None)


@router.post("/teams/{team_id}/leave", auth=SIGNED_IN, response={204: None}, summary="Leave a team")
def leave(request: HttpRequest, team_id: str) -> Answer[None]:
    """The last member disbands it."""
    services.leave(user=signed_in(request), team_id=team_id, now=clock.now())
    return Answer(204, None)


@router.get("/teams/{team_id}/requests", auth=SIGNED_IN, response=list[KnockOut], summary="Who asks")
def requests(request: HttpRequest, team_id: str) -> list[KnockOut]:
    """Who asks to join or is invited; for the captain."""
    rows = selectors.knocks(signed_in(request), selectors.access_team(team_id))
    return [
        KnockOut(
            username=row.user.username, kind=KnockKind(row.kind), message=row.message, made_at=row.made_at
        )
        for row in rows
    ]


@router.post("/teams/{team_id}/invitations", auth=SIGNED_IN, response={204: None}, summary="Invite")
def invite(request: HttpRequest, team_id: str, body: TeamInvitation) -> Answer[None]:
    """For the captain; who has asked to join is taken in."""
    services.invite(
        user=signed_in(request),
        team_id=team_id,
        username=body.username,
        message=body.message,
        now=clock.now(),
    )
    return Answer(204, None)


@router.post(
    "/teams/{team_id}/requests/{username}/accept",
    auth=SIGNED_IN,
    response={204: None},
    summary="Take somebody in",
)
def accept(request: HttpRequest, team_id: str, username: str) -> Answer[None]:
    """For the captain."""
    _answer(request, team_id, username, accepted=True)
    return Answer(204, None)


@router.post(
    "/teams/{team_id}/requests/{username}/refuse",
    auth=SIGNED_IN,
    response={204: None},
    summary="Refuse somebody",
)
def refuse(request: HttpRequest, team_id: str, username: str) -> Answer[None]:
    """For the captain; an invitation is called back."""
    _answer(request, team_id, username, accepted=False)
    return Answer(204, None)


@router.delete(
    "/teams/{team_id}/members/{username}", auth=SIGNED_IN, response={204: None}, summary="Remove a member"
)
def remove(request: HttpRequest, team_id: str, username: str) -> Answer[None]:
    """For the captain."""
    services.remove(user=signed_in(request), team_id=team_id, username=username)
    return Answer(204, None)


@router.put("/teams/{team_id}/captain", auth=SIGNED_IN, response=TeamOut, summary="Hand a team over")
def hand_over(request: HttpRequest, team_id: str, body: NamedPlayer) -> TeamOut:
    """To another member."""
    services.hand_over(user=signed_in(request), team_id=team_id, username=body.username)
    return team_out(selectors.access_team(team_id))


@router.get("/teams/{team_id}/posts", auth=SIGNED_IN, response=PostsPage, summary="The board")
def posts(request: HttpRequest, team_id: str, cursor: CURSOR = None, limit: LIMIT = 30) -> PostsPage:
    """Newest first; for members."""
    rows = selectors.posts(signed_in(request), selectors.access_team(team_id))
    found = page(rows, order=("-id",), cursor=cursor, limit=limit)
    return PostsPage(items=[_post(row) for row in found.items], next=found.next)


@router.post("/teams/{team_id}/posts", auth=SIGNED_IN, response={201: PostOut}, summary="Write on the board")
def write(request: HttpRequest, team_id: str, body: NewPost) -> Answer[PostOut]:
    """For members."""
    spend(scope="team_posts", who=caller(request))
    post = services.write(user=signed_in(request), team_id=team_id, text=body.text, now=clock.now())
    return Answer(201, _post(post))


@router.delete(
    "/teams/{team_id}/posts/{post_id}", auth=SIGNED_IN, response={204: None}, summary="Take a message down"
)
def take_down(request: HttpRequest, team_id: str, post_id: int) -> Answer[None]:
    """One's own, or any for the captain."""
    services.take_down(user=signed_in(request), team_id=team_id, post_id=post_id)
    return Answer(204, None)


def team_out(team: Team) -> TeamOut:
    """A team as anybody sees it."""
    return TeamOut(
        id=team.public_id,
        name=team.name,
        about=team.about,
        joining=Joining(team.joining),
        captain=PlayerOut(username=team.captain.username),
        size=team.size,
        created_at=team.created_at,
        disbanded_at=team.disbanded_at,
    )


def _answer(request: HttpRequest, team_id: str, username: str, *, accepted: bool) -> None:
    services.answer(
        user=signed_in(request), team_id=team_id, username=username, accepted=accepted, now=clock.now()
    )


def _post(post: Post) -> PostOut:
    return PostOut(
        id=post.pk,
        author=PlayerOut(username=post.author.username),
        text=post.text,
        written_at=post.written_at,
    )
