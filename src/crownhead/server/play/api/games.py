"""The API of games: offer one, look at it, move, offer a draw, resign."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Query, Router
from ninja import Status as Answer

from crownhead import VARIANTS, Position
from crownhead.server.accounts.api.auth import ANYONE, PLAYERS, SIGNED_IN, checked_message, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.api import Limit
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import CURSOR, LIMIT
from crownhead.server.core.http import site_address
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.pagination import Page, first_of, shortened
from crownhead.server.core.problems import BadRequest
from crownhead.server.core.texts import without_controls
from crownhead.server.play import selectors
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.draws import services as draw_services
from crownhead.server.play.games import providers
from crownhead.server.play.games import services as game_services
from crownhead.server.play.games.selectors.starts import has_own_start
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.models import Game, Status
from crownhead.server.play.moves.services import move_and_say
from crownhead.server.play.presenters.state import game_state
from crownhead.server.play.schemas import (
    Filters,
    GameAfterMove,
    GameOut,
    GamesPage,
    NewGame,
    NewMove,
    VariantOut,
    game_after_move,
    game_out,
    variant_out,
)

router = Router(tags=["games"])

MAX_GAMES, MAX_PLIES = 25, 10_000  # of one page of a list, whatever limit is asked for


@router.get("/variants", auth=None, response=list[VariantOut], summary="List the variants")
def list_variants(request: HttpRequest) -> list[VariantOut]:  # noqa: ARG001 - given by the router
    """Their boards, start positions and rules in a paragraph."""
    return [variant_out(row, Position.start(row).fen()) for row in VARIANTS.values()]


@router.post("/games", auth=SIGNED_IN, response={201: GameOut}, summary="Create a game")
@problems(409)
def create_game(request: HttpRequest, game: NewGame) -> Answer[GameOut]:
    """It goes to the waiting room, or to the opponent as an invitation; its id stays once somebody joins."""
    user, now = signed_in(request), clock.now()
    if game.computer is not None:
        if game.opponent is not None:
            raise BadRequest("Choose either an opponent or the computer, not both.", field="opponent")
        made = providers.computer_game(user=user, level=game.computer, options=game.options(), now=now)
    elif game.opponent is None:
        made = game_services.create_game(creator=user, options=game.options(), now=now)
    else:
        if "@" in game.opponent:
            spend(scope="invitations", who=caller(request))
        made = invitation_services.invite(
            creator=user,
            opponent=game.opponent,
            options=game.options(),
            message=checked_message(request, game.message),
            site=site_address(request),
            now=now,
        )
    return Answer(201, game_response(request, made))


@router.get("/games", auth=ANYONE, response=GamesPage, summary="List games")
@problems(404)
def list_games(
    request: HttpRequest,
    filters: Annotated[Filters, Query()],
    mine: Annotated[bool, Query(description="Only your own games; you must be signed in.")] = False,
    turn: Annotated[
        Literal["me", "opponent"] | None,
        Query(description="With `mine`: games in progress in which they move."),
    ] = None,
    status: Annotated[
        Literal["waiting", "playing", "finished"] | None, Query(description="Only games in this state.")
    ] = None,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> GamesPage:
    """Newest first: all that you may see, or with ``mine`` your own."""
    if turn is not None and not mine:
        raise BadRequest("This needs mine=1.", field="turn")
    wanted, limit = filters.archive_filter(), page_length(limit)
    if mine:
        found = archive_selectors.own_games(
            user=signed_in(request),
            statuses=[status] if status else archive_selectors.OWN,
            turn=None if turn is None else turn == "me",
            wanted=wanted,
            cursor=cursor,
            limit=limit,
        )
    else:
        # Those that wait are in the waiting room.
        statuses = [each for each in archive_selectors.BEGUN if status in {None, each}]
        found = archive_selectors.begun_games(
            viewer=viewer(request), statuses=statuses, wanted=wanted, cursor=cursor, limit=limit
        )
    return games_page(request, found)


@router.get("/games/{game_id}", auth=ANYONE, response=GameOut, summary="Get a game")
def get_game(request: HttpRequest, game_id: str) -> GameOut:
    """Anybody may watch, unless the game is hidden or an invitation."""
    return game_response(
        request, selectors.access_game(viewer=viewer(request), public_id=game_id, now=clock.now())
    )


@router.post(
    "/games/{game_id}/moves",
    auth=PLAYERS,
    throttle=Limit("moves"),
    response=GameAfterMove,
    summary="Make a move",
)
@problems(409)
def make_move(request: HttpRequest, game_id: str, body: NewMove) -> GameAfterMove:
    """Safe to repeat: a move sent twice with the same version is made once and answered the same.

    Where you have sent too many chat messages, the move is made without its message; see ``message_sent``.
    """
    made = move_and_say(
        user=signed_in(request),
        game_id=game_id,
        move=body.move,
        version=body.version,
        message=checked_message(request, body.message),
        now=clock.now(),
    )
    sent = not made.unsent if without_controls(body.message) else None
    state = game_state(made.game, None, clock.now())
    return game_after_move(state, message_sent=sent, message_unsent=made.unsent)


@router.post("/games/{game_id}/draw-offer", auth=SIGNED_IN, response=GameOut, summary="Offer a draw")
@problems(409)
def offer_draw(request: HttpRequest, game_id: str) -> GameOut:
    """At any time, on either player's turn. If the opponent has offered one, this accepts it."""
    game = draw_services.offer_draw(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post("/games/{game_id}/draw-offer/accept", auth=SIGNED_IN, response=GameOut, summary="Accept a draw")
@problems(409)
def accept_draw(request: HttpRequest, game_id: str) -> GameOut:
    """The game ends as a draw by agreement."""
    game = draw_services.accept_draw(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post(
    "/games/{game_id}/draw-offer/decline", auth=SIGNED_IN, response=GameOut, summary="Decline a draw"
)
@problems(409)
def decline_draw(request: HttpRequest, game_id: str) -> GameOut:
    """The game goes on."""
    game = draw_services.decline_draw(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post("/games/{game_id}/draw-claim", auth=SIGNED_IN, response=GameOut, summary="Claim a draw")
@problems(409)
def claim_draw(request: HttpRequest, game_id: str) -> GameOut:
    """For a draw that the rules of the game grant on request; see ``claimable_draws``."""
    game = draw_services.claim_draw(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post("/games/{game_id}/resign", auth=SIGNED_IN, response=GameOut, summary="Resign")
@problems(409)
def resign(request: HttpRequest, game_id: str) -> GameOut:
    """At any time, on either player's turn."""
    game = draw_services.resign(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


def game_response(_request: HttpRequest, game: Game) -> GameOut:
    """A game, which looks the same to all who may see it."""
    return game_out(game_state(game, None, clock.now()))


def page_length(limit: int) -> int:
    """How many games a page has where so many are asked for."""
    return min(limit, MAX_GAMES)


def games_page(request: HttpRequest, found: Page[Game]) -> GamesPage:
    """A page of games as the API gives it; of long ones, or with starts of their own, there are few on it."""
    some = shortened(found, _plies, most=MAX_PLIES)
    games = selectors.prefetch_vacations(some.items)
    return GamesPage(items=[game_response(request, game) for game in games], next=some.next)


def short_enough(games: list[Game]) -> list[Game]:
    """The first of some games, up to so many moves in all, but at least one."""
    return first_of(games, _plies, most=MAX_PLIES)


def _plies(game: Game) -> int:
    """What a game costs, in moves of a record; from a start of its own there may be hundreds to choose."""
    has_many = game.status == Status.PLAYING and has_own_start(game)
    return game.version + (MAX_PLIES // 4 if has_many else 0)
