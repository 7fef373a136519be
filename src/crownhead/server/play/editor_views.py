"""The editor's page, and pictures of positions."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from crownhead import VARIANTS, CrownheadError, Position
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play import presentation
from crownhead.server.play.arrangement import LONGEST_FEN, Arrangement
from crownhead.server.play.editor import editor_page
from crownhead.server.play.families import families
from crownhead.server.play.pages import frame, page

_KEPT = 86_400  # seconds for which a picture need not be asked for again: it is always the same


@require_GET
@page
def editor(request: HttpRequest) -> HttpResponse:
    """Set up any position; an address that cannot be read is told beside the start."""
    status = 200
    try:
        arrangement = Arrangement.of(request.GET)
    except Unprocessable as problem:
        messages.error(request, presentation.problem_sentence(problem))
        arrangement, status = Arrangement.of(_variant_alone(request.GET)), problem.status
    context = {
        "page": editor_page(arrangement, request.GET.get("put", "")),
        "families": families(VARIANTS.values()),
        **frame(request),
    }
    return render(request, "play/editor.html", context, status=status)


@require_GET
def picture(request: HttpRequest) -> HttpResponse:
    """A position as SVG.

    ``variant`` and ``fen`` say which; ``flip``, ``numbers``, ``numbering``, ``theme`` and ``size`` say how.
    """
    asked = request.GET
    try:
        drawn = _drawn(asked)
    except CrownheadError as error:
        return HttpResponse(f"{error}\n", status=422, content_type="text/plain; charset=utf-8")
    return HttpResponse(
        drawn,
        content_type="image/svg+xml; charset=utf-8",
        headers={"Cache-Control": f"public, max-age={_KEPT}", "Cross-Origin-Resource-Policy": "cross-origin"},
    )


def _drawn(asked: QueryDict) -> str:
    variant, fen = asked.get("variant", next(iter(VARIANTS))), asked.get("fen", "")[: LONGEST_FEN + 1]
    position = Position.from_fen(fen, variant) if fen else Position.start(variant)
    size = asked.get("size", "")
    if size and not (size.isascii() and size.isdecimal() and len(size) < 6):
        raise CrownheadError(_("expected a size in pixels, got %(size)r") % {"size": size[:20]})
    chosen = {name: asked[name] for name in ("numbers", "numbering", "theme") if asked.get(name)}
    return position.svg(flip="flip" in asked, size=int(size) if size else None, **chosen)


def _variant_alone(query: QueryDict) -> QueryDict:
    kept = QueryDict(mutable=True)
    key = query.get("variant")
    if isinstance(key, str) and key in VARIANTS:
        kept["variant"] = key
    return kept
