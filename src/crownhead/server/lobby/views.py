"""The home page, the form of a new game, and the waiting room."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.lobby import invitation_views, presentation, selectors, services
from crownhead.server.lobby.presentation import Offer, new_game_form, options_of
from crownhead.server.play import selectors as games
from crownhead.server.play import services as play
from crownhead.server.play.families import families
from crownhead.server.play.pages import frame, leave_for, page, signed_in
from crownhead.server.play.presentation import problem_sentence
from crownhead.server.play.selectors import Game
from crownhead.server.play.views import entries

PER_PAGE = 25
RECENT = 5
SHOWN_TO_GUESTS = 6


@require_GET
@page
def home(request: HttpRequest) -> HttpResponse:
    """A member's games; for a guest, what this is."""
    if isinstance(request.user, User):
        return _my_games(request, request.user)
    context = {
        "showpiece": presentation.showpiece(),
        "families": families(VARIANTS.values()),
        "offers": _offers(
            request, selectors.waiting_room(viewer=request.user, now=clock.now())[:SHOWN_TO_GUESTS]
        ),
        **frame(request),
    }
    return render(request, "lobby/welcome.html", context)


def _my_games(request: HttpRequest, user: User) -> HttpResponse:
    context = {
        "mine": entries(request, games.my_games(user=user, turn=True)),
        "theirs": entries(request, games.my_games(user=user, turn=False)),
        "invitations": invitation_views.received(request, user),
        "invited": invitation_views.sent(request, user),
        "offers": _offers(request, games.my_waiting_games(user=user)),
        "finished": entries(request, games.my_finished_games(user=user)[:RECENT]),
        **frame(request),
    }
    return render(request, "lobby/home.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def new_game(request: HttpRequest) -> HttpResponse:
    """Choose the terms of a game, see its board and rules, perhaps make the first move."""
    if request.method != "POST":
        return _new_game(request)
    user = signed_in(request)
    try:
        game = play.create_game(creator=user, options=options_of(request.POST), now=clock.now())
    except Problem as problem:
        messages.error(request, problem_sentence(problem))
        return _new_game(request, status=problem.status)
    messages.success(request, _("Your game is in the waiting room."))
    return leave_for(request, f"/games/{game.public_id}/")


def _new_game(request: HttpRequest, *, status: int = 200) -> HttpResponse:
    form = new_game_form(request.GET if request.method != "POST" else request.POST)
    return render(request, "lobby/new_game.html", {"form": form, **frame(request)}, status=status)


@require_GET
@page
def waiting_room(request: HttpRequest) -> HttpResponse:
    """The open games."""
    variant = request.GET.get("variant", "")
    known = variant if variant in VARIANTS else None
    rows = Paginator(selectors.waiting_room(viewer=request.user, now=clock.now(), variant=known), PER_PAGE)
    shown = rows.get_page(request.GET.get("page"))
    context = {
        "games": shown,
        "offers": _offers(request, shown),
        "families": families(VARIANTS.values()),
        "chosen": known,
        **frame(request),
    }
    return render(request, "lobby/waiting_room.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take a game; it starts. Who comes here from signing in finds the button on the game's own page."""
    if request.method == "POST":
        services.join_game(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game has begun. Good luck!"))
    return leave_for(request, f"/games/{public_id}/")


@require_http_methods(["GET", "HEAD", "POST"])
@page
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take one's own game back."""
    if request.method == "POST":
        services.withdraw_game(user=signed_in(request), game_id=public_id, now=clock.now())
        messages.success(request, _("The game is withdrawn."))
    return leave_for(request, "/")


@require_GET
@page
def on_turn(request: HttpRequest) -> HttpResponse:
    """How many games wait for the user, as a bare number."""
    count = games.games_to_move_count(user=signed_in(request))
    return HttpResponse(str(count), content_type="text/plain")


def _offers(request: HttpRequest, waiting: Iterable[Game]) -> list[Offer]:
    now = clock.now()
    return [invitation_views.offer(request, game, now) for game in waiting]
