"""The pages of a player's finished games: a list with filters, and all of them in one PDN file."""

from __future__ import annotations

from operator import attrgetter

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend, spend_pages
from crownhead.server.pages.presenters.my_games import my_games
from crownhead.server.pages.views.public import PER_PAGE
from crownhead.server.pages.views.records import long_pdn_file
from crownhead.server.play import selectors
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.archive.selectors import (
    PLIES_OF_A_LIST,
    PLIES_OF_A_PAGE,
    ArchiveFilter,
    MyResult,
)
from crownhead.server.play.presenters.families import families
from crownhead.server.play.selectors import Game, Games
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.slices import sought


@require_safe
@page
def finished(request: HttpRequest) -> HttpResponse:
    """The finished games of the user that match the filters, latest first."""
    user, wanted = signed_in(request), ArchiveFilter.of(request.GET)
    parts = archive_selectors.parts_of(selectors.my_finished_games_by_seat(user=user), wanted, user=user)
    rows, order = Game.objects.with_players(), selectors.LAST_ENDED_FIRST
    current = sought(
        parts,
        rows,
        order=order,
        query=request.GET,
        limit=PER_PAGE,
        size_of=attrgetter("version"),
        most=PLIES_OF_A_LIST,
    )
    context = {
        "games": current,
        "entries": my_games(current, user=user, now=clock.now()),
        "wanted": wanted,
        "filtered": wanted != ArchiveFilter(),
        "results": _results(),
        "families": families(VARIANTS.values()),
        **frame(request),
    }
    return render(request, "pages/finished.html", context)


@require_safe
@page
def records(request: HttpRequest) -> HttpResponse:
    """The games in one PDN file, unless they are too many."""
    user = signed_in(request)
    spend(scope="records", who=caller(request))
    portion = archive_selectors.portion(_arms(user, ArchiveFilter.of(request.GET)))
    if portion.next is not None:
        messages.error(
            request,
            _("These games are too many for one file. Choose a shorter time, or download all your data."),
        )
        return go_to(request, f"{reverse('pages:finished')}?{request.GET.urlencode()}")
    spend_pages(request, portion.plies, PLIES_OF_A_PAGE)
    return long_pdn_file(portion.records(), name=user.username)


def _arms(user: User, wanted: ArchiveFilter) -> list[Games]:
    """The user's finished games that are wanted, with the first seat and with the second."""
    return [
        archive_selectors.filtered(seat, wanted, user=user)
        for seat in selectors.my_finished_games_by_seat(user=user)
    ]


def _results() -> list[tuple[str, str]]:
    """The results to filter by."""
    return [
        (MyResult.WON.value, _("won")),
        (MyResult.LOST.value, _("lost")),
        (MyResult.DRAWN.value, _("drawn")),
        (MyResult.ANNULLED.value, _("annulled")),
    ]
