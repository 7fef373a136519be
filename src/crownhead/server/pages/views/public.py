"""The pages around games: those to watch, the practice board, the rules."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from crownhead import VARIANTS, Variant
from crownhead.server.accounts.access import signed_in
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Unprocessable
from crownhead.server.pages.presenters.rules import rules_page, start_board
from crownhead.server.pages.presenters.try_out import Trial, trial_page
from crownhead.server.play import selectors
from crownhead.server.play.board.diagrams import Diagram
from crownhead.server.play.board.query import BoardQuery
from crownhead.server.play.presenters import games as game_presenters
from crownhead.server.play.presenters.families import Family, families
from crownhead.server.play.selectors import Game
from crownhead.server.web.decorators import page
from crownhead.server.web.fragments import frame

PER_PAGE = 25


@require_GET
@page
def watch(request: HttpRequest) -> HttpResponse:
    """Public games in progress."""
    games = Paginator(selectors.public_games().filter(status="playing"), PER_PAGE)
    current = games.get_page(request.GET.get("page"))
    return render(
        request,
        "pages/watch.html",
        {"games": current, "entries": entries(request, current), **frame(request)},
    )


@require_GET
@page
def next_game(request: HttpRequest) -> HttpResponse:
    """Go to the most urgent game on turn after the game ``after``; else to my games."""
    game = selectors.next_game(user=signed_in(request), after=request.GET.get("after", "")[:32])
    return redirect("pages:game", game.public_id) if game else redirect("/")


@require_GET
@page
def try_out(request: HttpRequest) -> HttpResponse:
    """The practice board; if the moves cannot be played, an error beside an empty board."""
    status = 200
    try:
        trial = Trial.of(request.GET)
    except Unprocessable as problem:
        messages.error(request, problem.message)
        trial, status = Trial.of(QueryDict()), problem.status
    presenter = trial_page(trial, BoardQuery.of(request.GET))
    if presenter.onward:
        return redirect(presenter.onward)
    context = {"page": presenter, "families": families(VARIANTS.values()), **frame(request)}
    return render(request, "pages/try.html", context, status=status)


@require_GET
@page
def rules(request: HttpRequest) -> HttpResponse:
    """All variants, each with its board and its rules in a paragraph; the template keeps them."""
    return render(request, "pages/rules.html", {"groups": _all_rules, **frame(request)})


@require_GET
@page
def rules_of(request: HttpRequest, key: str) -> HttpResponse:
    """The rules of one variant."""
    variant = VARIANTS.get(key)
    if variant is None:
        raise NotFound(_("There is no variant %(key)s.") % {"key": key[:40]})
    return render(request, "pages/rules_of.html", {"page": rules_page(variant), **frame(request)})


def _all_rules() -> list[tuple[Family, list[tuple[Variant, Diagram]]]]:
    return [
        (family, [(variant, start_board(variant)) for variant in family.variants])
        for family in families(VARIANTS.values())
    ]


def entries(request: HttpRequest, games: Iterable[Game]) -> list[game_presenters.Entry]:
    """Games as lines of a list for the viewer."""
    now = clock.now()
    return [_entry(request, game, now) for game in selectors.prefetch_vacations(games)]


def _entry(request: HttpRequest, game: Game, now: datetime) -> game_presenters.Entry:
    record = selectors.replay_game(game)
    state = selectors.state(game, request.user, now, replayed=record)
    return game_presenters.entry(state, record, now=now)
