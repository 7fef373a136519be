"""The pages around games: those to watch, the try-out board, the rules."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from crownhead import VARIANTS
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.play import presentation, selectors
from crownhead.server.play.families import families
from crownhead.server.play.game_page import Asked
from crownhead.server.play.models import Game
from crownhead.server.play.pages import frame, page, signed_in
from crownhead.server.play.rules_page import rules_page, start_board
from crownhead.server.play.tryout import Trial, trial_page

PER_PAGE = 25


@require_GET
@page
def watch(request: HttpRequest) -> HttpResponse:
    """Games in progress that anybody may watch."""
    games = Paginator(selectors.public_games().filter(status="playing"), PER_PAGE)
    shown = games.get_page(request.GET.get("page"))
    return render(
        request, "play/watch.html", {"games": shown, "entries": entries(request, shown), **frame(request)}
    )


@require_GET
@page
def next_game(request: HttpRequest) -> HttpResponse:
    """Go to the game that waits for me most urgently, from the one that ``after`` names; else to my games."""
    found = selectors.next_game(user=signed_in(request), after=request.GET.get("after", "")[:32])
    return redirect("play:game", found.public_id) if found else redirect("/")


@require_GET
@page
def try_out(request: HttpRequest) -> HttpResponse:
    """A board on which anybody may try anything; a problem with the moves is told beside an empty board."""
    status = 200
    try:
        trial = Trial.of(request.GET)
    except Unprocessable as problem:
        messages.error(request, presentation.problem_sentence(problem))
        trial, status = Trial.of(QueryDict()), problem.status
    shown = trial_page(trial, Asked.of(request.GET))
    if shown.onward:
        return redirect(shown.onward)
    context = {"page": shown, "families": families(VARIANTS.values()), **frame(request)}
    return render(request, "play/try.html", context, status=status)


@require_GET
@page
def rules(request: HttpRequest) -> HttpResponse:
    """All variants, each with its board and its rules in a paragraph."""
    groups = [
        (family, [(variant, start_board(variant)) for variant in family.variants])
        for family in families(VARIANTS.values())
    ]
    return render(request, "play/rules.html", {"groups": groups, **frame(request)})


@require_GET
@page
def rules_of(request: HttpRequest, key: str) -> HttpResponse:
    """The rules of one variant."""
    variant = VARIANTS.get(key)
    if variant is None:
        raise NotFound(_("There is no variant %(key)s.") % {"key": key[:40]})
    return render(request, "play/rules_of.html", {"page": rules_page(variant), **frame(request)})


def entries(request: HttpRequest, games: Iterable[Game]) -> list[presentation.Entry]:
    """Games as lines of a list for the viewer."""
    now = clock.now()
    return [_entry(request, game, now) for game in selectors.look_up_vacations(games)]


def _entry(request: HttpRequest, game: Game, now: datetime) -> presentation.Entry:
    record = selectors.replay(game)
    state = selectors.state(game, request.user, now, replayed=record)
    return presentation.entry(state, record, now=now)
