"""Pages about players: profile, games, avatar, search, who is online."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from crownhead import VARIANTS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.pagination import page as page_of
from crownhead.server.core.problems import NotFound, NotSignedIn
from crownhead.server.people.presenters import avatars
from crownhead.server.people.presenters.people import summaries
from crownhead.server.people.presenters.profile import is_secret, profile
from crownhead.server.people.selectors import results
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.archive.selectors import ArchiveFilter
from crownhead.server.play.presenters.families import families
from crownhead.server.web.decorators import page
from crownhead.server.web.fragments import frame

PER_PAGE = 48
GAMES_PER_PAGE = 25
FEW = 5
MOST_HERE = 200
_A_YEAR = 365 * 24 * 3600


@require_GET
@page
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Show a profile; a former name redirects to the present one."""
    person = accounts.person(name)
    if person is None:
        return _by_former_name(name, "people:player")
    now, viewer = clock.now(), request.user
    profile_page = profile(person, viewer=viewer, variant=request.GET.get("variant", ""), now=now)
    playing = results.running(person, viewer=viewer)
    last = results.finished(person, viewer=viewer)
    context = {
        "person": person,
        "page": profile_page,
        "running": [] if profile_page.secret else results.lines(playing[:FEW], person=person, now=now),
        "finished": [] if profile_page.secret else results.lines(last[:FEW], person=person, now=now),
        **frame(request),
    }
    return render(request, "people/player.html", context)


@require_GET
@page
def games(request: HttpRequest, name: str) -> HttpResponse:
    """List the games of a player that the viewer may see, in progress or finished."""
    person = accounts.person(name)
    if person is None:
        return _by_former_name(name, "people:games")
    if is_secret(person, request.user):
        raise NotSignedIn
    over = request.GET.get("show") != "running"
    wanted = ArchiveFilter.of(request.GET)
    rows = (
        results.finished(person, viewer=request.user)
        if over
        else results.running(person, viewer=request.user)
    )
    page_obj = Paginator(archive_selectors.filtered(rows, wanted, user=person), GAMES_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "person": person,
        "over": over,
        "games": page_obj,
        "entries": results.lines(page_obj, person=person, now=clock.now()),
        "wanted": wanted,
        "filtered": wanted != ArchiveFilter(),
        "families": families(VARIANTS.values()),
        **frame(request),
    }
    return render(request, "people/games.html", context)


@require_safe
def avatar(request: HttpRequest, name: str) -> HttpResponse:
    """Draw the picture of a name, whether somebody has it or not."""
    mark = f'"{avatars.mark_of(name)}"'
    if request.headers.get("If-None-Match") == mark:
        answer: HttpResponse = HttpResponseNotModified()
    else:
        answer = HttpResponse(avatars.draw(name), content_type="image/svg+xml")
    answer.headers["ETag"] = mark
    patch_cache_control(answer, public=True, max_age=_A_YEAR)
    return answer


@require_GET
@page
def players(request: HttpRequest) -> HttpResponse:
    """Search players by prefix, or list who is online."""
    search, now = request.GET.get("name", "").strip()[:20], clock.now()
    if search:
        rows_page = page_of(
            accounts.players_by_prefix(search),
            order=("folded",),
            cursor=request.GET.get("cursor") or None,
            limit=PER_PAGE,
        )
        people, more = rows_page.items, rows_page.next
    else:
        people, more = list(accounts.players_online(now)[:MOST_HERE]), None
    context = {
        "search": search,
        "people": summaries(people, now=now),
        "more": more,
        "later": bool(request.GET.get("cursor")),
        "full": not search and len(people) == MOST_HERE,
        "member": isinstance(request.user, User),
        **frame(request),
    }
    return render(request, "people/players.html", context)


def _by_former_name(name: str, view: str) -> HttpResponse:
    """Redirect from a former name; raises ``NotFound``."""
    person = accounts.former_player(name, clock.now())
    if person is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(name[:60])})
    return redirect(view, person.username)
