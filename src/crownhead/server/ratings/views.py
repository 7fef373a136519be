"""The pages of ratings: the variants, a leaderboard, how one player's rating has gone."""

from __future__ import annotations

from collections.abc import Hashable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from crownhead import VARIANTS, Variant
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import expect_readable, member
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound
from crownhead.server.play.presenters.families import families
from crownhead.server.ratings import selectors
from crownhead.server.ratings.presenters import charts, history
from crownhead.server.ratings.selectors import leaderboards
from crownhead.server.ratings.selectors.paces import RatedPace, results_by_pace
from crownhead.server.web.page import frame, page
from crownhead.server.web.page_cache import LONG_MAX_AGE, cached_for_guests, cached_while_unchanged

PER_PAGE = 50


def _cache_key(_request: HttpRequest) -> Hashable:
    return tuple(leaderboards.leads(now=clock.now()).values())


@require_safe
@page
@cached_for_guests(_cache_key)
def overview(request: HttpRequest) -> HttpResponse:
    """The variants, who leads in them, and what the viewer is rated."""
    leads = leaderboards.leads(now=clock.now())
    mine = (
        {} if _me(request) is None else {row.variant: row for row in selectors.ratings_of(_me(request) or 0)}
    )
    played = sorted(
        ((VARIANTS[key], lead, mine.get(key)) for key, lead in leads.items() if key in VARIANTS),
        key=lambda row: -(row[1].players + row[1].provisional),
    )
    others = [variant for variant in VARIANTS.values() if variant.key not in leads]
    context = {"played": played, "families": families(others), "rated": bool(mine), **frame(request)}
    return render(request, "ratings/overview.html", context)


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def variant(request: HttpRequest, key: str) -> HttpResponse:
    """The leaderboard of a variant, and the distribution of its ratings."""
    row, now = _variant(key), clock.now()
    places, more = leaderboards.leaderboard(
        row.key,
        now=now,
        cursor=request.GET.get("after"),
        limit=PER_PAGE,
        most=_number(request.GET.get("from", "")),
    )
    me = _me(request)
    mine = None if me is None else selectors.rating_of(me, row.key, now=now)
    columns = leaderboards.distribution(row.key, now=now)
    from_top = not (request.GET.get("after") or request.GET.get("from"))
    context = {
        "variant": row,
        "places": places,
        "more": more,
        "from_top": from_top,
        "provisional": leaderboards.provisional(row.key, now=now) if from_top else [],
        "mine": mine,
        "standing": None if me is None else leaderboards.standing_of(me, row.key, now=now),
        "columns": columns,
        "distribution": charts.distribution_chart(columns, mine=mine.points if mine and mine.games else None),
        **frame(request),
    }
    return render(request, "ratings/variant.html", context)


@require_safe
@page
@cached_while_unchanged(LONG_MAX_AGE)
def player(request: HttpRequest, name: str, key: str) -> HttpResponse:
    """How a player's rating in a variant has gone, game by game."""
    row, now = _variant(key), clock.now()
    person = accounts.player(name)
    if person is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(name[:60])})
    viewer = member(request)
    expect_readable(person, viewer)
    asked = request.GET.get("pace", "")
    pace = RatedPace(asked) if asked in set(RatedPace) else None
    asked = request.GET.get("span", "")
    span = history.Span(asked) if asked in set(history.Span) else None
    since = None if span is None else span.since(now)
    lines, more = history.lines(person, row.key, viewer=viewer, pace=pace, cursor=request.GET.get("after"))
    context = {
        "variant": row,
        "person": person,
        "rating": selectors.rating_of(person.pk, row.key, now=now),
        "standing": leaderboards.standing_of(person.pk, row.key, now=now),
        "others": [
            (VARIANTS[rating.variant], rating)
            for rating in selectors.ratings_of(person.pk, now=now)
            if rating.variant in VARIANTS
        ],
        "paces": results_by_pace(person.pk, row.key),
        "pace": pace,
        "span": span,
        "curve": charts.rating_curve(history.moments(person.pk, row.key, pace=pace, since=since)),
        "lines": lines,
        "more": more,
        "from_top": not request.GET.get("after"),
        **frame(request),
    }
    return render(request, "ratings/player.html", context)


def _me(request: HttpRequest) -> int | None:
    return request.user.pk if isinstance(request.user, User) else None


def _variant(key: str) -> Variant:
    if key not in VARIANTS:
        raise NotFound(_("There is no game called %(given)s.") % {"given": repr(key[:60])})
    return VARIANTS[key]


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None
