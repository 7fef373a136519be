"""Offering a game: to anybody, to one by name or by e-mail, or at once to whoever wants the same."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import site_of
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.problems import Problem
from crownhead.server.lobby import services
from crownhead.server.lobby.new_game import new_game_page
from crownhead.server.lobby.terms_form import TermsForm, filled_in
from crownhead.server.play import invitations
from crownhead.server.play import services as play
from crownhead.server.play.options import GameOptions
from crownhead.server.play.pages import frame, leave_for, page, signed_in
from crownhead.server.play.presentation import problem_sentence


@require_http_methods(["GET", "HEAD", "POST"])
@page
def new_game(request: HttpRequest) -> HttpResponse:
    """Choose the terms of a game, see its board and rules, perhaps make the first move."""
    if request.method != "POST":
        return _show(request, TermsForm(filled_in(request.GET)))
    user, form = signed_in(request), TermsForm(filled_in(request.POST, sent=True))
    try:
        address = _offer(request, user, form)
    except Problem as problem:
        if not form.refuse(problem):
            messages.error(request, problem_sentence(problem))
        return _show(request, form, status=problem.status)
    return leave_for(request, address) if address else _show(request, form, status=422)


def _offer(request: HttpRequest, user: User, form: TermsForm) -> str:
    """Do what the form asks for; the address to go on with, empty where a field is wrong."""
    quick = request.POST.get("do") == "match"
    options = form.options()
    form.check_opponent(user)
    if quick:
        form.check_quick()
    if form.errors:
        return ""
    if quick:
        return _match(request, user, options)
    return _invite(request, user, form, options) if form.opponent else _wait(request, user, options)


def _match(request: HttpRequest, user: User, options: GameOptions) -> str:
    game = services.auto_match(user=user, options=options, now=clock.now())
    if game.status == "waiting":
        messages.success(request, _("Nobody waits with just these terms. Your game is in the waiting room."))
    else:
        messages.success(request, _("The game has begun. Good luck!"))
    return f"/games/{game.public_id}/"


def _wait(request: HttpRequest, user: User, options: GameOptions) -> str:
    game = play.create_game(creator=user, options=options, now=clock.now())
    messages.success(request, _("Your game is in the waiting room."))
    return f"/games/{game.public_id}/"


def _invite(request: HttpRequest, user: User, form: TermsForm, options: GameOptions) -> str:
    if "@" in form.opponent:
        spend(scope="invitations", who=caller(request))
    invitations.invite(
        creator=user,
        opponent=form.opponent,
        options=options,
        message=form.filled["message"],
        site=site_of(request),
        now=clock.now(),
    )
    messages.success(request, _("%(name)s is invited.") % {"name": form.opponent})
    return "/invitations/"


def _show(request: HttpRequest, form: TermsForm, *, status: int = 200) -> HttpResponse:
    query = request.POST if request.method == "POST" else request.GET
    shown = new_game_page(form, query)
    return render(request, "lobby/new_game.html", {"form": shown, **frame(request)}, status=status)
