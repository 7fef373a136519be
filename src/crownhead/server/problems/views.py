"""The pages of problems: choosing one, and solving it."""

from __future__ import annotations

import random
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.problems.problem import Problem
from crownhead.server.accounts.access import member
from crownhead.server.accounts.guests.access import viewer
from crownhead.server.core import clock
from crownhead.server.core.http import whole_number
from crownhead.server.core.problems import Unprocessable
from crownhead.server.play.presenters.board.touch import BoardQuery
from crownhead.server.play.presenters.families import families
from crownhead.server.problems import presenters, selectors, services
from crownhead.server.problems.access import access_problem
from crownhead.server.web.page import frame, page

_LONGEST_MOVE = 80  # characters
_MAX_MOVES = 40
_MAX_SETS = 1000  # of problems to practise, on one day
_dice = random.SystemRandom()


@require_safe
@page
def overview(request: HttpRequest) -> HttpResponse:
    """The problem of the day, a choice of variant and theme, and how the viewer does."""
    user, now = member(request), clock.now()
    context = {
        "daily": presenters.daily_card(now, viewer(request)),
        "families": families(selectors.variants()),
        "themes": [(count, presenters.theme_name(count.theme)) for count in selectors.counts_by_theme(user)],
        "standing": None if user is None else selectors.standing_of(user.pk, today=now.date()),
        **frame(request),
    }
    return render(request, "problems/overview.html", context)


@require_safe
@page
def next_problem(request: HttpRequest) -> HttpResponse:
    """Go to a problem of a variant and a theme that the viewer has not tried yet."""
    found = selectors.next_problem(
        user=member(request),
        player=viewer(request),
        variant=request.GET.get("variant", ""),
        theme=request.GET.get("theme", ""),
        dice=_dice,
    )
    return redirect("problems:problem", key=found.key)


@require_safe
@page
def practice(request: HttpRequest) -> HttpResponse:
    """Some problems with their solutions, which the browser judges alone: nothing of them is rated.

    An address has the same ones for a day (UTC); `set` is the number of another choice.
    """
    variant, theme = (request.GET.get(name, "") for name in ("variant", "theme"))
    number = min(whole_number(request.GET.get("set", "")) or 1, _MAX_SETS)
    dice = random.Random(f"{clock.now().date()} {variant} {theme} {number}")
    found = selectors.practice_set(player=viewer(request), variant=variant, theme=theme, dice=dice)
    others = {"variant": variant, "theme": theme, "set": str(number % _MAX_SETS + 1)}
    chosen = presenters.practice_page(found, others, plays_here=bool(viewer(request).pk))
    context = {"page": chosen, **frame(request)}
    return render(request, "problems/practice.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def problem(request: HttpRequest, key: str) -> HttpResponse:
    """A problem; moves on its board are answered by the defence."""
    chosen = access_problem(player=viewer(request), key=key)
    if request.method != "POST":
        return _show(request, chosen, request.GET)
    try:
        return redirect(_address_after(request, chosen))
    except Unprocessable as refused:
        messages.error(request, refused.message)
        return _show(request, chosen, request.POST, status=refused.status)


def _show(
    request: HttpRequest, chosen: Problem, query: QueryDict, *, status: int = HTTPStatus.OK
) -> HttpResponse:
    try:
        played = selectors.checked(chosen, _moves(query))
    except Unprocessable as refused:
        if status == HTTPStatus.OK:  # otherwise there is already a message
            messages.error(request, refused.message)
            status = refused.status
        played = ()
    presenter = presenters.problem_page(
        chosen,
        played,
        BoardQuery.of(query),
        wrong=query.get("wrong", "")[:_LONGEST_MOVE],
        revealed="shown" in query,
        attempt=selectors.attempt_of(member(request), chosen),
        plays_here=bool(viewer(request).pk),
    )
    return render(request, "problems/problem.html", {"page": presenter, **frame(request)}, status=status)


def _address_after(request: HttpRequest, chosen: Problem) -> str:
    """Where the board is after what was posted: a move, or giving up."""
    post, user, now = request.POST, member(request), clock.now()
    flip = "1" if "flip" in post else ""
    if post.get("do") == "show":
        given = services.give_up(user=user, problem=chosen, now=now)
        return presenters.address(chosen, given.line, shown="1", flip=flip)
    played = selectors.checked(chosen, _moves(post))
    move = post.get("move", "").strip()[:_LONGEST_MOVE]
    given = services.answer(user=user, problem=chosen, moves=played, move=move, now=now)
    return presenters.address(chosen, given.line, wrong="" if given.right else move, flip=flip)


def _moves(query: QueryDict) -> list[str]:
    return query.get("moves", "").split()[:_MAX_MOVES]
