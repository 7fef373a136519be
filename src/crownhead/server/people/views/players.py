"""Pages about players: profile, games, avatar, search, who is online."""

from __future__ import annotations

from datetime import datetime
from operator import attrgetter

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crownhead import VARIANTS
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.choices import countries
from crownhead.server.accounts.selectors import User, is_secret
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, NotSignedIn
from crownhead.server.people.presenters import avatars
from crownhead.server.people.presenters.people import PersonSummary, summaries
from crownhead.server.people.presenters.profile import profile
from crownhead.server.people.selectors import online, results
from crownhead.server.people.selectors.search import Found, Wanted, find_by_name, find_players
from crownhead.server.play.archive import selectors as archive_selectors
from crownhead.server.play.archive.selectors import PLIES_OF_A_LIST, ArchiveFilter
from crownhead.server.play.presenters.families import families
from crownhead.server.play.selectors import LAST_ENDED_FIRST, LEAST_TIME_FIRST, Game, Viewer
from crownhead.server.web.page import frame, page
from crownhead.server.web.page_cache import cached_while_unchanged
from crownhead.server.web.slices import sought

PER_PAGE = 48
GAMES_PER_PAGE = 25
FEW_MORE = 24  # whose names contain what is searched
_A_YEAR = 365 * 24 * 3600


@require_safe
@page
@cached_while_unchanged()
def player(request: HttpRequest, name: str) -> HttpResponse:
    """Show a profile; a former name redirects to the present one."""
    person = accounts.person(name)
    if person is None:
        return _by_former_name(name, "people:player")
    now, viewer = clock.now(), request.user
    profile_page = profile(person, viewer=viewer, variant=request.GET.get("variant", ""), now=now)
    running, finished = (
        []
        if profile_page.secret
        else results.lines(games_of(person, viewer=viewer), person=person, viewer=viewer, now=now)
        for games_of in (results.some_running, results.last_finished)
    )
    context = {
        "person": person,
        "page": profile_page,
        "running": running,
        "finished": finished,
        **frame(request),
    }
    return render(request, "people/player.html", context)


@require_safe
@page
@cached_while_unchanged()
def games(request: HttpRequest, name: str) -> HttpResponse:
    """List the games of a player that the viewer may see, in progress or finished."""
    person = accounts.person(name)
    if person is None:
        return _by_former_name(name, "people:games")
    if is_secret(person, request.user):
        raise NotSignedIn
    over = request.GET.get("show") != "running"
    wanted = ArchiveFilter.of(request.GET)
    by_seat, order = (
        (results.finished_by_seat, LAST_ENDED_FIRST) if over else (results.running_by_seat, LEAST_TIME_FIRST)
    )
    parts = archive_selectors.parts_of(by_seat(person, viewer=request.user), wanted, user=person)
    rows = Game.objects.with_players()
    page_obj = sought(
        parts,
        rows,
        order=order,
        query=request.GET,
        limit=GAMES_PER_PAGE,
        size_of=attrgetter("version"),
        most=PLIES_OF_A_LIST,
    )
    context = {
        "person": person,
        "over": over,
        "games": page_obj,
        "entries": results.lines(page_obj, person=person, viewer=request.user, now=clock.now()),
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


@require_safe
@page
@cached_while_unchanged()
def players(request: HttpRequest) -> HttpResponse:
    """Search players by name, country and rating, list all of them by name, or who is online.

    Others with the words of a name are looked for where those that an index finds first fill no page.
    """
    wanted, now, cursor = _wanted(request), clock.now(), request.GET.get("cursor") or None
    everybody = not wanted.anything and request.GET.get("show") == "all"
    if wanted.anything or everybody:
        found, more = find_players(wanted, cursor=cursor, limit=PER_PAGE)
    else:
        found, more = [Found(user) for user in online.online(now)], None
    others = [] if cursor else _others(wanted, found, more=more)
    context = {
        "search": wanted.name,
        "wanted": wanted,
        "filtered": wanted.anything and not wanted.name_alone,
        "countries": countries.choices,  # asked for by a part that is kept
        "families": families(VARIANTS.values()),
        "everybody": everybody,
        "listed": wanted.anything or everybody,
        "containing": _presented(others, now, request.user),
        "people": _presented(found, now, request.user),
        "more": more,
        "later": bool(cursor),
        "full": not (wanted.anything or everybody) and len(found) == online.MOST,
        "member": isinstance(request.user, User),
        **frame(request),
    }
    return render(request, "people/players.html", context)


def _others(wanted: Wanted, found: list[Found], *, more: str | None) -> list[Found]:
    """Players with the words of a name whom the first page of a search doesn't show."""
    if wanted.name_alone:
        return [] if more else [Found(user) for user in accounts.players_containing(wanted.name)[:FEW_MORE]]
    if not more or len(found) == PER_PAGE:
        return []
    shown = {player.user.pk for player in found}
    named = find_by_name(wanted, limit=FEW_MORE + len(found))
    return [player for player in named if player.user.pk not in shown][:FEW_MORE]


def _presented(found: list[Found], now: datetime, viewer: Viewer) -> list[tuple[PersonSummary, int | None]]:
    people = summaries([player.user for player in found], now=now, viewer=viewer)
    return [(person, player.points) for person, player in zip(people, found, strict=True)]


def _wanted(request: HttpRequest) -> Wanted:
    """What the fields of the search say; what makes no sense counts as not asked."""
    query = request.GET
    variant, country = query.get("variant", ""), query.get("country", "")
    return Wanted(
        name=query.get("name", "").strip()[:20],
        country=country if country in countries.COUNTRIES else "",
        variant=variant if variant in VARIANTS else "",
        least=_rating(query.get("from", "")),
        most=_rating(query.get("to", "")),
        by_guest=not isinstance(request.user, User),
    )


def _rating(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else None


def _by_former_name(name: str, view: str) -> HttpResponse:
    """Redirect from a former name; raises ``NotFound``."""
    person = accounts.former_player(name, clock.now())
    if person is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(name[:60])})
    return redirect(view, person.username)
