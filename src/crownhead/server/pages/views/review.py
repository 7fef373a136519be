"""The review of a game: its page, the button that starts it, what a browser has found, and its PDN file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.guests.access import viewer
from crownhead.server.analysis.choices import Depth
from crownhead.server.analysis.reviews import selectors as review_selectors
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.analysis.reviews.selectors.drafts import review_from_browser
from crownhead.server.analysis.selectors import Review
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend, spend_pages
from crownhead.server.core.problems import NotFound, Problem
from crownhead.server.pages.presenters.review.page import ReviewQuery, review_page
from crownhead.server.pages.presenters.review.pdn import write_review
from crownhead.server.pages.views.records import pdn_file
from crownhead.server.play.selectors import Game
from crownhead.server.web.page import frame, page

_PLIES_OF_A_PAGE, _JUDGED_PLIES_OF_A_PAGE = 100, 25  # that take as long to show, some 10 ms


@require_http_methods(["GET", "HEAD", "POST"])
@page
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """A finished game with what the engine says about each move."""
    if request.method == "POST":
        return _request_review(request, public_id)
    game = review_selectors.access(viewer=viewer(request), game_id=public_id, now=clock.now())
    judged = _review(public_id)
    _count_pages(request, game, plies=_PLIES_OF_A_PAGE if judged is None else _JUDGED_PLIES_OF_A_PAGE)
    presenter = review_page(
        game=game, viewer=viewer(request), review=judged, query=ReviewQuery.of(request.GET)
    )
    return render(request, "pages/review.html", {"page": presenter, **frame(request)})


@require_http_methods(["GET", "HEAD", "POST"])
@page
def from_browser(request: HttpRequest, public_id: str) -> HttpResponse:
    """The page with a review that the reader's browser has made, which is stored nowhere."""
    if request.method != "POST":
        return redirect("pages:review", public_id=public_id)
    game = review_selectors.access(viewer=viewer(request), game_id=public_id, now=clock.now())
    _count_pages(request, game, plies=_JUDGED_PLIES_OF_A_PAGE)
    review = review_from_browser(game=game, depth=_depth(request), text=request.POST.get("plies", ""))
    presenter = review_page(
        game=game,
        viewer=viewer(request),
        review=review,
        query=ReviewQuery.of(request.POST),
        from_browser=True,
    )
    return render(request, "pages/review.html", {"page": presenter, **frame(request)})


@require_safe
@page
def record(request: HttpRequest, public_id: str) -> HttpResponse:
    """The game as PDN with the engine's comments."""
    game = review_selectors.access(viewer=viewer(request), game_id=public_id, now=clock.now())
    _count_pages(request, game, plies=_JUDGED_PLIES_OF_A_PAGE)
    text = write_review(game, review_selectors.find(game_id=public_id), viewer=viewer(request))
    return pdn_file(text, name=f"{public_id}-review")


def _count_pages(request: HttpRequest, game: Game, *, plies: int) -> None:
    """Count a review of a long game as several pages; ``plies``: how many take as long to show as one."""
    spend_pages(request, len(game.moves.split()), plies)


def _request_review(request: HttpRequest, public_id: str) -> HttpResponse:
    user = signed_in(request)
    try:
        spend(scope="reviews", who=caller(request))
        review_services.request_review(user=user, game_id=public_id, depth=_depth(request), now=clock.now())
    except Problem as problem:
        messages.error(request, problem.message)
    return redirect("pages:review", public_id=public_id)


def _depth(request: HttpRequest) -> Depth:
    return Depth.DEEP if request.POST.get("depth") == "deep" else Depth.QUICK


def _review(public_id: str) -> Review | None:
    try:
        return review_selectors.find(game_id=public_id)
    except NotFound:
        return None
