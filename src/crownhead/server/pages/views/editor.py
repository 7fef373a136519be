"""The analysis board's page while a position is set up."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render

from crownhead import VARIANTS
from crownhead.server.core.problems import Unprocessable
from crownhead.server.pages.presenters.analysis_data import setup_data
from crownhead.server.pages.presenters.arrangement import Arrangement
from crownhead.server.pages.presenters.editor import editor_page
from crownhead.server.play.presenters.families import families
from crownhead.server.web.page import frame


def editor(request: HttpRequest) -> HttpResponse:
    """Set up any position; if the address cannot be read, an error beside the starting position."""
    status = 200
    try:
        arrangement = Arrangement.of(request.GET)
    except Unprocessable as problem:
        messages.error(request, problem.message)
        arrangement, status = Arrangement.of(_variant_alone(request.GET)), problem.status
    context = {
        "page": editor_page(arrangement, request.GET.get("put", "")),
        "data": setup_data(arrangement.variant),
        "families": families(VARIANTS.values()),
        **frame(request),
    }
    return render(request, "pages/analysis/setup.html", context, status=status)


def _variant_alone(query: QueryDict) -> QueryDict:
    reduced = QueryDict(mutable=True)
    key = query.get("variant")
    if isinstance(key, str) and key in VARIANTS:
        reduced["variant"] = key
    return reduced
