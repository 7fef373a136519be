"""The pages around games: those to watch, and the rules."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from datetime import datetime
from functools import partial
from operator import attrgetter

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound
from crownhead.server.pages.presenters.rules import cards, rules_page
from crownhead.server.play import selectors
from crownhead.server.play.archive.selectors import PLIES_OF_A_LIST
from crownhead.server.play.presenters import games as game_presenters
from crownhead.server.play.presenters.state import game_state
from crownhead.server.play.selectors import Game
from crownhead.server.web.page import frame, page
from crownhead.server.web.page_cache import MAX_AGE, cached_for_guests, has_query
from crownhead.server.web.slices import keyed, top_slice

PER_PAGE = 25


@require_safe
@page
@cached_for_guests(lambda request: _games_cache_key(request))
def watch(request: HttpRequest) -> HttpResponse:
    """Public games in progress."""
    query, order, size_of = request.GET, selectors.NEWEST_FIRST, attrgetter("version")
    if query:
        look = partial(keyed, selectors.games_to_watch())
    else:
        look = partial(top_slice, selectors.top_to_watch())
    current = look(order=order, query=query, limit=PER_PAGE, size_of=size_of, most=PLIES_OF_A_LIST)
    return render(
        request,
        "pages/watch.html",
        {"games": current, "entries": entries(request, current), **frame(request)},
    )


@require_safe
@page
def games(request: HttpRequest) -> HttpResponse:
    """Where somebody gets who cuts the address of a game: to their own games, a visitor to those to watch."""
    return redirect("pages:home" if request.user.is_authenticated else "pages:watch")


@require_safe
@page
def next_game(request: HttpRequest) -> HttpResponse:
    """Go to the most urgent game on turn after the game ``after``; else to my games."""
    game = selectors.next_game(user=signed_in(request), after=request.GET.get("after", "")[:32])
    return redirect("pages:game", game.public_id) if game else redirect("pages:home")


@require_safe
@page
@cached_for_guests(lambda _request: "always the same")
def rules(request: HttpRequest) -> HttpResponse:
    """All variants, each with its board and its rules in a paragraph; the template keeps them."""
    return render(request, "pages/rules.html", {"groups": cards, **frame(request)})


@require_safe
@page
@cached_for_guests(lambda _request, key: key if key in VARIANTS else None)
def rules_of(request: HttpRequest, key: str) -> HttpResponse:
    """The rules of one variant."""
    variant = VARIANTS.get(key)
    if variant is None:
        raise NotFound(_("There is no variant %(key)s.") % {"key": key[:40]})
    return render(
        request,
        "pages/rules_of.html",
        {"variant": variant, "made": lambda: rules_page(variant), **frame(request)},
    )


def _games_cache_key(request: HttpRequest) -> Hashable | None:
    """What the page of running games shows to guests; only the first page is cached."""
    if has_query(request):
        return None
    now = clock.now()
    return selectors.running_games_state(), int(now.timestamp()) // MAX_AGE


def entries(request: HttpRequest, games: Iterable[Game]) -> list[game_presenters.Entry]:
    """Games as lines of a list for the viewer."""
    now = clock.now()
    return [_entry(request, game, now) for game in selectors.prefetch_vacations(games)]


def _entry(request: HttpRequest, game: Game, now: datetime) -> game_presenters.Entry:
    record = selectors.shown_replay(game)
    state = game_state(game, request.user, now, replayed=record, brief=True)
    return game_presenters.entry(state, record, now=now)
