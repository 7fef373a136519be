"""The API of teams: found one, join one, look after it, write on its board."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema
from ninja import Status as Answer
from pydantic import Field, StrictBool, StrictStr

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, checked_message, needs, signed_in
from crownhead.server.accounts.choices import Scope
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import CURSOR, LIMIT, OFFSET
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.pagination import page, shortened
from crownhead.server.play.schemas import Body, PlayerOut
from crownhead.server.teams import selectors, services
from crownhead.server.teams.models import Joining, JoinRequestKind, Post, Team

router = Router(tags=["teams"])

Name = Annotated[StrictStr, Field(min_length=1, max_length=40)]
Text = Annotated[StrictStr, Field(max_length=5000)]


class NewTeam(Body):
    """The profile of a team; ``about`` is Markdown."""

    name: Name
    about: Text = ""
    joining: Literal["open", "ask", "invited"] = "ask"


class NamedPlayer(Body):
    """A player by username."""

    username: Name


class TeamInvitation(NamedPlayer):
    """Whom to invite, with a few words."""

    message: Text = ""


class JoinMessage(Body):
    """A few words to the captain."""

    message: Text = ""


class NewTeamPost(Body):
    """A message for the board, in Markdown."""

    text: Text


class TeamOut(Schema):
    """A team."""

    id: str
    name: str
    about: str = Field(description="In Markdown.")
    joining: Joining
    captain: PlayerOut
    size: int = Field(description="The number of members.")
    created_at: datetime
    disbanded_at: datetime | None


class TeamsPage(Schema):
    """A page of teams; ``next`` is the cursor of the next page, null on the last."""

    items: list[TeamOut]
    next: str | None


class TeamMember(Schema):
    """A member of a team."""

    username: str
    joined_at: datetime


class TeamMembersPage(Schema):
    """A page of members; ``next`` is the cursor of the next page, null on the last."""

    items: list[TeamMember]
    next: str | None


class JoinRequestOut(Schema):
    """A player who asks to join (``asked``) or is invited (``invited``)."""

    username: str
    kind: JoinRequestKind
    message: str
    made_at: datetime


class JoinAnswer(Schema):
    """Whether you are a member now; if not, the captain is asked."""

    member: bool


class TeamPost(Schema):
    """A message on the board."""

    id: int
    author: PlayerOut
    text: str
    written_at: datetime


class TeamPostsPage(Schema):
    """A page of messages; ``next`` is the cursor of the next page, null on the last."""

    items: list[TeamPost]
    next: str | None


@router.get("/teams", auth=ANYONE, response=TeamsPage, summary="List teams")
def list_teams(
    request: HttpRequest,
    name: Annotated[str, Query(max_length=40, description="How the name begins.")] = "",
    mine: Annotated[bool, Query(description="Only teams that you are a member of.")] = False,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> TeamsPage:
    """The largest first."""
    rows = selectors.teams_of(signed_in(request).pk) if mine else selectors.teams(search=name)
    rows_page = page(rows, order=("-size", "-id"), cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.about))
    return TeamsPage(items=[team_out(team) for team in rows_page.items], next=rows_page.next)


@router.post("/teams", auth=SIGNED_IN, response={201: TeamOut}, summary="Create a team")
@problems(409)
def create_team(request: HttpRequest, body: NewTeam) -> Answer[TeamOut]:
    """You become its captain."""
    user = signed_in(request)
    spend(scope="teams", who=caller(request))
    team = services.create_team(
        user=user,
        name=checked_message(request, body.name),
        about_text=checked_message(request, body.about),
        joining=body.joining,
        now=clock.now(),
    )
    return Answer(201, team_out(team))


@router.get("/teams/{team_id}", auth=ANYONE, response=TeamOut, summary="Get a team")
def get_team(request: HttpRequest, team_id: str) -> TeamOut:  # noqa: ARG001 - given by the router
    """Disbanded teams too."""
    return team_out(selectors.access_team(team_id))


@router.put("/teams/{team_id}", auth=SIGNED_IN, response=TeamOut, summary="Edit a team")
@problems(409)
def update_team(request: HttpRequest, team_id: str, body: NewTeam) -> TeamOut:
    """For its captain."""
    team = selectors.access_team(team_id)
    services.edit_team(
        user=signed_in(request),
        team_id=team_id,
        name=checked_message(request, body.name, before=team.name),
        about_text=checked_message(request, body.about, before=team.about),
        joining=body.joining,
        now=clock.now(),
    )
    return team_out(selectors.access_team(team_id))


@router.delete("/teams/{team_id}", auth=SIGNED_IN, response={204: None}, summary="Disband a team")
@problems(409)
def disband_team(request: HttpRequest, team_id: str) -> Answer[None]:
    """For its captain, while it plays no match; those that have not begun are called off."""
    services.disband(user=signed_in(request), team_id=team_id, now=clock.now())
    return Answer(204, None)


@router.get(
    "/teams/{team_id}/members", auth=ANYONE, response=TeamMembersPage, summary="List the members of a team"
)
def list_team_members(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    team_id: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> TeamMembersPage:
    """The longest-standing first."""
    rows = selectors.members(selectors.access_team(team_id))
    rows_page = page(rows, order=("joined_at", "id"), cursor=cursor, limit=limit)
    items = [TeamMember(username=row.user.username, joined_at=row.joined_at) for row in rows_page.items]
    return TeamMembersPage(items=items, next=rows_page.next)


@router.post("/teams/{team_id}/join", auth=SIGNED_IN, response=JoinAnswer, summary="Join a team, or ask to")
@problems(409)
def join_team(request: HttpRequest, team_id: str, body: JoinMessage) -> JoinAnswer:
    """A team that is open or has invited you takes you in at once; otherwise the captain is asked."""
    message, now = checked_message(request, body.message), clock.now()
    is_in = services.join(user=signed_in(request), team_id=team_id, message=message, now=now)
    return JoinAnswer(member=is_in)


@router.post(
    "/teams/{team_id}/decline",
    auth=SIGNED_IN,
    response={204: None},
    summary="Decline an invitation to a team",
)
def decline_team_invitation(request: HttpRequest, team_id: str) -> Answer[None]:
    """Also withdraws your own request to join."""
    services.decline(user=signed_in(request), team_id=team_id)
    return Answer(204, None)


@router.post("/teams/{team_id}/leave", auth=SIGNED_IN, response={204: None}, summary="Leave a team")
@problems(409)
def leave_team(request: HttpRequest, team_id: str) -> Answer[None]:
    """When the last member leaves, the team is disbanded."""
    services.leave(user=signed_in(request), team_id=team_id, now=clock.now())
    return Answer(204, None)


@router.get(
    "/teams/{team_id}/requests",
    auth=SIGNED_IN,
    response=list[JoinRequestOut],
    summary="List join requests and invitations",
)
@problems(403)
def list_join_requests(
    request: HttpRequest, team_id: str, offset: OFFSET = 0, limit: LIMIT = 100
) -> list[JoinRequestOut]:
    """For the captain, oldest first."""
    rows = selectors.join_requests(signed_in(request), selectors.access_team(team_id))
    return [
        JoinRequestOut(
            username=row.user.username,
            kind=JoinRequestKind(row.kind),
            message=row.message,
            made_at=row.made_at,
        )
        for row in rows[offset : offset + limit]
    ]


@router.post(
    "/teams/{team_id}/invitations", auth=SIGNED_IN, response={204: None}, summary="Invite a player to a team"
)
@problems(409)
def invite_to_team(request: HttpRequest, team_id: str, body: TeamInvitation) -> Answer[None]:
    """For the captain. A player who has asked to join becomes a member at once."""
    services.invite(
        user=signed_in(request),
        team_id=team_id,
        username=body.username,
        message=checked_message(request, body.message),
        now=clock.now(),
    )
    return Answer(204, None)


@router.post(
    "/teams/{team_id}/requests/{username}/accept",
    auth=SIGNED_IN,
    response={204: None},
    summary="Accept a join request",
)
@problems(422)
def accept_join_request(request: HttpRequest, team_id: str, username: str) -> Answer[None]:
    """For the captain."""
    _answer(request, team_id, username, accepted=True)
    return Answer(204, None)


@router.post(
    "/teams/{team_id}/requests/{username}/refuse",
    auth=SIGNED_IN,
    response={204: None},
    summary="Decline a join request",
)
@problems(422)
def decline_join_request(request: HttpRequest, team_id: str, username: str) -> Answer[None]:
    """For the captain; also withdraws an invitation."""
    _answer(request, team_id, username, accepted=False)
    return Answer(204, None)


@router.delete(
    "/teams/{team_id}/members/{username}", auth=SIGNED_IN, response={204: None}, summary="Remove a member"
)
@problems(409, 422)
def remove_team_member(request: HttpRequest, team_id: str, username: str) -> Answer[None]:
    """For the captain."""
    services.remove(user=signed_in(request), team_id=team_id, username=username)
    return Answer(204, None)


@router.put("/teams/{team_id}/captain", auth=SIGNED_IN, response=TeamOut, summary="Hand a team over")
def set_team_captain(request: HttpRequest, team_id: str, body: NamedPlayer) -> TeamOut:
    """For the captain, to another member, who leads it once they agree."""
    services.hand_over(user=signed_in(request), team_id=team_id, username=body.username)
    return team_out(selectors.access_team(team_id))


class LeadingBody(Body):
    """Whether you want to be the captain."""

    agreed: StrictBool


@router.post(
    "/teams/{team_id}/captain", auth=SIGNED_IN, response=TeamOut, summary="Say whether you will lead a team"
)
@problems(409)
def answer_captaincy(request: HttpRequest, team_id: str, body: LeadingBody) -> TeamOut:
    """If its captain has asked you; does nothing otherwise."""
    services.answer_leading(user=signed_in(request), team_id=team_id, accepted=body.agreed)
    return team_out(selectors.access_team(team_id))


@router.get("/teams/{team_id}/posts", auth=SIGNED_IN, response=TeamPostsPage, summary="Read the team's board")
@problems(403)
def list_team_posts(
    request: HttpRequest, team_id: str, cursor: CURSOR = None, limit: LIMIT = 30
) -> TeamPostsPage:
    """Newest first; for members."""
    rows = selectors.posts(signed_in(request), selectors.access_team(team_id))
    rows_page = page(rows, order=("-id",), cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.text))
    return TeamPostsPage(items=[_post(row) for row in rows_page.items], next=rows_page.next)


@router.post(
    "/teams/{team_id}/posts", auth=SIGNED_IN, response={201: TeamPost}, summary="Write on the team's board"
)
@needs(Scope.TALK)
def create_team_post(request: HttpRequest, team_id: str, body: NewTeamPost) -> Answer[TeamPost]:
    """For members. The board keeps 5000 messages, of each member the latest 500."""
    spend(scope="team_posts", who=caller(request))
    post = services.write(user=signed_in(request), team_id=team_id, text=body.text, now=clock.now())
    return Answer(201, _post(post))


@router.delete(
    "/teams/{team_id}/posts/{post_id}",
    auth=SIGNED_IN,
    response={204: None},
    summary="Delete a message from the board",
)
def delete_team_post(request: HttpRequest, team_id: str, post_id: int) -> Answer[None]:
    """Your own, or any if you are the captain."""
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


def _post(post: Post) -> TeamPost:
    return TeamPost(
        id=post.pk,
        author=PlayerOut(username=post.author.username),
        text=post.text,
        written_at=post.written_at,
    )
