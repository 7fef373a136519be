"""The pages of games: play one, watch one, try a board, read the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Problem, Unprocessable
from crownhead.server.play import presentation, selectors, services
from crownhead.server.play.families import families
from crownhead.server.play.game_page import Asked, game_page
from crownhead.server.play.models import Game
from crownhead.server.play.pages import frame, leave_for, page, signed_in
from crownhead.server.play.rules_page import rules_page, start_board
from crownhead.server.play.tryout import Trial, trial_page

PER_PAGE = 25
_THEN = {"stay", "games", "next"}


@require_http_methods(["GET", "HEAD", "POST"])
@page
def game(request: HttpRequest, public_id: str) -> HttpResponse:
    """A game: to watch, to browse, and for its players to act in."""
    if request.method != "POST":
        return _show(request, public_id)
    user = signed_in(request)
    try:
        changed = _ACTS.get(request.POST.get("do", ""), _unknown)(user, public_id, request)
    except NotFound:
        raise
    except Problem as problem:
        messages.error(request, presentation.problem_sentence(problem))
        return _show(request, public_id, status=problem.status)
    return leave_for(request, _after(request, changed))


def _show(request: HttpRequest, public_id: str, *, status: int = 200) -> HttpResponse:
    now = clock.now()
    found = selectors.access_game(viewer=request.user, public_id=public_id, now=now)
    shown = game_page(game=found, viewer=request.user, asked=Asked.of(request.GET), now=now)
    context = {
        "page": shown,
        "state": shown.state,
        "then": request.session.get("then", "stay"),
        **frame(request),
    }
    return render(request, "play/game.html", context, status=status)


def _move(user: User, game_id: str, request: HttpRequest) -> Game:
    version = request.POST.get("version", "")
    if not version.isdecimal() or len(version) > 6:
        raise Unprocessable(_("The form does not say which position the move is for."))
    move = request.POST.get("move", "").strip()
    if not move:
        raise Unprocessable(_("Choose a move on the board, or write it, before you submit."))
    then = request.POST.get("then", "")
    if then in _THEN:
        request.session["then"] = then
    return services.play_move(user=user, game_id=game_id, move=move, version=int(version), now=clock.now())


def _act(verb: Callable[..., Game]) -> Callable[[User, str, HttpRequest], Game]:
    def act(user: User, game_id: str, _request: HttpRequest) -> Game:
        return verb(user=user, game_id=game_id, now=clock.now())

    return act


def _unknown(_user: User, _game_id: str, request: HttpRequest) -> Game:
    raise Unprocessable(_("There is no such act: %(name)s") % {"name": request.POST.get("do", "")[:40]})


_ACTS: Mapping[str, Callable[[User, str, HttpRequest], Game]] = {
    "move": _move,
    "offer": _act(services.offer_draw),
    "accept": _act(services.accept_draw),
    "decline": _act(services.decline_draw),
    "claim": _act(services.claim_draw),
    "resign": _act(services.resign),
}


def _after(request: HttpRequest, changed: Game) -> str:
    """Where to go once an act is done: here, to my games, or to the next game that waits for me."""
    then = request.POST.get("then", "stay") if request.POST.get("do") == "move" else "stay"
    user = signed_in(request)
    if then == "next":
        waiting = selectors.my_games(user=user, turn=True).first()
        if waiting:
            return f"/games/{waiting.public_id}/"
    return "/" if then in {"games", "next"} else f"/games/{changed.public_id}/"


@require_http_methods(["GET", "HEAD"])
@page
def resign(request: HttpRequest, public_id: str) -> HttpResponse:
    """Ask whether the player means to resign; the answer goes to the game's own address."""
    signed_in(request)
    now = clock.now()
    found = selectors.access_game(viewer=request.user, public_id=public_id, now=now)
    state = selectors.state(found, request.user, now)
    if not state.rights.resign:
        return redirect("play:game", public_id=public_id)
    return render(request, "play/resign.html", {"state": state, **frame(request)})


@require_GET
@page
def pdn(request: HttpRequest, public_id: str) -> HttpResponse:
    """The record of a game as a file."""
    found = selectors.access_game(viewer=request.user, public_id=public_id, now=clock.now())
    return HttpResponse(
        selectors.write_pdn(found),
        content_type="application/x-draughts-pdn; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{found.public_id}.pdn"'},
    )


@require_GET
@page
def finished(request: HttpRequest) -> HttpResponse:
    """The finished games of the user, the latest first."""
    games = Paginator(selectors.my_finished_games(user=signed_in(request)), PER_PAGE)
    shown = games.get_page(request.GET.get("page"))
    return render(
        request, "play/finished.html", {"games": shown, "entries": entries(request, shown), **frame(request)}
    )


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
    return [_entry(request, game, now) for game in games]


def _entry(request: HttpRequest, game: Game, now: datetime) -> presentation.Entry:
    record = selectors.replay(game)
    state = selectors.state(game, request.user, now, replayed=record)
    return presentation.entry(state, record, now=now)
