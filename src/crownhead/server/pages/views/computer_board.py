"""The page on which the visitor's browser plays the computer, and the way from there into an account."""

from __future__ import annotations

import random
from dataclasses import replace
from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.guests.access import viewer
from crownhead.server.analysis.access import OwnGameInProgress, expect_no_own_game
from crownhead.server.analysis.computer import services as computer_services
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem, Unprocessable
from crownhead.server.pages.presenters.computer_board import ComputerTerms, computer_board
from crownhead.server.play.games.options import ColourChoice, GameOptions
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.play.presenters.families import families
from crownhead.server.web.page import frame, go_to, page

MAX_PLIES = 400
_DAYS = 14  # per move, of a game that goes on in an account


@require_safe
@page
def board(request: HttpRequest) -> HttpResponse:
    """A board against the computer, for everybody; the game stays in the browser."""
    status: int = HTTPStatus.OK
    try:
        terms = ComputerTerms.of(request.GET)
        presenter = computer_board(terms, viewer(request))
        if terms.fen:
            expect_no_own_game(user=viewer(request), position=presenter.start)
    except (Unprocessable, OwnGameInProgress) as problem:
        messages.error(request, problem.message)
        terms, status = ComputerTerms.of(QueryDict()), problem.status
        presenter = computer_board(terms, viewer(request))
    if terms.colour == ColourChoice.RANDOM:
        drawn = random.choice((ColourChoice.FIRST, ColourChoice.SECOND))
        return redirect(replace(terms, colour=drawn.value).address(new="1"))
    context = {"page": presenter, "families": families(VARIANTS.values()), **frame(request)}
    return render(request, "pages/computer_board.html", context, status=status)


@require_POST
@page
def keep(request: HttpRequest) -> HttpResponse:
    """Go on with such a game in the member's account, where it has the moves that were made."""
    user, terms = signed_in(request), ComputerTerms.of(request.POST)
    moves = request.POST.get("moves", "").split()
    try:
        if terms.fen:
            raise Unprocessable(_("Only games from the usual start can be kept."))
        if len(moves) > MAX_PLIES:
            raise Unprocessable(_("At most %(count)s moves can be kept.") % {"count": MAX_PLIES})
        options = GameOptions(
            variant=terms.variant.key, colour=terms.colour, days_per_move=_DAYS, vacation=True
        )
        game = computer_services.start(
            user=user, level=terms.level, options=options, now=clock.now(), played=moves
        )
    except Problem as problem:
        messages.error(request, problem.message)
        return redirect(terms.address())
    return go_to(request, game_link(game.public_id))
