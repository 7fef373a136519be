"""Creating a game: for anyone, for an invited player, or matched at once with a waiting game."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.guests.access import new_player
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import site_address
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.mail import no_mail
from crownhead.server.core.problems import NotSignedIn, Problem
from crownhead.server.lobby import services
from crownhead.server.lobby.forms import TermsForm, filled_in
from crownhead.server.lobby.presenters.new_game import new_game_page
from crownhead.server.lobby.presenters.started import greet
from crownhead.server.play.choices import Status
from crownhead.server.play.games.options import Flexibility, GameOptions
from crownhead.server.play.games.services import create_game
from crownhead.server.play.invitations import services as invitation_services
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.web.done_once import done_once
from crownhead.server.web.page import frame, go_to, page


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def new_game(request: HttpRequest) -> HttpResponse:
    """Choose the terms of a game, preview board and rules, and optionally make the first move.

    Visitors without an account offer it by a link alone.
    """
    if request.method != "POST":
        return _show(request, TermsForm(filled_in(request.GET)))
    form, by_link = TermsForm(filled_in(request.POST, sent=True)), request.POST.get("do") == "link"
    try:
        address = _by_link(request, form) if by_link else _submit(request, signed_in(request), form)
    except NotSignedIn:
        raise
    except Problem as problem:
        if not form.refuse(problem):
            messages.error(request, problem.message)
        return _show(request, form, status=problem.status)
    return go_to(request, address) if address else _show(request, form, status=422)


def _submit(request: HttpRequest, user: User, form: TermsForm) -> str:
    """Create what the form describes; returns where to go next, empty if a field is wrong."""
    quick = request.POST.get("do") == "match"
    options = form.options()
    form.check_opponent(user)
    form.check_start()
    if quick:
        form.check_quick()
    if form.errors:
        return ""
    if quick:
        return _find(request, user, options, form.flexibility())
    return _invite(request, user, form, options) if form.opponent else _create(request, user, options)


def _by_link(request: HttpRequest, form: TermsForm) -> str:
    """Offer it to anybody who is given the link, which the page of the game shows."""
    options = form.options()
    form.check_link()
    if form.errors:
        return ""
    with new_player(request) as user:
        game = invitation_services.offer_by_link(creator=user, options=options, now=clock.now())
    return game_link(game.public_id)


def _find(request: HttpRequest, user: User, options: GameOptions, flexibility: Flexibility) -> str:
    game = services.auto_match(user=user, options=options, flexibility=flexibility, now=clock.now())
    if game.status == Status.WAITING:
        messages.success(request, _("No matching game was waiting, so yours is now in the waiting room."))
    else:
        greet(request, game)
    return game_link(game.public_id)


def _create(request: HttpRequest, user: User, options: GameOptions) -> str:
    game = create_game(creator=user, options=options, now=clock.now())
    messages.success(request, _("Your game is in the waiting room."))
    return game_link(game.public_id)


def _invite(request: HttpRequest, user: User, form: TermsForm, options: GameOptions) -> str:
    by_mail = "@" in form.opponent
    if by_mail:
        spend(scope="invitations", who=caller(request))
    invitation_services.invite(
        creator=user,
        opponent=form.opponent,
        options=options,
        message=form.filled["message"],
        site=site_address(request),
        now=clock.now(),
    )
    if by_mail and (text := no_mail()):
        messages.warning(request, text)
    else:
        messages.success(request, _("Your invitation to %(name)s has been sent.") % {"name": form.opponent})
    return reverse("lobby:invitations")


def _show(request: HttpRequest, form: TermsForm, *, status: int = 200) -> HttpResponse:
    query = request.POST if request.method == "POST" else request.GET
    presenter = new_game_page(form, query)
    context = {
        "form": presenter,
        "by_link": settings.GUESTS or request.user.is_authenticated,
        **frame(request),
    }
    return render(request, "lobby/new_game.html", context, status=status)
