"""The analysis board: its page in both modes, the engine lines as they arrive, and the buttons."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from crownhead import VARIANTS, CrownheadError, Position
from crownhead.server.accounts.guests.access import viewer
from crownhead.server.accounts.selectors import User
from crownhead.server.analysis import access
from crownhead.server.analysis.access import OwnGameInProgress, expect_allowed, max_seconds
from crownhead.server.analysis.selectors import Study
from crownhead.server.analysis.studies import selectors
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.problems import Forbidden, NotFound, Problem, Unprocessable
from crownhead.server.core.processes.queues import work_expected
from crownhead.server.pages.presenters.analysis import AnalysisTrial, analysis_page, trial_address
from crownhead.server.pages.presenters.analysis_data import analysis_data
from crownhead.server.pages.presenters.fen import fen_of
from crownhead.server.pages.views.editor import editor
from crownhead.server.play.presenters.board.touch import BoardQuery
from crownhead.server.play.presenters.families import families
from crownhead.server.play.problems.reasons import refusal
from crownhead.server.web.page import frame, is_fragment, page


@require_safe
@page
def board(request: HttpRequest) -> HttpResponse:
    """Any position, with the findings of the engine; or being set up."""
    if "setup" in request.GET:
        return editor(request)
    status: int = HTTPStatus.OK
    try:
        trial = AnalysisTrial.of(request.GET)
    except Unprocessable as problem:
        messages.error(request, problem.message)
        trial, status = AnalysisTrial.of(QueryDict()), problem.status
    if trial.refused:
        messages.error(request, trial.refused)
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    work_expected.send(Study)
    presenter = analysis_page(
        trial, BoardQuery.of(request.GET), _study(request), most=max_seconds(request.user)
    )
    if presenter.answered and is_fragment(request):
        return HttpResponse(status=204, headers={"HX-Redirect": presenter.answered})
    if onward := presenter.trial.onward or presenter.answered:
        return redirect(onward)
    template = "pages/analysis/findings.html" if "lines" in request.GET else "pages/analysis/board.html"
    context = {
        "page": presenter,
        "data": analysis_data(trial, viewer(request)),
        "families": families(VARIANTS.values()),
        **frame(request),
    }
    return render(request, template, context, status=status)


@require_safe
def moved(request: HttpRequest) -> HttpResponse:
    """The address of the practice board, of which there is none any more."""
    return _moved(request, {})


@require_safe
def moved_setup(request: HttpRequest) -> HttpResponse:
    """The address of the board editor, which is a mode of this board now."""
    return _moved(request, {"setup": "1"})


@require_http_methods(["GET", "HEAD", "POST"])
@page
def guard(request: HttpRequest) -> HttpResponse:
    """Why an engine must not look at a position for the reader, for engines in browsers; empty if it may.

    POST: the reader asks for it, and has just turned theirs on or made a move; where it is refused, the staff
    can see this. GET: a page asks by itself, whose address may be anybody's.
    ``computer``: it is to reply in a game against it, after so many ``plies``, ``own``: from an own position.
    ``guarded``: the reader plays such games, so that the next position is to be asked about, too.
    """
    form, asked = (request.POST, True) if request.method == "POST" else (request.GET, False)
    variant = form.get("variant", "")
    try:
        position = Position.from_fen(fen_of(form), variant)
    except CrownheadError as error:
        raise refusal(error) from error
    user = _asker(request)
    refused = ""
    try:
        expect_allowed(user)
        if "computer" in form:
            relays = access.is_asked_to_relay if asked else access.is_relayed
            is_own_start = "own" in form
            plies = _number(form, "plies", 0)
            if relays(user=user, position=position, plies=plies, is_own_start=is_own_start):
                refused = access.refusal_sentence()
        else:
            expect = access.expect_may_ask if asked else access.expect_no_own_game
            expect(user=user, position=position)
    except Forbidden as problem:
        refused = problem.message
    guarded = bool(refused) or access.plays_such_games(user=user, variant=position.variant)
    return JsonResponse({"refused": refused, "guarded": guarded})


@require_POST
@page
def begin(request: HttpRequest) -> HttpResponse:
    """Start analysing the position, and go to the page that shows it."""
    board_query = BoardQuery.of(request.POST)
    answer = request.POST.get("do") == "answer"
    trial = AnalysisTrial.of(request.POST)
    try:
        user = _asker(request)
        query = AnalysisRequest(
            variant=trial.variant,
            fen=trial.fen,
            moves=trial.moves,
            lines=_number(request.POST, "lines", 3),
            seconds=min(_number(request.POST, "seconds", 10), max_seconds(user)),
            level=trial.against or 3 if answer else None,
        )
        spend(scope="analyses", who=caller(request))
        study = study_services.create_study(user=user, caller=caller(request), query=query, now=clock.now())
    except Problem as problem:
        messages.error(request, problem.message)
        return redirect(trial.address(flip=board_query.flip))
    return redirect(trial_address(study, trial, board_query))


@require_POST
@page
def stop(request: HttpRequest, study_id: str) -> HttpResponse:
    """Stop the engine; its findings stay on the page."""
    study = study_services.stop(caller=caller(request), study_id=study_id, now=clock.now())
    return redirect(trial_address(study, AnalysisTrial.of(request.POST), BoardQuery.of(request.POST)))


def _moved(request: HttpRequest, added: dict[str, str]) -> HttpResponse:
    query = request.GET.copy()
    query.update(added)
    address = reverse("pages:analysis")
    return redirect(f"{address}?{query.urlencode()}" if query else address, permanent=True)


def _study(request: HttpRequest) -> Study | None:
    """The analysis that the address names, unless the reader plays its position."""
    if "study" not in request.GET:
        return None
    try:
        return selectors.find_for(viewer(request), request.GET["study"])
    except NotFound:
        return None  # deleted after a day
    except OwnGameInProgress as problem:
        messages.error(request, problem.message)
        return None


def _asker(request: HttpRequest) -> User | None:
    """Who asks the engine: the member, or the guest who plays here and has no help in their games either."""
    user = viewer(request)
    return user if isinstance(user, User) else None


def _number(form: QueryDict, name: str, usual: int) -> int:
    text = form.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else usual
