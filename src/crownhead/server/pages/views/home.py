"""The home page: a member's games, or an introduction for a visitor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from crownhead import VARIANTS
from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.guests.access import viewer
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.pagination import merged
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.lobby import selectors
from crownhead.server.lobby.presenters import invitations
from crownhead.server.lobby.presenters.offers import offers
from crownhead.server.lobby.services.visits import last_visit
from crownhead.server.pages.presenters.club_now import club_now
from crownhead.server.pages.presenters.computer_board import ComputerTerms, computer_board
from crownhead.server.pages.presenters.first_steps import first_steps
from crownhead.server.pages.presenters.my_games import lists_of_my_games
from crownhead.server.pages.presenters.rules import cards
from crownhead.server.play import selectors as games
from crownhead.server.play.selectors import Game, Games
from crownhead.server.problems.presenters import daily_card
from crownhead.server.problems.selectors import daily
from crownhead.server.social.selectors import news
from crownhead.server.web.page import frame, go_to, keep_on_device, page
from crownhead.server.web.page_cache import MAX_AGE, cached_for_guests

MAX_GAMES = 20  # of each list; the most urgent come first, a page of their own lists all
RECENT_GAMES = 5
OFFERS_FOR_GUESTS = 5
STEPS_HIDDEN = "first_steps_hidden"  # in the session of a new member who has seen enough of them


def _cache_key(_request: HttpRequest) -> tuple[Hashable, ...]:
    """What the introduction shows: offers, news and the day's problem; the rest may be some seconds old."""
    now = clock.now()
    latest = news.latest(now)
    headline = latest and (latest.public_id, latest.title)
    return selectors.public_state(now), headline, daily(now).key, int(now.timestamp()) // MAX_AGE


@require_safe
@page
@cached_for_guests(_cache_key)
def home(request: HttpRequest) -> HttpResponse:
    """A member's games; for a guest, the introduction."""
    if isinstance(request.user, User):
        return _my_games(request, request.user)
    first = next(iter(VARIANTS.values()))
    context = {
        "computer": computer_board(ComputerTerms(first), viewer(request)),
        "variants": cards,
        **_goings_on(request),
        **frame(request),
    }
    return render(request, "pages/welcome.html", context)


@require_safe
@page
@cached_for_guests(
    lambda request: (*_cache_key(request), games.running_games_state()),  # a board follows its game
    of_part=True,
)
def renewed(request: HttpRequest) -> HttpResponse:
    """The part of the introduction that shows what goes on in the club, which the page asks for again."""
    return render(request, "pages/parts/now.html", {"swapped": True, **_goings_on(request)})


def _goings_on(request: HttpRequest) -> dict[str, Any]:
    """What goes on in the club, for the introduction."""
    at = clock.now()
    waiting = selectors.waiting_room(viewer=request.user, now=at)
    return {
        "club": club_now(at),
        "daily": daily_card(at, viewer(request)),
        "offers": offers(request, list(waiting[:OFFERS_FOR_GUESTS])),
    }


def _my_games(request: HttpRequest, user: User) -> HttpResponse:
    now = clock.now()
    since = last_visit(user, now)
    rows = [_MINE.rows(user_id=user.pk), _THEIRS.rows(user_id=user.pk), _recently_finished(user, since)]
    mine, theirs, finished = lists_of_my_games(rows, user=user, now=now, since=since)
    received, sent = invitations.received(request, user), invitations.sent(request, user)
    context = {
        "mine": mine,
        "more_of_mine": _more(mine, user, turn=True),
        "theirs": theirs,
        "more_of_theirs": _more(theirs, user, turn=False),
        "received": received[: invitations.MAX_SHOWN],
        "more_received": len(received) > invitations.MAX_SHOWN,
        "sent": sent[: invitations.MAX_SHOWN],
        "more_sent": len(sent) > invitations.MAX_SHOWN,
        "offers": offers(request, _WAITING.rows(user_id=user.pk)),
        "finished": finished,
        "steps": [] if STEPS_HIDDEN in request.session else first_steps(user, now),
        "all_games": [*mine, *theirs, *finished],
        "usual_variant": _usual_variant([game for games_of in rows for game in games_of]),
        **frame(request),
    }
    return keep_on_device(render(request, "pages/home.html", context))


@require_POST
@page
def hide_first_steps(request: HttpRequest) -> HttpResponse:
    """Show a new member no first steps any more."""
    signed_in(request)
    request.session[STEPS_HIDDEN] = True
    return go_to(request, reverse("pages:home"))


def _usual_variant(played: Sequence[Game]) -> str:
    """The variant of most games of a member, for what the installed club keeps; without any the first one."""
    found = Counter(game.variant for game in played if game.variant in VARIANTS)
    return max(found, key=lambda key: found[key], default=next(iter(VARIANTS)))


_MINE = Prepared(lambda user_id: games.my_games(user=User(pk=user_id), turn=True)[:MAX_GAMES], user_id=int)
_THEIRS = Prepared(lambda user_id: games.my_games(user=User(pk=user_id), turn=False)[:MAX_GAMES], user_id=int)
_WAITING = Prepared(lambda user_id: games.my_waiting_games(user=User(pk=user_id))[:MAX_GAMES], user_id=int)


def _more(shown: Sequence[object], user: User, *, turn: bool) -> int:
    """How many games there are beyond those of a full list."""
    if len(shown) < MAX_GAMES:
        return 0
    return games.my_games(user=user, turn=turn).count() - len(shown)


def _recently_finished(user: User, since: datetime | None) -> list[Game]:
    """The games that ended since the last visit, but at least a few."""
    found = [game for seat in _LAST_BY_SEAT for game in seat.rows(user_id=user.pk)]
    found.sort(key=attrgetter("ended_at", "pk"), reverse=True)
    few = found[:RECENT_GAMES]
    if len(few) < RECENT_GAMES or not _is_fresh(few[-1], since):
        return few
    arms = games.my_finished_games_by_seat(user=user)
    latest = merged(arms, order=games.LAST_ENDED_FIRST, limit=MAX_GAMES).items
    return latest[: max(sum(_is_fresh(game, since) for game in latest), RECENT_GAMES)]


def _is_fresh(game: Game, since: datetime | None) -> bool:
    return game.ended_at is not None and since is not None and game.ended_at > since


def _last_by_seat(user_id: int, *, seat: int) -> Games:
    return games.my_finished_games_by_seat(user=User(pk=user_id))[seat][:RECENT_GAMES]


_LAST_BY_SEAT = tuple(Prepared(partial(_last_by_seat, seat=seat), user_id=int) for seat in (0, 1))
