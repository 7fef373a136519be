"""The API of records and moments: PDN of one or of many games; FEN, PDN and pictures of any moment."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Query, Router

from crownhead.server.accounts.api.auth import ANYONE, SIGNED_IN, signed_in, viewer
from crownhead.server.core import clock
from crownhead.server.core.api import Limit
from crownhead.server.core.api.openapi import sends
from crownhead.server.core.limits import spend_pages
from crownhead.server.play import selectors
from crownhead.server.play.archive import presenters as moments
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.archive.presenters import PictureOptions
from crownhead.server.play.archive.selectors import PLIES_OF_A_PAGE
from crownhead.server.play.models import Game
from crownhead.server.play.presenters.board import png
from crownhead.server.play.schemas import Filters

router = Router(tags=["records and diagrams"])

NUMBERS = Annotated[
    Literal["none", "inside", "outside"], Query(description="Where the numbers of the squares are.")
]
THEME = Annotated[Literal["light", "dark", "print", "contrast"], Query(description="The colours.")]
FLIP = Annotated[bool, Query(description="Turn the board round.")]
CURSOR = Annotated[
    str | None, Query(max_length=200, description="Where the last file ended, as its `Link` header says.")
]
_TEXT = "text/plain; charset=utf-8"
_SIZE = "The width in pixels."
PLY = Annotated[
    int | None,
    Query(ge=0, le=100_000, description="The number of moves made; without it, the last position."),
]


@router.get(
    "/games.pdn",
    auth=SIGNED_IN,
    throttle=Limit("records"),
    response={200: None},
    summary="Download your finished games as PDN",
)
@sends("text/plain")
def export_my_games(
    request: HttpRequest,
    filters: Annotated[Filters, Query()],
    cursor: CURSOR = None,
) -> HttpResponse:
    """In one file, the latest to end first, as far as the filters allow.

    If they are too many for one file, the header `Link` has the address of those that follow.
    """
    user, wanted = signed_in(request), filters.archive_filter()
    arms = [
        archive_selectors.filtered(seat, wanted, user=user)
        for seat in selectors.my_finished_games_by_seat(user=user)
    ]
    portion = archive_selectors.portion(arms, cursor=cursor)
    spend_pages(request, portion.plies, PLIES_OF_A_PAGE)
    answer = StreamingHttpResponse(portion.records(), content_type=_TEXT)
    if portion.next is not None:
        following = request.GET.copy()
        following["cursor"] = portion.next
        answer["Link"] = f'<{request.path}?{following.urlencode()}>; rel="next"'
    return answer  # type: ignore[return-value]


@router.get("/games/{game_id}.pdn", auth=ANYONE, response={200: None}, summary="Get a game as PDN")
@sends("text/plain")
def get_game_pdn(request: HttpRequest, game_id: str, ply: PLY = None) -> HttpResponse:
    """The record so far, or up to a given move."""
    game = _game(request, game_id)
    spend_pages(request, game.version, PLIES_OF_A_PAGE)
    return _text(selectors.write_pdn(game, plies=ply))


@router.get("/games/{game_id}.fen", auth=ANYONE, response={200: None}, summary="Get a position as FEN")
@sends("text/plain")
def get_game_fen(request: HttpRequest, game_id: str, ply: PLY = None) -> HttpResponse:
    """The position after a given number of moves."""
    return _text(moments.position(_game(request, game_id), ply).fen() + "\n")


@router.get("/games/{game_id}.svg", auth=ANYONE, response={200: None}, summary="Get a position as SVG")
@sends("image/svg+xml")
def get_game_svg(
    request: HttpRequest,
    game_id: str,
    ply: PLY = None,
    flip: FLIP = False,
    numbers: NUMBERS = "inside",
    theme: THEME = "light",
    size: Annotated[int | None, Query(ge=40, le=4000, description=_SIZE)] = None,
) -> HttpResponse:
    """A diagram of the position, with the last move marked."""
    look = PictureOptions(flip=flip, numbers=numbers, theme=theme, size=size)
    return HttpResponse(moments.picture(_game(request, game_id), ply, look), content_type="image/svg+xml")


@router.get(
    "/games/{game_id}.png",
    auth=ANYONE,
    throttle=Limit("pictures"),
    response={200: None},
    summary="Get a position as PNG",
)
@sends("image/png")
def get_game_png(
    request: HttpRequest,
    game_id: str,
    ply: PLY = None,
    flip: FLIP = False,
    numbers: NUMBERS = "inside",
    theme: THEME = "light",
    size: Annotated[int, Query(ge=png.LEAST, le=png.MOST, description=_SIZE)] = png.USUAL,
) -> HttpResponse:
    """The diagram in pixels."""
    drawn = moments.picture(
        _game(request, game_id), ply, PictureOptions(flip=flip, numbers=numbers, theme=theme)
    )
    return HttpResponse(png.png(drawn, size), content_type="image/png")


def _game(request: HttpRequest, game_id: str) -> Game:
    return selectors.access_game(viewer=viewer(request), public_id=game_id, now=clock.now())


def _text(text: str) -> HttpResponse:
    return HttpResponse(text, content_type=_TEXT)
