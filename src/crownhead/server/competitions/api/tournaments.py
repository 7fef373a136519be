"""The API of tournaments: announce, enter, follow, and agree on times."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Query, Router
from ninja import Status as Answer

from crownhead import VARIANTS
from crownhead.contest.formats import FORMATS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import expect_readable
from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, checked_message, signed_in, viewer
from crownhead.server.competitions import selectors, services
from crownhead.server.competitions.choices import Status
from crownhead.server.competitions.models import Tournament
from crownhead.server.competitions.schemas import (
    AgreedBody,
    AnswerBody,
    AppointmentBody,
    DirectorActionsPage,
    EntrantOut,
    EntrantsPage,
    FormatOption,
    NewTournament,
    PresenceBody,
    RoundBody,
    RoundOut,
    TournamentDetails,
    TournamentFormat,
    TournamentOut,
    TournamentsPage,
    TournamentTable,
    TrophyOut,
    director_action_out,
    entrant_out,
    in_utc,
    pairing_out,
    tables_out,
    tournament_details,
    tournament_out,
)
from crownhead.server.competitions.selectors.acts import with_names_of_today
from crownhead.server.competitions.selectors.standings import sheet_of, standing_of
from crownhead.server.competitions.services.announcement import Announcement
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import CURSOR, LIMIT, OFFSET
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.pagination import page, shortened
from crownhead.server.core.problems import NotFound
from crownhead.server.core.texts import expect_one_of

MOST_GAMES = 100  # on a page of the pairings of a round, unless a single pairing has more

router = Router(tags=["tournaments"])


@router.get(
    "/tournament-formats", auth=None, response=list[TournamentFormat], summary="List the tournament formats"
)
def list_tournament_formats(request: HttpRequest) -> list[TournamentFormat]:  # noqa: ARG001 - given by the router
    """With the options of each."""
    return [
        TournamentFormat(
            key=made.key,
            name=made.name,
            summary=made.summary,
            live=made.live,
            late=made.late,
            options=[
                FormatOption(
                    key=option.key,
                    text=option.text,
                    default=option.default,
                    least=option.least,
                    most=option.most,
                    choices=list(option.choices),
                )
                for option in made.options
            ],
        )
        for made in FORMATS.values()
    ]


@router.get("/tournaments", auth=ANYONE, response=TournamentsPage, summary="List tournaments")
def list_tournaments(
    request: HttpRequest,
    status: Annotated[Status | None, Query(description="Only tournaments in this state.")] = None,
    variant: Annotated[str | None, Query(max_length=32)] = None,
    team: Annotated[
        str | None, Query(max_length=32, description="The id of a team: only its tournaments.")
    ] = None,
    mine: Annotated[
        bool, Query(description="Only those that aren't over and that you play in or host.")
    ] = False,
    invited: Annotated[
        bool, Query(description="Only those to which you are invited and have not answered.")
    ] = False,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> TournamentsPage:
    """Newest first."""
    if variant is not None:
        expect_one_of("variant", variant, VARIANTS)
    if invited:
        rows = selectors.my_invitations(signed_in(request))
    elif mine:
        rows = selectors.my_tournaments(signed_in(request))
    else:
        rows = selectors.tournaments(status=status, variant=variant, team=team)
    rows_page = page(rows, order=("-id",), cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, lambda row: len(row.about))
    return TournamentsPage(items=[tournament_out(row) for row in rows_page.items], next=rows_page.next)


@router.post("/tournaments", auth=SIGNED_IN, response={201: TournamentOut}, summary="Announce a tournament")
@problems(404, 409)
def create_tournament(request: HttpRequest, body: NewTournament) -> Answer[TournamentOut]:
    """You direct it; to play in it, enter it too."""
    spend(scope="tournaments", who=caller(request))
    made = services.create(user=signed_in(request), wanted=_announced(request, body), now=clock.now())
    return Answer(201, tournament_out(made))


@router.get(
    "/tournaments/{tournament_id}", auth=ANYONE, response=TournamentDetails, summary="Get a tournament"
)
def get_tournament(request: HttpRequest, tournament_id: str) -> TournamentDetails:
    """Anybody may see any tournament."""
    return tournament_details(selectors.access_tournament(tournament_id), viewer(request))


@router.put(
    "/tournaments/{tournament_id}", auth=SIGNED_IN, response=TournamentOut, summary="Edit a tournament"
)
@problems(409)
def update_tournament(request: HttpRequest, tournament_id: str, body: NewTournament) -> TournamentOut:
    """For its directors, before it begins."""
    before = selectors.access_tournament(tournament_id)
    services.edit(
        user=signed_in(request),
        tournament_id=tournament_id,
        wanted=_announced(request, body, before),
        now=clock.now(),
    )
    return tournament_out(selectors.access_tournament(tournament_id))


def _announced(request: HttpRequest, body: NewTournament, before: Tournament | None = None) -> Announcement:
    """The terms as the services take them, with texts that the token lets its user write."""
    checked_message(request, body.name, before=before.name if before else "")
    checked_message(request, body.about, before=before.about if before else "")
    for prize in body.prizes:
        checked_message(request, prize, before=prize if before and prize in before.prizes else "")
    return body.announcement()


@router.get(
    "/tournaments/{tournament_id}/players",
    auth=ANYONE,
    response=EntrantsPage,
    summary="List the players of a tournament",
)
def list_tournament_players(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    tournament_id: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> EntrantsPage:
    """The strongest first."""
    rows = selectors.entrants(selectors.access_tournament(tournament_id))
    rows_page = page(rows, order=("-rating", "id"), cursor=cursor, limit=limit)
    return EntrantsPage(items=[entrant_out(row) for row in rows_page.items], next=rows_page.next)


@router.get(
    "/tournaments/{tournament_id}/tables",
    auth=ANYONE,
    response=list[TournamentTable],
    summary="Get the tables of a tournament",
)
def get_tournament_tables(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    tournament_id: str,
    offset: OFFSET = 0,
    limit: Annotated[int, Query(ge=1, le=100, description="How many rows to get, of all tables.")] = 100,
) -> list[TournamentTable]:
    """The overall standings first, then those of sections, the newest first; their rows are counted on."""
    standing = standing_of(selectors.access_tournament(tournament_id))
    return tables_out(standing, offset=offset, limit=limit)


@router.get(
    "/tournaments/{tournament_id}/rounds/{number}",
    auth=ANYONE,
    response=RoundOut,
    summary="Get a round of a tournament",
)
def get_tournament_round(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    tournament_id: str,
    number: int,
    cursor: CURSOR = None,
    limit: LIMIT = 100,
) -> RoundOut:
    """With its pairings and their games, by table.

    `limit` counts pairings. A page has fewer where they have more than 100 games together; `next` leads on.
    """
    row = selectors.round_numbered(selectors.access_tournament(tournament_id), number)
    if row is None:
        raise NotFound(_("There is no round %(number)s.") % {"number": number})
    rows_page = page(selectors.pairings_to_show(row), order=("table",), cursor=cursor, limit=limit)
    rows_page = shortened(rows_page, selectors.games_in, most=MOST_GAMES)
    sheet, made = sheet_of(number, rows_page.items)
    pairings = [pairing_out(sheet, number, pairing) for pairing in made]
    return RoundOut(number=number, pairings=pairings, next=rows_page.next)


@router.get(
    "/tournaments/{tournament_id}/log",
    auth=ANYONE,
    response=DirectorActionsPage,
    summary="Get the log of a tournament",
)
def get_tournament_log(
    request: HttpRequest,  # noqa: ARG001 - given by the router
    tournament_id: str,
    cursor: CURSOR = None,
    limit: LIMIT = 50,
) -> DirectorActionsPage:
    """What its directors did and why, the latest first."""
    rows = selectors.director_actions(selectors.access_tournament(tournament_id))
    rows_page = page(rows, order=("-id",), cursor=cursor, limit=limit)
    items = [director_action_out(row) for row in with_names_of_today(rows_page.items)]
    return DirectorActionsPage(items=items, next=rows_page.next)


@router.post(
    "/tournaments/{tournament_id}/enter", auth=SIGNED_IN, response=EntrantOut, summary="Enter a tournament"
)
@problems(409, 422)
def enter_tournament(
    request: HttpRequest,
    tournament_id: str,
    offer: Annotated[
        str | None,
        Query(
            max_length=32,
            description=(
                "That of the tournament as you read it: 409 if it has changed since."
                " Without it you accept what stands."
            ),
        ),
    ] = None,
) -> EntrantOut:
    """Or accept a director's invitation to it. If you can't, the problem says why."""
    user, now = signed_in(request), clock.now()
    return entrant_out(services.enter(user=user, tournament_id=tournament_id, shown=offer, now=now))


@router.post(
    "/tournaments/{tournament_id}/withdraw",
    auth=SIGNED_IN,
    response={204: None},
    summary="Withdraw from a tournament",
)
@problems(409)
def withdraw_from_tournament(request: HttpRequest, tournament_id: str) -> Answer[None]:
    """Before it begins you are simply taken off the list; later its terms apply."""
    services.withdraw(user=signed_in(request), tournament_id=tournament_id, now=clock.now())
    return Answer(204, None)


@router.post(
    "/tournaments/{tournament_id}/decline",
    auth=SIGNED_IN,
    response={204: None},
    summary="Decline an invitation to a tournament",
)
def decline_tournament_invitation(request: HttpRequest, tournament_id: str) -> Answer[None]:
    """Does nothing if you weren't invited."""
    services.decline(user=signed_in(request), tournament_id=tournament_id, now=clock.now())
    return Answer(204, None)


@router.post(
    "/tournaments/{tournament_id}/directing",
    auth=SIGNED_IN,
    response={204: None},
    summary="Say whether you will direct a tournament",
)
def answer_directing(request: HttpRequest, tournament_id: str, body: AgreedBody) -> Answer[None]:
    """If its host has asked you; you direct it only once you agree."""
    services.answer_directing(user=signed_in(request), tournament_id=tournament_id, accepted=body.agreed)
    return Answer(204, None)


@router.post(
    "/tournaments/{tournament_id}/here",
    auth=SIGNED_IN,
    response={204: None},
    summary="Play or pause in an arena",
)
@problems(409)
def set_arena_presence(request: HttpRequest, tournament_id: str, body: PresenceBody) -> Answer[None]:
    """While you pause you aren't paired."""
    services.be_here(user=signed_in(request), tournament_id=tournament_id, here=body.here, now=clock.now())
    return Answer(204, None)


@router.post(
    "/tournaments/{tournament_id}/byes", auth=SIGNED_IN, response={204: None}, summary="Ask for a bye"
)
@problems(409)
def request_bye(request: HttpRequest, tournament_id: str, body: RoundBody) -> Answer[None]:
    """In a round to come; asking again takes it back."""
    services.ask_bye(user=signed_in(request), tournament_id=tournament_id, number=body.round)
    return Answer(204, None)


@router.post(
    "/tournaments/{tournament_id}/rounds/{number}/tables/{table}/appointment",
    auth=SIGNED_IN,
    response={204: None},
    summary="Propose a time to play",
)
@problems(409)
def propose_appointment(
    request: HttpRequest, tournament_id: str, number: int, table: int, body: AppointmentBody
) -> Answer[None]:
    """To your opponent, in a round with appointments."""
    services.propose_appointment(
        user=signed_in(request),
        tournament_id=tournament_id,
        number=number,
        table=table,
        at=in_utc("at", body.at),
        now=clock.now(),
    )
    return Answer(204, None)


@router.post(
    "/tournaments/{tournament_id}/rounds/{number}/tables/{table}/appointment/answer",
    auth=SIGNED_IN,
    response={204: None},
    summary="Answer a proposed time",
)
@problems(409)
def answer_appointment(
    request: HttpRequest, tournament_id: str, number: int, table: int, body: AnswerBody
) -> Answer[None]:
    """If you agree, the game starts at that time by itself; 409 if your opponent proposes another one now."""
    services.answer_appointment(
        user=signed_in(request),
        tournament_id=tournament_id,
        number=number,
        table=table,
        agreed=body.agreed,
        at=None if body.at is None else in_utc("at", body.at),
        now=clock.now(),
    )
    return Answer(204, None)


@router.get(
    "/players/{username}/trophies", auth=ANYONE, response=list[TrophyOut], summary="List a player's trophies"
)
def list_player_trophies(request: HttpRequest, username: str) -> list[TrophyOut]:
    """The latest first."""
    player = accounts.player(username)
    if player is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(username[:60])})
    expect_readable(player, viewer(request))
    return [TrophyOut.from_orm(trophy) for trophy in selectors.trophies_of(player.pk)]
