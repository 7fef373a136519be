"""The API of the waiting room: see it, take a game, withdraw one's own."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Query, Router
from ninja import Status as Answer

from crownhead import VARIANTS
from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.problems import Unprocessable
from crownhead.server.lobby import selectors, services
from crownhead.server.lobby.selectors.search import Search
from crownhead.server.play.api.games import CURSOR, LIMIT, games_page, shown
from crownhead.server.play.schemas import GameOut, GamesPage, Terms

router = Router(tags=["waiting room"])


@router.get("/waiting-room", auth=ANYONE, response=GamesPage, summary="The open games")
def waiting_room(
    request: HttpRequest,
    variant: Annotated[str | None, Query(max_length=32)] = None,
    pace: Literal["live", "bank", "days"] | None = None,
    rated: bool | None = None,
    suits: bool = False,
    cursor: CURSOR = None,
    limit: LIMIT = 20,
) -> GamesPage:
    """Newest first; ``variant``, ``pace`` and ``rated`` keep to some, ``suits`` to those that I can take."""
    if variant is not None and variant not in VARIANTS:
        raise Unprocessable(f"variant: expected one of {', '.join(VARIANTS)}, got {variant!r}")
    rows = selectors.waiting_room(viewer=viewer(request), now=clock.now(), variant=variant)
    search = Search(pace=pace or "", rated="" if rated is None else "yes" if rated else "no", suits=suits)
    rows = search.applied(rows, viewer(request))
    return games_page(request, rows, cursor=cursor, limit=limit)


@router.post("/waiting-room/{game_id}/join", auth=SIGNED_IN, response=GameOut, summary="Take a game")
def join(request: HttpRequest, game_id: str) -> GameOut:
    """It starts at once."""
    game = services.join_game(user=signed_in(request), game_id=game_id, now=clock.now())
    return shown(request, game)


@router.delete("/waiting-room/{game_id}", auth=SIGNED_IN, response=GameOut, summary="Withdraw a game")
def withdraw(request: HttpRequest, game_id: str) -> GameOut:
    """One's own only."""
    game = services.withdraw_game(user=signed_in(request), game_id=game_id, now=clock.now())
    return shown(request, game)


@router.post(
    "/auto-match", auth=SIGNED_IN, response={200: GameOut, 201: GameOut}, summary="Give me a game of this"
)
def auto_match(request: HttpRequest, terms: Terms) -> Answer[GameOut]:
    """200: a game that waited on these terms has begun; 201: mine waits, for the next who asks."""
    game = services.auto_match(user=signed_in(request), options=terms.options(), now=clock.now())
    return Answer(201 if game.status == "waiting" else 200, shown(request, game))
