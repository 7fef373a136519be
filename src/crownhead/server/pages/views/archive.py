"""The pages of a player's finished games: a list with filters, and all of them in one PDN file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.core import clock
from crownhead.server.core.limits import caller, spend, spend_pages
from crownhead.server.pages.presenters.my_games import my_games
from crownhead.server.pages.views.public import PER_PAGE
from crownhead.server.play import selectors
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.archive.selectors import MOST_PAGES, PLIES_OF_A_PAGE, ArchiveFilter, MyResult
from crownhead.server.play.presenters.families import families
from crownhead.server.web.page import frame, page
from crownhead.server.web.slices import keyed


@require_safe
@page
def finished(request: HttpRequest) -> HttpResponse:
    """The finished games of the user that match the filters, latest first."""
    user, wanted = signed_in(request), ArchiveFilter.of(request.GET)
    arms = (
        archive_selectors.filtered(seat, wanted, user=user)
        for seat in selectors.my_finished_games_by_seat(user=user)
    )
    current = keyed(*arms, order=selectors.LAST_ENDED_FIRST, query=request.GET, limit=PER_PAGE)
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
    """The same games in one PDN file."""
    user = signed_in(request)
    spend(scope="records", who=caller(request))
    rows = archive_selectors.filtered(
        selectors.my_finished_games(user=user), ArchiveFilter.of(request.GET), user=user
    )
    spend_pages(request, archive_selectors.plies_of(rows), PLIES_OF_A_PAGE, most=MOST_PAGES)
    return HttpResponse(
        "".join(archive_selectors.records(rows)),
        content_type="application/x-draughts-pdn; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{user.username}.pdn"'},
    )


def _results() -> list[tuple[str, str]]:
    """The results to filter by."""
    return [
        (MyResult.WON.value, _("won")),
        (MyResult.LOST.value, _("lost")),
        (MyResult.DRAWN.value, _("drawn")),
        (MyResult.ANNULLED.value, _("annulled")),
    ]
