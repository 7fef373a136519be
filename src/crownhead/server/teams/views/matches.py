"""The pages of matches between teams: propose, answer, line up, watch."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import LONGEST
from crownhead.server.core import clock
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable
from crownhead.server.play.presenters.families import families
from crownhead.server.play.problems import NotWelcome
from crownhead.server.teams import selectors, services
from crownhead.server.teams.choices import Side
from crownhead.server.teams.forms import USUAL, TermsForm, filled_in
from crownhead.server.teams.presenters.matches import match_page
from crownhead.server.teams.selectors import matches
from crownhead.server.teams.selectors.matches import TeamMatch
from crownhead.server.teams.services.matches import MAX_BOARDS
from crownhead.server.web.done_once import done_once
from crownhead.server.web.forms import given_back
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.page_cache import cached_while_unchanged

MAX_LISTED = 400  # options on the page, each member at each board; more are listed once for all boards

_USUAL: Mapping[str, str] = {**USUAL, "home": "", "boards": "3", "games_each": "2", "message": ""}


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def challenge(request: HttpRequest, team_id: str) -> HttpResponse:
    """Propose a match to this team for one whose captain the user is."""
    user, away = signed_in(request), selectors.access_team(team_id)
    ours = [team for team in selectors.teams_led_by(user.pk) if team.pk != away.pk]
    sent = request.method == "POST"
    form = TermsForm(filled_in(request.POST if sent else request.GET, _USUAL, sent=sent), may_be_live=False)
    if sent:
        made = _propose(form, user, away.public_id)
        if made is not None:
            messages.success(request, _("Match proposed. Their captain has been notified."))
            return go_to(request, reverse("teams:match", args=[made.public_id]))
    context = {
        "team": away,
        "ours": ours,
        "form": form,
        "families": families(VARIANTS.values()),
        "chosen": form.filled["variant"],
        **frame(request),
    }
    return render(request, "teams/challenge.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
@cached_while_unchanged()
def match(request: HttpRequest, match_id: str) -> HttpResponse:
    """A match: its terms, boards and points, and what its captains have to do."""
    error = ""
    chosen = [name for name in request.POST.getlist("player") if name]
    if request.method == "POST":
        try:
            messages.success(request, _perform(request, signed_in(request), match_id, chosen))
            return go_to(request, reverse("teams:match", args=[match_id]))
        except Unprocessable as problem:
            error = problem.text
    shown_match = match_page(matches.access_match(match_id), request.user)
    names = [given_back(name, LONGEST) for name in chosen] or shown_match.lined_up
    boards = _boards(shown_match.match)
    seats = [(number, names[number - 1] if number <= len(names) else "") for number in boards]
    options = len(boards) * len(shown_match.members)
    context = {
        "page": shown_match,
        "error": error,
        "seats": seats,
        "is_listed_once": options > MAX_LISTED,
        **frame(request),
    }
    return render(request, "teams/match.html", context)


def _boards(team_match: TeamMatch) -> range:
    return range(1, team_match.boards + 1)


def _propose(form: TermsForm, user: User, away_id: str) -> TeamMatch | None:
    """Propose the match of the form; None on errors, which are put into the form."""
    options = form.options()
    boards = form.number("boards", 1, MAX_BOARDS)
    games_each = form.number("games_each", 1, 2)
    if form.errors:
        return None
    try:
        return services.propose(
            user=user,
            home_id=form.filled["home"],
            away_id=away_id,
            options=options,
            boards=boards,
            games_each=games_each,
            message=form.filled["message"],
            now=clock.now(),
        )
    except (Unprocessable, Conflict, NotWelcome) as problem:
        form.errors[problem.field if problem.field in _USUAL else "home"] = problem.text
        return None


def _perform(request: HttpRequest, user: User, match_id: str, players: list[str]) -> str:
    """Do what the button says; returns the message to show."""
    verb, now = request.POST.get("do", ""), clock.now()
    if verb in {"accept", "decline"}:
        services.answer_match(user=user, match_id=match_id, accepted=verb == "accept", now=now)
        return _("Match accepted. Now submit your line-up.") if verb == "accept" else _("Declined.")
    if verb == "withdraw":
        services.withdraw(user=user, match_id=match_id, now=now)
        return _("Match cancelled.")
    if verb in {"available", "unavailable"}:
        side = request.POST.get("side", "")
        services.be_available(
            user=user,
            match_id=match_id,
            available=verb == "available",
            side=Side(side) if side in Side.values else None,
            now=now,
        )
        return _("Your captain can choose you now.") if verb == "available" else _("You will not play.")
    if verb == "line_up":
        services.line_up(user=user, match_id=match_id, usernames=players, now=now)
        return _("Line-up submitted.")
    raise NotFound(_("This action doesn't exist."))
