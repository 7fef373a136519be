"""The API of records and moments: PDN of one or of many games; FEN, SVG and PDN of any moment."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from crownhead.server.accounts.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.play import archive, moments, selectors
from crownhead.server.play.models import Game
from crownhead.server.play.schemas import Filters

router = Router(tags=["records"])

PLY = Annotated[int | None, Query(ge=0, le=100_000, description="after so many moves; without it, the last")]


@router.get("/games.pdn", auth=SIGNED_IN, response={200: str}, summary="My finished games as PDN")
def my_games_pdn(
    request: HttpRequest,
    filters: Annotated[Filters, Query()],
) -> HttpResponse:
    """All of them in one file, the latest end first, as far as the filters go."""
    user = signed_in(request)
    rows = archive.filtered(selectors.my_finished_games(user=user), filters.wanted(), user=user)
    return _text("".join(archive.records(rows)))


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
    numbers: Literal["none", "inside", "outside"] = "inside",
    theme: Literal["light", "dark", "print", "contrast"] = "light",
    size: Annotated[int | None, Query(ge=40, le=4000)] = None,
) -> HttpResponse:
    """The position after so many moves, with the last one drawn, as SVG."""
    drawn = moments.picture(_game(request, game_id), ply, flip=flip, numbers=numbers, theme=theme, size=size)
    return HttpResponse(drawn, content_type="image/svg+xml")


def _game(request: HttpRequest, game_id: str) -> Game:
    return selectors.access_game(viewer=viewer(request), public_id=game_id, now=clock.now())


def _text(text: str) -> HttpResponse:
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
