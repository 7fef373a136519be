"""The pages of tournaments: the list, and standings, rounds, players and log of each."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead import VARIANTS
from crownhead.server.accounts.access import member, signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions import access, selectors, services
from crownhead.server.competitions.choices import Status
from crownhead.server.competitions.models import Pairing, Round
from crownhead.server.competitions.presenters.live_boards import live_boards
from crownhead.server.competitions.presenters.log import log_lines
from crownhead.server.competitions.presenters.rounds import LATEST_GAMES, brackets, planning_of, present_round
from crownhead.server.competitions.presenters.tables import present_tables
from crownhead.server.competitions.presenters.tournaments import lines, tournament_page
from crownhead.server.competitions.selectors.standings import standing_of
from crownhead.server.core import clock
from crownhead.server.core.pagination import cursor_of
from crownhead.server.core.problems import NotFound, Problem
from crownhead.server.play.presenters.families import families
from crownhead.server.teams import selectors as teams
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.page_cache import cached_while_unchanged
from crownhead.server.web.slices import AFTER, NUMBER, Slice, keyed

PER_PAGE, PLAYERS_PER_PAGE, ACTIONS_PER_PAGE, PAIRINGS_PER_PAGE = 25, 100, 50, 50
GAMES_PER_PAGE = 80  # of pairings
TABLE = "table"  # of a round, in the query of its page
_OWN = {"mine": selectors.my_tournaments, "invitations": selectors.my_invitations}


@require_safe
@page
@cached_while_unchanged()
def all_tournaments(request: HttpRequest) -> HttpResponse:
    """Tournaments by status, below the viewer's invitations and own tournaments."""
    status = request.GET.get("status", "")
    status = status if status in Status.values else Status.ENTRY.value
    variant, team = request.GET.get("variant", ""), request.GET.get("team", "")[:32]
    variant = variant if variant in VARIANTS else ""
    user = member(request)
    show = request.GET.get("show", "") if user else ""
    show = show if show in _OWN else ""
    if user and show:
        rows = _OWN[show](user)
    else:
        rows = selectors.tournaments(status=status, variant=variant or None, team=team or None)
    page_obj = keyed(rows, order=("-id",), query=request.GET, limit=PER_PAGE)
    mine, invitations = (
        list(own(user)[: PER_PAGE + 1]) if user and not show else [] for own in _OWN.values()
    )
    context = {
        "games": page_obj,
        "lines": lines(list(page_obj)),
        "show": show,
        "status": status,
        "statuses": [(row.value, str(row.label)) for row in Status],
        "families": families(VARIANTS.values()),
        "chosen": variant,
        "team": teams.access_team(team) if team else None,
        "narrowed": bool(variant or team),
        "mine": lines(mine[:PER_PAGE]),
        "invitations": lines(invitations[:PER_PAGE]),
        "more_mine": len(mine) > PER_PAGE,
        "more_invitations": len(invitations) > PER_PAGE,
        "may_hold": user is None or access.may_hold(user),
        **frame(request),
    }
    return render(request, "competitions/all.html", context)


@require_safe
@page
@cached_while_unchanged()
def tournament(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The standings of a tournament, its details, and buttons to take part."""
    row = selectors.access_tournament(tournament_id)
    user = member(request)
    viewer_id = user.pk if user else None
    standing = standing_of(row)
    boards = live_boards(row, standing) if row.status == Status.RUNNING else []
    entrants = list(selectors.entrants(row)[:PLAYERS_PER_PAGE]) if not standing.tables else []
    shown = present_tables(
        standing, viewer_id, over=row.status == Status.FINISHED, page=request.GET.get(NUMBER, "")
    )
    context = {
        "page": tournament_page(row, request.user, clock.now()),
        "boards": boards,
        "stream": urlencode([("game", key) for key in (row.public_id, *(board.id for board in boards))]),
        "tables": shown.tables,
        "games": shown.games,
        "own_page": shown.own_page,
        "own_place": shown.own_place,
        "brackets": brackets(standing, viewer_id) if not shown.games.newer else [],
        "planning": planning_of(row, viewer_id, clock.now()),
        "entrants": entrants,
        "seeded": any(entrant.seed for entrant in entrants),
        "part": "table",
        **frame(request),
    }
    return render(request, "competitions/tournament.html", context)


@require_safe
@page
@cached_while_unchanged()
def rounds(request: HttpRequest, tournament_id: str, number: int | None = None) -> HttpResponse:
    """A round with its pairings; the latest one without a number."""
    row = selectors.access_tournament(tournament_id)
    wanted = row.rounds_made if number is None else number
    made = selectors.round_numbered(row, wanted)
    if number is not None and made is None:
        raise NotFound(_("There is no such round."))
    viewer_id = request.user.pk if isinstance(request.user, User) else None
    table = _table(request.GET.get(TABLE, ""))
    shown: Slice[Pairing] = Slice([])
    if made is not None:
        shown = _pairings_to_show(made, table, request.GET)
    context = {
        "page": tournament_page(row, request.user, clock.now()),
        "round": present_round(wanted, shown, viewer_id, whole=table is not None) if made else None,
        "games": shown,
        "own": _own_pairing(made, viewer_id, shown),
        "table": table,
        "before": wanted - 1 if wanted > 1 else None,
        "after": wanted + 1 if wanted < row.rounds_made else None,
        "part": "rounds",
        **frame(request),
    }
    return render(request, "competitions/rounds.html", context)


def _table(asked: str) -> int | None:
    """The one table of which a page shows all games."""
    return int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 6 else None


def _pairings_to_show(made: Round, table: int | None, query: QueryDict) -> Slice[Pairing]:
    """Some pairings of a round, of which few have many games, or the one at a table."""
    rows = selectors.pairings_to_show(made)
    if table is not None:
        found = list(rows.filter(table=table))
        if not found:
            raise NotFound(_("There is no such table."))
        return Slice(found)
    size = partial(selectors.games_in, most=LATEST_GAMES)
    return keyed(
        rows, order=("table",), query=query, limit=PAIRINGS_PER_PAGE, size_of=size, most=GAMES_PER_PAGE
    )


def _own_pairing(made: Round | None, viewer_id: int | None, shown: Slice[Pairing]) -> str:
    """The query of the page of a round that begins with the viewer's pairing, if they aren't on this one."""
    if made is None or viewer_id is None or not (shown.newer or shown.older):
        return ""
    own = list(selectors.pairings(made, of=viewer_id)[:1])
    if not own or own[0] in shown.items:
        return ""
    before = cursor_of(Pairing(table=own[0].table - 1), ("table",))
    return f"?{urlencode({AFTER: before})}"


@require_safe
@page
@cached_while_unchanged()
def players(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The players of a tournament."""
    row = selectors.access_tournament(tournament_id)
    page_obj = keyed(
        selectors.entrants(row), order=("-rating", "id"), query=request.GET, limit=PLAYERS_PER_PAGE
    )
    context = {
        "page": tournament_page(row, request.user, clock.now()),
        "games": page_obj,
        "entrants": list(page_obj),
        "seeded": any(entrant.seed for entrant in page_obj),
        "part": "players",
        **frame(request),
    }
    return render(request, "competitions/players.html", context)


@require_safe
@page
@cached_while_unchanged()
def log(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """The log of the directors' decisions."""
    row = selectors.access_tournament(tournament_id)
    page_obj = keyed(
        selectors.director_actions(row), order=("-id",), query=request.GET, limit=ACTIONS_PER_PAGE
    )
    context = {
        "page": tournament_page(row, request.user, clock.now()),
        "games": page_obj,
        "actions": log_lines(page_obj),
        "part": "log",
        **frame(request),
    }
    return render(request, "competitions/log.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def take_part(request: HttpRequest, tournament_id: str) -> HttpResponse:
    """Enter, withdraw, pause or ask for a bye; a GET, as after signing in, leads to the tournament."""
    if request.method == "POST":
        try:
            messages.success(request, _perform(request, signed_in(request), tournament_id))
        except Problem as problem:
            if problem.status not in {403, 409, 422}:
                raise
            messages.error(request, problem.text)
    return go_to(request, reverse("competitions:tournament", args=[tournament_id]))


def _perform(request: HttpRequest, user: User, tournament_id: str) -> str:
    """Do what the button says; returns the message to show."""
    now, verb = clock.now(), request.POST.get("do", "enter")
    if verb == "enter":
        shown = request.POST.get("offer")
        services.enter(user=user, tournament_id=tournament_id, shown=shown, now=now)
        return _("You have entered. Good luck!")
    if verb in {"direct", "not_direct"}:
        services.answer_directing(user=user, tournament_id=tournament_id, accepted=verb == "direct")
        return _("You are now a director.") if verb == "direct" else _("Declined.")
    if verb == "withdraw":
        services.withdraw(user=user, tournament_id=tournament_id, now=now)
        return _("You have withdrawn.")
    if verb == "decline":
        services.decline(user=user, tournament_id=tournament_id, now=now)
        return _("Invitation declined.")
    if verb in {"pause", "come_back"}:
        services.be_here(user=user, tournament_id=tournament_id, here=verb == "come_back", now=now)
        return (
            _("You will be paired again.")
            if verb == "come_back"
            else _("Paused: you will not be paired for now.")
        )
    if verb == "bye":
        number = request.POST.get("round", "")
        at = int(number) if number.isdecimal() and len(number) < 6 else 0
        services.ask_bye(user=user, tournament_id=tournament_id, number=at)
        return _("Done. Your byes are listed below.")
    raise NotFound(_("This action doesn't exist."))
