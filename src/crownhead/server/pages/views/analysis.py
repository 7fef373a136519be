"""The analysis board: its page, the engine lines as they arrive, and the buttons."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from crownhead import VARIANTS
from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.access import OwnGameInProgress
from crownhead.server.analysis.selectors import Study
from crownhead.server.analysis.services.allowances import max_seconds
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.analysis.studies.services import AnalysisRequest
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.problems import NotFound, Problem, Unprocessable
from crownhead.server.core.queues import work_expected
from crownhead.server.pages.presenters.analysis import AnalysisTrial, analysis_page, trial_address
from crownhead.server.play.board.query import BoardQuery
from crownhead.server.play.presenters.families import families
from crownhead.server.web.decorators import page
from crownhead.server.web.fragments import frame, is_fragment


@require_GET
@page
def board(request: HttpRequest) -> HttpResponse:
    """Any position, with the findings of the engine."""
    status = 200
    try:
        trial = AnalysisTrial.of(request.GET)
    except Unprocessable as problem:
        messages.error(request, problem.message)
        trial, status = AnalysisTrial.of(QueryDict()), problem.status
    work_expected.send(Study)
    presenter = analysis_page(
        trial, BoardQuery.of(request.GET), _study(request), most=max_seconds(request.user)
    )
    if presenter.answered and is_fragment(request):
        return HttpResponse(status=204, headers={"HX-Redirect": presenter.answered})
    if onward := presenter.trial.onward or presenter.answered:
        return redirect(onward)
    template = "pages/analysis/findings.html" if "lines" in request.GET else "pages/analysis/board.html"
    context = {"page": presenter, "families": families(VARIANTS.values()), **frame(request)}
    return render(request, template, context, status=status)


@require_POST
@page
def begin(request: HttpRequest) -> HttpResponse:
    """Start analysing the position, and go to the page that shows it."""
    board_query = BoardQuery.of(request.POST)
    answer = request.POST.get("do") == "answer"
    trial = AnalysisTrial.of(request.POST)
    try:
        user = request.user if isinstance(request.user, User) else None
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


def _study(request: HttpRequest) -> Study | None:
    """The analysis that the address names, unless the reader plays its position."""
    if "study" not in request.GET:
        return None
    try:
        return study_services.find_for(request.user, request.GET["study"])
    except NotFound:
        return None  # deleted after a day
    except OwnGameInProgress as problem:
        messages.error(request, problem.message)
        return None


def _number(form: QueryDict, name: str, usual: int) -> int:
    text = form.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 4 else usual
