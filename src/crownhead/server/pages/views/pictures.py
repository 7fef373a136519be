"""Pictures by address, to be embedded anywhere: moments of games and any position, as SVG, PNG and FEN."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from hashlib import sha256
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.problems import Problem, Unprocessable
from crownhead.server.pages.presenters.fen import position_of
from crownhead.server.play import selectors
from crownhead.server.play.archive import presenters as moments
from crownhead.server.play.archive.presenters import PictureOptions
from crownhead.server.play.choices import Status
from crownhead.server.play.presenters.board import png
from crownhead.server.play.selectors import Game

MAX_AGE = 86_400  # seconds for which a picture that never changes may be cached
SVG, PNG, FEN = "image/svg+xml", "image/png", "text/plain; charset=utf-8"
LARGEST = 10_000  # pixels across, of an SVG

Parameters = ParamSpec("Parameters")
View = Callable[Concatenate[HttpRequest, Parameters], HttpResponse]


def _plain_text_errors(view: View[Parameters]) -> View[Parameters]:
    """Answer problems in plain text: what is embedded is not a page."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Problem as problem:
            return HttpResponse(
                f"{problem.detail}\n", status=problem.status, content_type=FEN, headers=problem.headers
            )

    return guarded


@require_safe
@_plain_text_errors
def game_svg(request: HttpRequest, public_id: str) -> HttpResponse:
    """A moment of a game; ``ply``: after so many moves."""
    look = _look(request.GET)
    return _moment(request, public_id, SVG, lambda game, ply: moments.picture(game, ply, look))


@require_safe
@_plain_text_errors
def game_png(request: HttpRequest, public_id: str) -> HttpResponse:
    """The position as PNG."""
    look, width = _pixels(request.GET)

    def drawn(game: Game, ply: int | None) -> bytes:
        spend(scope="pictures", who=caller(request))
        return png.png(moments.picture(game, ply, look), width)

    return _moment(request, public_id, PNG, drawn)


@require_safe
@_plain_text_errors
def game_fen(request: HttpRequest, public_id: str) -> HttpResponse:
    """The position as FEN."""
    return _moment(request, public_id, FEN, lambda game, ply: f"{moments.position(game, ply).fen()}\n")


@require_safe
@_plain_text_errors
def diagram_svg(request: HttpRequest) -> HttpResponse:
    """A position that ``variant`` and ``fen`` give."""
    look = _look(request.GET)
    return _cached(HttpResponse(look.svg(position_of(request.GET)), content_type=SVG))


@require_safe
@_plain_text_errors
def diagram_png(request: HttpRequest) -> HttpResponse:
    """The position as PNG."""
    look, width = _pixels(request.GET)
    drawn = look.svg(position_of(request.GET))
    spend(scope="pictures", who=caller(request))
    return _cached(HttpResponse(png.png(drawn, width), content_type=PNG))


def _moment(
    request: HttpRequest, public_id: str, kind: str, make: Callable[[Game, int | None], str | bytes]
) -> HttpResponse:
    """A moment of a game, drawn only if the client does not have it yet."""
    game = selectors.access_game(viewer=request.user, public_id=public_id, now=clock.now())
    ply = _number(request.GET, "ply", 0, 99_999)
    state = f"{kind} {game.public_id} {game.version} {game.status} {request.META.get('QUERY_STRING', '')}"
    etag = f'"{sha256(state.encode()).hexdigest()[:32]}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = HttpResponse(make(game, ply), content_type=kind, headers={"ETag": etag})
    if not game.is_public:
        patch_cache_control(answer, private=True, no_cache=True)
        patch_vary_headers(answer, ["Cookie"])
        return answer
    if game.status == Status.FINISHED:
        return _cached(answer)
    patch_cache_control(answer, public=True, no_cache=True)
    return _embeddable(answer)


def _cached(answer: HttpResponse) -> HttpResponse:
    patch_cache_control(answer, public=True, max_age=MAX_AGE)
    return _embeddable(answer)


def _embeddable(answer: HttpResponse) -> HttpResponse:
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


def _pixels(query: QueryDict) -> tuple[PictureOptions, int]:
    """How to draw it, and how many pixels wide."""
    look = _look(query, least=png.LEAST, most=png.MOST)
    return replace(look, size=None), look.size or png.USUAL


def _look(query: QueryDict, *, least: int = 1, most: int = LARGEST) -> PictureOptions:
    chosen = {name: str(query[name]) for name in ("numbers", "numbering", "theme") if query.get(name)}
    flip = query.get("flip", "0") not in {"0", "false"}
    return PictureOptions(flip=flip, size=_number(query, "size", least, most), **chosen)


def _number(query: QueryDict, name: str, least: int, most: int) -> int | None:
    text = query.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and least <= int(text) <= most):
        raise Unprocessable(
            _("Enter a whole number from %(least)s to %(most)s.") % {"least": least, "most": most},
            field=name,
        )
    return int(text)
