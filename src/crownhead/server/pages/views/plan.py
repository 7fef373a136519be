"""The planner of conditional moves: its page, saving plans, and news from the game."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, OutOfDate, Problem, Unprocessable
from crownhead.server.pages.presenters.plan import Draft, planner_data, planner_page
from crownhead.server.play import selectors
from crownhead.server.play.choices import Seat, Status
from crownhead.server.play.plans import presenters as plan_presenters
from crownhead.server.play.plans.selectors.lines import Line, parse_lines
from crownhead.server.play.plans.services import save_lines
from crownhead.server.play.presenters import games
from crownhead.server.play.presenters.board.touch import BoardQuery
from crownhead.server.play.presenters.state import GameState, game_state
from crownhead.server.play.selectors import Game
from crownhead.server.web.forms import given_back
from crownhead.server.web.page import frame, page

_LONGEST_TEXT = 5000  # of a plan that is shown again; the moves of the largest need less


@require_http_methods(["GET", "HEAD", "POST"])
@page
def plan(request: HttpRequest, public_id: str) -> HttpResponse:
    """Build lines of conditional moves, show the saved ones, and save changes."""
    user = signed_in(request)
    if request.method != "POST":
        return _show(request, public_id, request.GET)
    try:
        _save(user, public_id, request.POST)
    except NotFound:
        raise
    except Problem as problem:
        messages.error(request, _sentence(problem))
        return _show(request, public_id, request.POST, status=problem.status)
    messages.success(request, _("Your conditional moves are saved. Nobody else can see them."))
    return redirect("pages:plan", public_id=public_id)


@require_safe
@page
def news(request: HttpRequest, public_id: str) -> HttpResponse:
    """What has happened in the game since ``ply`` moves; empty if nothing has."""
    game, state = _game(request, public_id)
    changed = request.GET.get("ply", "") != str(len(state.moves)) or state.status != Status.PLAYING
    record = selectors.replay_game(game)
    context = {
        "state": state,
        "ply": request.GET.get("ply", "")[:6],
        "status": games.status_sentence(state, record) if changed else "",
        "last": state.moves[-1] if changed and state.moves else "",
    }
    return render(request, "pages/parts/plan_news.html", context)


def _show(
    request: HttpRequest, public_id: str, query: QueryDict, *, status: int = HTTPStatus.OK
) -> HttpResponse:
    game, state = _game(request, public_id)
    if not state.rights.plan or state.viewer_seat is None:
        return redirect("pages:game", public_id=public_id)
    replay = selectors.replay_game(game)
    try:
        draft = Draft.of(query, replay, public_id)
    except Unprocessable as problem:
        draft = Draft.of(QueryDict(), replay, public_id)
        if status == HTTPStatus.OK:  # otherwise there is already a message
            messages.error(request, problem.message)
            status = problem.status
    if draft.refused:
        messages.error(request, draft.refused)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    stored = plan_presenters.present_plan(game, Seat(state.viewer_seat), replay)
    planner = planner_page(state, draft, stored, BoardQuery.of(query))
    if planner.onward:
        return redirect(planner.onward)
    context = {
        "page": planner,
        "data": planner_data(planner, state),
        "state": state,
        "text": given_back(query.get("text", ""), _LONGEST_TEXT),
        **frame(request),
    }
    return render(request, "pages/plan.html", context, status=status)


def _game(request: HttpRequest, public_id: str) -> tuple[Game, GameState]:
    now = clock.now()
    game = selectors.access_game(viewer=request.user, public_id=public_id, now=now)
    return game, game_state(game, request.user, now)


def _save(user: User, game_id: str, form: QueryDict) -> None:
    ply, version = form.get("ply", ""), form.get("version", "")
    if not (ply.isdecimal() and version.isdecimal() and len(ply) < 7 and len(version) < 10):
        raise Unprocessable(_("This page is out of date. Please reload it."))
    save_lines(
        user=user, game_id=game_id, ply=int(ply), version=int(version), lines=_lines(form), now=clock.now()
    )


def _lines(form: QueryDict) -> list[Line]:
    """All lines of the new plan: from the text, or those of the page plus or minus one."""
    if "text" in form:
        return parse_lines((form.get("text") or "").splitlines())
    lines = form.getlist("lines")
    dropped = form.get("without", "")
    if dropped.isdecimal() and len(dropped) < 4:
        lines = [line for at, line in enumerate(lines) if at != int(dropped)]
    return parse_lines([*lines, form.get("add", "")])


def _sentence(problem: Problem) -> str:
    if isinstance(problem, OutOfDate):
        return _("Nothing was saved because your plan or the game has changed. Here is the latest version.")
    return problem.message
