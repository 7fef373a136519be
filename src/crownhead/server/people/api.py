"""The API of people: players, buddies, blocked players, your own data, closing an account."""

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
from crownhead.server.accounts.api.auth import (
    ANYONE,
    SIGNED_IN,
    credential,
    expect_confirmed,
    needs,
    signed_in,
    viewer,
)
from crownhead.server.accounts.choices import Scope
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.contacts import validators as contact_validators
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.stranger_mail import LONGEST_NOTE
from crownhead.server.accounts.validators import LONGEST_PASSWORD
from crownhead.server.core import clock
from crownhead.server.core.api import Limit
from crownhead.server.core.api.openapi import problems, sends
from crownhead.server.core.api.parameters import CURSOR, LIMIT, OFFSET
from crownhead.server.core.http import site_address
from crownhead.server.core.pagination import page
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.people.models import Archive
from crownhead.server.people.presenters.people import PersonSummary, summaries, summary
from crownhead.server.people.selectors import results
from crownhead.server.people.selectors.data_export import archives_of, content, fetch
from crownhead.server.people.selectors.head_to_head import head_to_head
from crownhead.server.people.selectors.search import Found, Wanted, find_players
from crownhead.server.people.services import closing, data_export, friends
from crownhead.server.play.api.games import games_page, page_length
from crownhead.server.play.archive.selectors import begun_games
from crownhead.server.play.games.options import HIGHEST_RATING
from crownhead.server.play.schemas import GamesPage

router = Router(tags=["players"])

MAX_PLAYERS = 50  # of one page of those who are here, whatever limit is asked for


class PlayerSummary(Schema):
    """A player in a list; `seen_at` is null if the player hides it."""

    username: str
    closed: bool = Field(description="The account is closed.")
    here: bool = Field(description="Online now.")
    seen_at: datetime | None
    joined_at: datetime
    country: Annotated[str, Field(description="The name of the country; empty if not given.")]
    avatar: Annotated[str, Field(description="The address of a picture (SVG).")]


class PlayersPage(Schema):
    """A page of players; `next` is null on the last."""

    items: list[PlayerSummary]
    next: str | None


class VariantResults(Schema):
    """Finished games in one variant, of those that you may see."""

    variant: str
    won: int
    drawn: int
    lost: int
    lost_on_time: int


class ScoreAgainst(Schema):
    """Games of two players that are over, from the side of the first one."""

    won: int
    drawn: int
    lost: int


class HeadToHeadScore(Schema):
    """What two players have scored against each other, in games that you may see."""

    total: ScoreAgainst
    live: ScoreAgainst
    correspondence: ScoreAgainst


class PlayerProfile(PlayerSummary):
    """A player. Guests get no country, text and results where only members may see them."""

    text: Annotated[str, Field(description="The profile's text, in Markdown.")]
    results: list[VariantResults]


class Buddy(PlayerSummary):
    """One of your buddies."""

    note: str
    since: datetime


class BuddyNote(Body):
    """A note on a buddy; null keeps the present one."""

    note: Annotated[StrictStr, Field(max_length=contact_validators.LONGEST_NOTE)] | None = None


class BlockedPlayer(Schema):
    """A player you block."""

    username: str
    since: datetime


class FriendInvitation(Body):
    """Whom to invite to the club."""

    address: Annotated[StrictStr, Field(max_length=254)]
    message: Annotated[
        StrictStr,
        Field(max_length=1000, description=f"At most {LONGEST_NOTE} characters in one line, without links."),
    ] = ""


class DataArchive(Schema):
    """An archive of your data; `link` is null until it is ready."""

    id: str
    asked_at: datetime
    expires_at: datetime
    status: Literal["making", "ready", "failed"]
    size: Annotated[int, Field(description="In bytes.")]
    link: str | None


class AccountClosing(Body):
    """Your password, to confirm."""

    password: Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_PASSWORD)]
    code: Annotated[
        StrictStr,
        Field(
            max_length=40, description="Of the second factor, if you use one: for a token made without it."
        ),
    ] = ""


class PlayerFilters(Schema):
    """Whom to look for; at least a name, a country or a variant."""

    name: Annotated[str, Field(max_length=20, min_length=1)] | None = Field(
        None, description="Words of the username; upper and lower case count as the same."
    )
    country: Annotated[str, Field(min_length=2, max_length=2)] | None = Field(
        None, description="An ISO 3166-1 code, such as NL."
    )
    variant: Annotated[str, Field(min_length=1, max_length=32)] | None = Field(
        None, description="Players on the leaderboard of this variant."
    )
    min_rating: Annotated[int, Field(ge=0, le=HIGHEST_RATING)] | None = Field(
        None, description="With `variant`."
    )
    max_rating: Annotated[int, Field(ge=0, le=HIGHEST_RATING)] | None = Field(
        None, description="With `variant`."
    )


@router.get("/players", auth=ANYONE, response=PlayersPage, summary="Find players")
@problems(422)
def list_players(
    request: HttpRequest, filters: Annotated[PlayerFilters, Query()], cursor: CURSOR = None, limit: LIMIT = 20
) -> PlayersPage:
    """By rating, the highest first; by country, the newest first; otherwise in alphabetical order.

    A name alone finds those that begin with it, and behind the last of them some with its words elsewhere.
    With other filters its words may stand anywhere; then a page may have few players, or none, and there may
    still be a next one.
    """
    wanted = Wanted(
        name=filters.name or "",
        country=filters.country or "",
        variant=filters.variant or "",
        least=filters.min_rating,
        most=filters.max_rating,
        by_guest=viewer(request) is None,
    )
    if not wanted.anything:
        raise Unprocessable(_("Give a name, a country or a variant."), field="name")
    found, more = find_players(wanted, cursor=cursor, limit=limit)
    if wanted.name_alone and more is None:
        others = accounts.players_containing(wanted.name)[: limit - len(found)]
        found += [Found(user) for user in others]
    return PlayersPage(items=_all(request, [player.user for player in found]), next=more)


@router.get("/here", auth=ANYONE, response=PlayersPage, summary="List who is online")
def list_online_players(request: HttpRequest, cursor: CURSOR = None, limit: LIMIT = 20) -> PlayersPage:
    """Players who made a request in the last five minutes and let others see it, the latest first."""
    rows = accounts.players_online(clock.now())
    rows_page = page(rows, order=("-last_seen_at", "-id"), cursor=cursor, limit=min(limit, MAX_PLAYERS))
    return PlayersPage(items=_all(request, rows_page.items), next=rows_page.next)


@router.get("/players/{name}", auth=ANYONE, response=PlayerProfile, summary="Get a player")
def get_player(request: HttpRequest, name: str) -> PlayerProfile:
    """By their present username, or one they gave up recently."""
    person, me = _person(name), viewer(request)
    secret = accounts.is_secret(person, me)
    lines = [] if secret else results.tallies(person, viewer=me)
    return PlayerProfile(
        **_facts(request, summary(person, now=clock.now(), viewer=me)),
        text="" if secret else accounts.profile_of(person).text,
        results=[
            VariantResults(
                variant=line.variant.key,
                won=line.won,
                drawn=line.drawn,
                lost=line.lost,
                lost_on_time=line.lost_on_time,
            )
            for line in lines
        ],
    )


@router.get("/players/{name}/games", auth=ANYONE, response=GamesPage, summary="List a player's games")
def list_player_games(
    request: HttpRequest,
    name: str,
    status: Annotated[
        Literal["playing", "finished"], Query(description="Games in progress, or those that are over.")
    ] = "finished",
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> GamesPage:
    """The games that you may see, newest first."""
    person, me = _person(name), viewer(request)
    found = begun_games(viewer=me, player=person, statuses=[status], cursor=cursor, limit=page_length(limit))
    return games_page(request, found)


@router.get(
    "/players/{name}/against/{opponent}",
    auth=ANYONE,
    response=HeadToHeadScore,
    summary="Get the score of two players",
)
@problems(422)
def get_head_to_head(request: HttpRequest, name: str, opponent: str) -> HeadToHeadScore:
    """From the side of the first one; games that were annulled don't count."""
    one, other, me = _person(name), _person(opponent), viewer(request)
    if one == other:
        raise Unprocessable(_("Choose two different players."), field="opponent")
    if accounts.is_secret(one, me) or accounts.is_secret(other, me):
        raise NotFound(_("Only members can see this player's games."))
    scores = head_to_head(one, other, viewer=me)
    return HeadToHeadScore.model_validate(scores, from_attributes=True)


@router.get("/buddies", auth=SIGNED_IN, response=list[Buddy], summary="List your buddies")
def list_buddies(request: HttpRequest, offset: OFFSET = 0, limit: LIMIT = 100) -> list[Buddy]:
    """In alphabetical order; nobody else sees the list or your notes."""
    rows = accounts.buddies_of(signed_in(request)).select_related("buddy__profile")
    return [_buddy(request, row) for row in rows[offset : offset + limit]]


@router.put("/buddies/{name}", auth=SIGNED_IN, response=Buddy, summary="Add a buddy")
@problems(409)
@needs(Scope.TALK, shows=True)
def add_buddy(request: HttpRequest, name: str, body: BuddyNote) -> Buddy:
    """With a note, if you like. Nobody is notified."""
    user, other = signed_in(request), _active(name)
    row = contact_services.add_buddy(user=user, other=other, note=body.note, now=clock.now())
    return _buddy(request, row)


@router.delete("/buddies/{name}", auth=SIGNED_IN, response={204: None}, summary="Remove a buddy")
def remove_buddy(request: HttpRequest, name: str) -> Answer[None]:
    """Does nothing if the player isn't one."""
    contact_services.remove_buddy(user=signed_in(request), other=_person(name))
    return Answer(204, None)


@router.get("/ignored", auth=SIGNED_IN, response=list[BlockedPlayer], summary="List the players you block")
def list_blocked_players(request: HttpRequest, offset: OFFSET = 0, limit: LIMIT = 100) -> list[BlockedPlayer]:
    """In alphabetical order."""
    rows = accounts.blocked_by(signed_in(request))[offset : offset + limit]
    return [BlockedPlayer(username=row.ignored.username, since=row.created_at) for row in rows]


@router.put("/ignored/{name}", auth=SIGNED_IN, response=BlockedPlayer, summary="Block a player")
@problems(422)
def block_player(request: HttpRequest, name: str) -> BlockedPlayer:
    """They can't message, chat with or invite you, and you only meet in tournaments.

    They aren't notified, and are no longer your buddy.
    """
    other = _active(name)
    row = contact_services.block(user=signed_in(request), other=other, now=clock.now())
    return BlockedPlayer(username=other.username, since=row.created_at)


@router.delete("/ignored/{name}", auth=SIGNED_IN, response={204: None}, summary="Unblock a player")
def unblock_player(request: HttpRequest, name: str) -> Answer[None]:
    """Does nothing if the player isn't blocked."""
    contact_services.unblock(user=signed_in(request), other=_person(name))
    return Answer(204, None)


@router.post(
    "/friends",
    auth=SIGNED_IN,
    throttle=Limit("friends"),
    response={202: None},
    summary="Invite a friend to the club",
)
@problems(409)
def invite_friend(request: HttpRequest, body: FriendInvitation) -> Answer[None]:
    """Sends one e-mail with a link to join. The answer doesn't reveal whether the address has an account."""
    friends.invite(
        user=signed_in(request),
        address=body.address,
        message=body.message,
        site=site_address(request),
        now=clock.now(),
    )
    return Answer(202, None)


@router.get(
    "/me/archives", auth=SIGNED_IN, response=list[DataArchive], summary="List the archives of your data"
)
@needs(Scope.MANAGE, recently=True)
def list_archives(request: HttpRequest) -> list[DataArchive]:
    """The archives of the last seven days, the latest first."""
    return [_archive(row) for row in archives_of(signed_in(request), clock.now())]


@router.post(
    "/me/archives", auth=SIGNED_IN, response={202: DataArchive}, summary="Create an archive of your data"
)
@problems(409)
@needs(Scope.MANAGE, recently=True)
def create_archive(request: HttpRequest) -> Answer[DataArchive]:
    """It is made in the background; its status is in the list."""
    return Answer(202, _archive(data_export.ask(user=signed_in(request), now=clock.now())))


@router.get(
    "/me/archives/{archive_id}.zip",
    auth=SIGNED_IN,
    throttle=Limit("records"),
    response={200: None},
    summary="Download an archive of your data",
    url_name="archive",
)
@sends("application/zip")
@needs(Scope.MANAGE, recently=True)
def download_archive(request: HttpRequest, archive_id: str) -> HttpResponse:
    """JSON of everything the club stores about you, and your games as PDN."""
    archive = fetch(user=signed_in(request), public_id=archive_id, now=clock.now())
    answer = StreamingHttpResponse(content(archive), content_type="application/zip")
    answer.headers["Content-Disposition"] = f'attachment; filename="{archive.public_id}.zip"'
    return answer  # type: ignore[return-value]


@router.post(
    "/me/close",
    auth=SIGNED_IN,
    throttle=Limit("password"),
    response={204: None},
    summary="Close your account",
)
@needs(Scope.MANAGE)
@problems(409)
def close_account(request: HttpRequest, body: AccountClosing) -> Answer[None]:
    """For good: games in progress are resigned, private data is deleted, sessions and tokens end."""
    expect_confirmed(request, password=body.password, code=body.code)
    closing.close_confirmed(user=signed_in(request), now=clock.now(), by=credential(request))
    return Answer(204, None)


def _person(name: str) -> User:
    person = accounts.person(name) or accounts.former_player(name, clock.now())
    if person is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(name[:60])})
    return person


def _active(name: str) -> User:
    person = _person(name)
    if not person.is_active:
        raise Unprocessable(_("%(username)s has left the club.") % {"username": person.username})
    return person


def _facts(request: HttpRequest, known: PersonSummary) -> dict[str, Any]:
    return {
        "username": known.name,
        "closed": known.closed,
        "here": known.here,
        "seen_at": known.seen_at,
        "joined_at": known.joined_at,
        "country": known.country,
        "avatar": site_address(request) + reverse("people:avatar", args=[known.name]),
    }


def _all(request: HttpRequest, people: list[User]) -> list[PlayerSummary]:
    known = summaries(people, now=clock.now(), viewer=viewer(request))
    return [PlayerSummary(**_facts(request, person)) for person in known]


def _buddy(request: HttpRequest, row: accounts.Buddy) -> Buddy:
    facts = _facts(request, summary(row.buddy, now=clock.now(), viewer=viewer(request)))
    return Buddy(**facts, note=row.note, since=row.created_at)


def _archive(row: Archive) -> DataArchive:
    return DataArchive(
        id=row.public_id,
        asked_at=row.asked_at,
        expires_at=row.expires_at,
        status="failed" if row.failed else "ready" if row.ready_at else "making",
        size=row.size,
        link=reverse("api:archive", args=[row.public_id]) if row.ready_at else None,
    )
