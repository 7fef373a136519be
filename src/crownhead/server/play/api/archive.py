"""The API of records and moments: PDN of one or of many games; FEN, PDN and pictures of any moment."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.limits import Limit
from crownhead.server.play import selectors
from crownhead.server.play.archive import moments
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.archive.moments import Look
from crownhead.server.play.board import png
from crownhead.server.play.models import Game
from crownhead.server.play.schemas import Filters

router = Router(tags=["records"])

Numbers = Literal["none", "inside", "outside"]
Theme = Literal["light", "dark", "print", "contrast"]
PLY = Annotated[int | None, Query(ge=0, le=100_000, description="after so many moves; without it, the last")]


@router.get("/games.pdn", auth=SIGNED_IN, response={200: str}, summary="My finished games as PDN")
def my_games_pdn(
    request: HttpRequest,
    filters: Annotated[Filters, Query()],
) -> HttpResponse:
    """All of them in one file, the latest end first, as far as the filters go."""
    user = signed_in(request)
    rows = archive_selectors.filtered(selectors.my_finished_games(user=user), filters.wanted(), user=user)
    return _text("".join(archive_selectors.records(rows)))


@router.get("/games/{game_id}.pdn", auth=ANYONE, response={200: str}, summary="A game as PDN")
def game_pdn(request: HttpRequest, game_id: str, ply: PLY = None) -> HttpResponse:
    """The record so far, or up to a moment, as plain text."""
    return _text(selectors.write_pdn(_game(request, game_id), plies=ply))


@router.get("/games/{game_id}.fen", auth=ANYONE, response={200: str}, summary="A position as FEN")
def game_fen(request: HttpRequest, game_id: str, ply: PLY = None) -> HttpResponse:
    """The position after so many moves, as plain text."""
    return _text(moments.position(_game(request, game_id), ply).fen() + "\n")


@router.get("/games/{game_id}.svg", auth=ANYONE, response={200: str}, summary="A position as a picture")
def game_svg(
    request: HttpRequest,
    game_id: str,
    ply: PLY = None,
    flip: bool = False,
    numbers: Numbers = "inside",
    theme: Theme = "light",
    size: Annotated[int | None, Query(ge=40, le=4000)] = None,
) -> HttpResponse:
    """The position after so many moves, with the last one drawn, as SVG."""
    look = Look(flip=flip, numbers=numbers, theme=theme, size=size)
    return HttpResponse(moments.picture(_game(request, game_id), ply, look), content_type="image/svg+xml")


@router.get(
    "/games/{game_id}.png",
    auth=ANYONE,
    throttle=Limit("pictures"),
    response={200: bytes},
    summary="A position as a picture of pixels",
)
def game_png(
    request: HttpRequest,
    game_id: str,
    ply: PLY = None,
    flip: bool = False,
    numbers: Numbers = "inside",
    theme: Theme = "light",
    size: Annotated[int, Query(ge=png.LEAST, le=png.MOST)] = png.USUAL,
) -> HttpResponse:
    """The same as PNG, so many pixels wide."""
    drawn = moments.picture(_game(request, game_id), ply, Look(flip=flip, numbers=numbers, theme=theme))
    return HttpResponse(png.png(drawn, size), content_type="image/png")


def _game(request: HttpRequest, game_id: str) -> Game:
    return selectors.access_game(viewer=viewer(request), public_id=game_id, now=clock.now())


def _text(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
