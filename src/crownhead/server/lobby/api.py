"""The API of the waiting room: list it, join a game, withdraw your own, find one."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Query, Router
from ninja import Status as Answer

from crownhead import VARIANTS
from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.api.openapi import problems
from crownhead.server.core.api.parameters import CURSOR, LIMIT
from crownhead.server.core.pagination import page
from crownhead.server.core.problems import Unprocessable
from crownhead.server.lobby import selectors, services
from crownhead.server.lobby.selectors.search import Search
from crownhead.server.play.api.games import game_response, games_page, page_length
from crownhead.server.play.choices import Status
from crownhead.server.play.schemas import GameOut, GamesPage, WantedGame
from crownhead.server.play.selectors import NEWEST_FIRST

router = Router(tags=["waiting room"])


@router.get("/waiting-room", auth=ANYONE, response=GamesPage, summary="List open games")
def list_waiting_games(
    request: HttpRequest,
    variant: Annotated[str | None, Query(max_length=32)] = None,
    pace: Annotated[
        Literal["live", "bank", "days"] | None, Query(description="Only games with this kind of clock.")
    ] = None,
    rated: Annotated[bool | None, Query(description="Only rated games, or only unrated ones.")] = None,
    suits: Annotated[bool, Query(description="Only games that you can join.")] = False,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> GamesPage:
    """Newest first; with `pace`, `rated` or `suits` those among the newest thousand."""
    if variant is not None and variant not in VARIANTS:
        raise Unprocessable(f"expected one of {', '.join(VARIANTS)}, got {variant!r}", field="variant")
    rows = selectors.waiting_room(viewer=viewer(request), now=clock.now(), variant=variant)
    search = Search(pace=pace or "", rated="" if rated is None else "yes" if rated else "no", suits=suits)
    rows = search.applied(rows, viewer(request))
    return games_page(request, page(rows, order=NEWEST_FIRST, cursor=cursor, limit=page_length(limit)))


@router.post("/waiting-room/{game_id}/join", auth=SIGNED_IN, response=GameOut, summary="Join a game")
@problems(409, 422)
def join_game(request: HttpRequest, game_id: str) -> GameOut:
    """It starts at once."""
    game = services.join_game(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.delete("/waiting-room/{game_id}", auth=SIGNED_IN, response=GameOut, summary="Withdraw a game")
@problems(409)
def withdraw_game(request: HttpRequest, game_id: str) -> GameOut:
    """Only your own."""
    game = services.withdraw_game(user=signed_in(request), game_id=game_id, now=clock.now())
    return game_response(request, game)


@router.post("/auto-match", auth=SIGNED_IN, response={200: GameOut, 201: GameOut}, summary="Find a game")
@problems(409)
def find_game(request: HttpRequest, terms: WantedGame) -> Answer[GameOut]:
    """200: a game that was waiting on such terms has started. 201: yours is waiting for the next player."""
    game = services.auto_match(
        user=signed_in(request),
        options=terms.options(),
        flexibility=terms.flexibility(),
        now=clock.now(),
    )
    return Answer(201 if game.status == Status.WAITING else 200, game_response(request, game))
