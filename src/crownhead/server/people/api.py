"""The API of people: players, buddies, those one ignores, one's own data, leaving."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Query, Router, Schema
from ninja import Status as Answer
from pydantic import Field, StrictStr

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.api.accounts import Body
from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import site_of
from crownhead.server.core.limits import Limit
from crownhead.server.core.pagination import page
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.people.models import Archive
from crownhead.server.people.presenters.people import Face, face, faces
from crownhead.server.people.presenters.profile import is_secret
from crownhead.server.people.selectors import results
from crownhead.server.people.services import data_export, friends
from crownhead.server.people.services.closing import close_account
from crownhead.server.play.api.games import CURSOR, LIMIT, games_page
from crownhead.server.play.schemas import GamesPage

router = Router(tags=["people"])

Text = Annotated[StrictStr, Field(max_length=1000)]


class PlayerOut(Schema):
    """A player in a list; `seen_at` is null for whoever does not want it known."""

    username: str
    closed: bool
    here: bool
    seen_at: datetime | None
    joined_at: datetime
    country: Annotated[str, Field(description="what the country is called; empty where it is not said")]
    avatar: Annotated[str, Field(description="the address of a picture, SVG")]


class PlayersPage(Schema):
    """Some players; `next` is null on the last page."""

    items: list[PlayerOut]
    next: str | None


class ResultOut(Schema):
    """Finished games in one variant, of those that the asker may see."""

    variant: str
    won: int
    drawn: int
    lost: int


class ProfileOut(PlayerOut):
    """A player; for guests text and results are empty where only members may read them."""

    text: Annotated[str, Field(description="Markdown")]
    results: list[ResultOut]


class BuddyOut(PlayerOut):
    """Somebody whom I keep near."""

    note: str
    since: datetime


class NewBuddy(Body):
    """Whom to keep near; a note that is not given stays as it is."""

    note: Annotated[StrictStr, Field(max_length=contact_services.LONGEST_NOTE)] | None = None


class IgnoredOut(Schema):
    """Somebody of whom I want to hear nothing."""

    username: str
    since: datetime


class Friend(Body):
    """Whom to tell of the club."""

    address: Annotated[StrictStr, Field(max_length=254)]
    message: Text = ""


class ArchiveOut(Schema):
    """An archive of my data; `link` is null until it is ready."""

    id: str
    asked_at: datetime
    expires_at: datetime
    status: Literal["making", "ready", "failed"]
    size: Annotated[int, Field(description="bytes")]
    link: str | None


class Closing(Body):
    """The password once more."""

    password: Annotated[StrictStr, Field(min_length=1, max_length=128)]


@router.get("/players", auth=ANYONE, response=PlayersPage, summary="Players by name")
def players(
    request: HttpRequest,
    name: Annotated[str, Query(max_length=20, min_length=1, description="how it begins, in whatever case")],
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> PlayersPage:
    """In the order of names."""
    found = page(accounts.names_beginning(name), order=("folded",), cursor=cursor, limit=limit)
    return PlayersPage(items=_all(request, found.items), next=found.next)


@router.get("/here", auth=ANYONE, response=PlayersPage, summary="Who is here")
def here(request: HttpRequest, cursor: CURSOR = None, limit: LIMIT = 20) -> PlayersPage:
    """Who made a request in the last five minutes and lets it be seen, the latest first."""
    rows = accounts.people_here(clock.now())
    found = page(rows, order=("-last_seen_at", "-id"), cursor=cursor, limit=limit)
    return PlayersPage(items=_all(request, found.items), next=found.next)


@router.get("/players/{name}", auth=ANYONE, response=ProfileOut, summary="A player")
def player(request: HttpRequest, name: str) -> ProfileOut:
    """By the name he has, or had until lately."""
    person, me = _person(name), viewer(request)
    secret = is_secret(person, me)
    lines = [] if secret else results.tallies(person, viewer=me)
    return ProfileOut(
        **_facts(request, face(person, now=clock.now())),
        text="" if secret else accounts.profile_of(person).text,
        results=[
            ResultOut(variant=line.variant.key, won=line.won, drawn=line.drawn, lost=line.lost)
            for line in lines
        ],
    )


@router.get("/players/{name}/games", auth=ANYONE, response=GamesPage, summary="A player's games")
def games_of_player(
    request: HttpRequest,
    name: str,
    status: Literal["playing", "finished"] = "finished",
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> GamesPage:
    """Those that the asker may see, in progress or over, newest first."""
    person, me = _person(name), viewer(request)
    if is_secret(person, me):
        raise NotFound(_("this player shows his games to members only"))
    rows = results.finished(person, viewer=me) if status == "finished" else results.running(person, viewer=me)
    return games_page(request, rows, cursor=cursor, limit=limit)


@router.get("/buddies", auth=SIGNED_IN, response=list[BuddyOut], summary="My buddies")
def buddies(request: HttpRequest) -> list[BuddyOut]:
    """In the order of names; nobody else sees the list or the notes."""
    rows = accounts.buddies_of(signed_in(request)).select_related("buddy__profile")
    return [_buddy(request, row) for row in rows]


@router.put("/buddies/{name}", auth=SIGNED_IN, response=BuddyOut, summary="Keep somebody near")
def add_buddy(request: HttpRequest, name: str, body: NewBuddy) -> BuddyOut:
    """With a note, if one is given. Nobody is told."""
    user, other = signed_in(request), _active(name)
    row = contact_services.add_buddy(user=user, other=other, note=body.note, now=clock.now())
    return _buddy(request, row)


@router.delete(
    "/buddies/{name}", auth=SIGNED_IN, response={204: None}, summary="Keep somebody near no longer"
)
def remove_buddy(request: HttpRequest, name: str) -> Answer[None]:
    """Nothing happens if he is no buddy."""
    contact_services.remove_buddy(user=signed_in(request), other=_person(name))
    return Answer(204, None)


@router.get("/ignored", auth=SIGNED_IN, response=list[IgnoredOut], summary="Whom I ignore")
def ignored(request: HttpRequest) -> list[IgnoredOut]:
    """In the order of names."""
    rows = accounts.ignored_by(signed_in(request))
    return [IgnoredOut(username=row.ignored.username, since=row.created_at) for row in rows]


@router.put("/ignored/{name}", auth=SIGNED_IN, response=IgnoredOut, summary="Ignore somebody")
def ignore(request: HttpRequest, name: str) -> IgnoredOut:
    """No messages, chat, invitations or pairings outside tournaments. He is not told, and is no buddy."""
    other = _active(name)
    row = contact_services.ignore(user=signed_in(request), other=other, now=clock.now())
    return IgnoredOut(username=other.username, since=row.created_at)


@router.delete("/ignored/{name}", auth=SIGNED_IN, response={204: None}, summary="Ignore somebody no longer")
def stop_ignoring(request: HttpRequest, name: str) -> Answer[None]:
    """Nothing happens if he is not ignored."""
    contact_services.stop_ignoring(user=signed_in(request), other=_person(name))
    return Answer(204, None)


@router.post(
    "/friends", auth=SIGNED_IN, throttle=Limit("friends"), response={202: None}, summary="Tell a friend"
)
def tell_a_friend(request: HttpRequest, body: Friend) -> Answer[None]:
    """By one e-mail with a link to join. Whether the address has an account is not told."""
    friends.tell(
        user=signed_in(request),
        address=body.address,
        message=body.message,
        site=site_of(request),
        now=clock.now(),
    )
    return Answer(202, None)


@router.get("/me/archives", auth=SIGNED_IN, response=list[ArchiveOut], summary="Archives of my data")
def archives(request: HttpRequest) -> list[ArchiveOut]:
    """Those of the last seven days, the latest first."""
    return [_archive(row) for row in data_export.archives_of(signed_in(request), clock.now())]


@router.post("/me/archives", auth=SIGNED_IN, response={202: ArchiveOut}, summary="Take my data along")
def make_archive(request: HttpRequest) -> Answer[ArchiveOut]:
    """The archive is made in the background; look at the list."""
    return Answer(202, _archive(data_export.ask(user=signed_in(request), now=clock.now())))


@router.get(
    "/me/archives/{archive_id}.zip",
    auth=SIGNED_IN,
    response={200: bytes},
    summary="The archive",
    url_name="archive",
)
def download(request: HttpRequest, archive_id: str) -> HttpResponse:
    """JSON of all that is kept about me, and my games as PDN."""
    archive = data_export.fetch(user=signed_in(request), public_id=archive_id, now=clock.now())
    answer = StreamingHttpResponse(data_export.content(archive), content_type="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="{archive.public_id}.zip"'
    return answer  # type: ignore[return-value]


@router.post(
    "/me/close", auth=SIGNED_IN, throttle=Limit("password"), response={204: None}, summary="Close my account"
)
def close(request: HttpRequest, body: Closing) -> Answer[None]:
    """For good: games in progress are resigned, what is private is deleted, sessions and tokens end."""
    close_account(user=signed_in(request), password=body.password, now=clock.now())
    return Answer(204, None)


def _person(name: str) -> User:
    found = accounts.person(name) or accounts.former_player(name, clock.now())
    if found is None:
        raise NotFound(_("there is no player %(given)s") % {"given": repr(name[:60])})
    return found


def _active(name: str) -> User:
    person = _person(name)
    if not person.is_active:
        raise Unprocessable(_("%(username)s plays here no more") % {"username": person.username})
    return person


def _facts(request: HttpRequest, known: Face) -> dict[str, Any]:
    return {
        "username": known.name,
        "closed": known.closed,
        "here": known.here,
        "seen_at": known.seen_at,
        "joined_at": known.joined_at,
        "country": known.country,
        "avatar": request.build_absolute_uri(reverse("people:avatar", args=[known.name])),
    }


def _all(request: HttpRequest, people: list[User]) -> list[PlayerOut]:
    return [PlayerOut(**_facts(request, known)) for known in faces(people, now=clock.now())]


def _buddy(request: HttpRequest, row: accounts.Buddy) -> BuddyOut:
    facts = _facts(request, face(row.buddy, now=clock.now()))
    return BuddyOut(**facts, note=row.note, since=row.created_at)


def _archive(row: Archive) -> ArchiveOut:
    return ArchiveOut(
        id=row.public_id,
        asked_at=row.asked_at,
        expires_at=row.expires_at,
        status="failed" if row.failed else "ready" if row.ready_at else "making",
        size=row.size,
        link=reverse("api:archive", args=[row.public_id]) if row.ready_at else None,
    )
