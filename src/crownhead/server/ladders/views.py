"""The pages of ladders: the list, one ladder with its standings, rules, challenges and history."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import member, signed_in
from crownhead.server.accounts.selectors import player
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.ladders import presenters as ladders_presenters
from crownhead.server.ladders import selectors, services
from crownhead.server.ladders.choices import Style
from crownhead.server.ladders.models import Ladder
from crownhead.server.ladders.selectors import styles
from crownhead.server.ladders.selectors.terms import link_of, name_of, pace_of, variant_of
from crownhead.server.play.presenters.entry_markup import game_link
from crownhead.server.web.done_once import done_once
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.page_cache import cached_while_unchanged
from crownhead.server.web.slices import keyed

PER_PAGE = 50
_ABOVE_ME = 10  # ranks shown above the viewer's own


@require_safe
@page
@cached_while_unchanged()
def list_all(request: HttpRequest) -> HttpResponse:
    """All ladders, the viewer's own first."""
    user = member(request)
    mine = [] if user is None else selectors.memberships_of(user)
    groups = ladders_presenters.groups(mine)
    context = {
        "mine": [ladders_presenters.line(row.ladder, mine=row.rank) for row in mine],
        "busy": ladders_presenters.busiest(groups),
        "groups": groups,
        "challenges": []
        if user is None
        else ladders_presenters.challenge_lines(selectors.open_challenges_of(user)[:PER_PAGE]),
        **frame(request),
    }
    return render(request, "ladders/list.html", context)


@require_safe
@page
def my_challenges(request: HttpRequest) -> HttpResponse:
    """The viewer's open challenges on all ladders."""
    rows = selectors.open_challenges_of(signed_in(request))
    page_obj = keyed(rows, order=("-id",), query=request.GET, limit=PER_PAGE)
    lines = ladders_presenters.challenge_lines(page_obj)
    return render(
        request, "ladders/my_challenges.html", {"challenges": lines, "games": page_obj, **frame(request)}
    )


@require_safe
@page
@cached_while_unchanged()
def standings(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """The standings, and whom the viewer may challenge."""
    ladder = selectors.access_ladder(ladder_id)
    me = selectors.member_of(ladder, member(request))
    start = _number(request.GET.get("from", ""))
    page_of_rows = selectors.standings(ladder, cursor=request.GET.get("after"), start=start, limit=PER_PAGE)
    lines = ladders_presenters.standings(ladder, page_of_rows.items, me=me, now=clock.now())
    context = {
        "lines": lines,
        "why_nobody": next((line.why_not for line in lines if line.for_all), ""),
        "more": page_of_rows.next,
        "from_top": not (request.GET.get("after") or start),
        **_about(request, ladder),
    }
    return render(request, "ladders/standings.html", context)


@require_safe
@page
@cached_while_unchanged()
def rules(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """The rules that members agree to."""
    ladder = selectors.access_ladder(ladder_id)
    return render(request, "ladders/rules.html", _about(request, ladder))


@require_safe
@page
@cached_while_unchanged()
def challenges(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """The challenges of a ladder."""
    ladder = selectors.access_ladder(ladder_id)
    page_of_rows = selectors.challenges(ladder, cursor=request.GET.get("after"), limit=PER_PAGE)
    context = {
        "challenges": ladders_presenters.challenge_lines(page_of_rows.items),
        "more": page_of_rows.next,
        "from_top": not request.GET.get("after"),
        **_about(request, ladder),
    }
    return render(request, "ladders/challenges.html", context)


@require_safe
@page
@cached_while_unchanged()
def history(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """The history of a ladder."""
    ladder = selectors.access_ladder(ladder_id)
    page_of_rows = selectors.history(ladder, cursor=request.GET.get("after"), limit=PER_PAGE)
    context = {
        "events": ladders_presenters.events(ladder, page_of_rows.items),
        "more": page_of_rows.next,
        "from_top": not request.GET.get("after"),
        **_about(request, ladder),
    }
    return render(request, "ladders/history.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def join(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Join the ladder; a GET, as after signing in, leads to its page."""
    if request.method == "POST":
        member = services.join(user=signed_in(request), ladder_id=ladder_id, now=clock.now())
        text = _("You have joined the ladder: %(rank)s.")
        messages.success(request, text % {"rank": ladders_presenters.rank_words(member.ladder, member.rank)})
    return go_to(request, reverse("ladders:ladder", args=[ladder_id]))


@require_http_methods(["GET", "HEAD", "POST"])
@page
def leave(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Ask for confirmation, then leave the ladder."""
    user = signed_in(request)
    ladder = selectors.access_ladder(ladder_id)
    if request.method != "POST":
        return render(request, "ladders/leave.html", _about(request, ladder))
    services.leave(user=user, ladder_id=ladder_id, now=clock.now())
    messages.success(request, _("You have left the ladder."))
    return go_to(request, reverse("ladders:ladder", args=[ladder_id]))


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def challenge(request: HttpRequest, ladder_id: str) -> HttpResponse:
    """Ask for confirmation, then challenge a player; a refusal is shown on the standings."""
    if request.method != "POST":
        return _ask_before_challenge(request, selectors.access_ladder(ladder_id))
    try:
        made = services.challenge(
            user=signed_in(request),
            ladder_id=ladder_id,
            opponent=request.POST.get("opponent", ""),
            now=clock.now(),
        )
    except Problem as problem:
        if problem.status != 409:
            raise
        messages.error(request, problem.message)
        return go_to(request, reverse("ladders:ladder", args=[ladder_id]))
    messages.success(request, _("The challenge has started. Good luck!"))
    first = made.games.order_by("number").values_list("game_id", flat=True)[0]
    return go_to(request, game_link(first))


def _ask_before_challenge(request: HttpRequest, ladder: Ladder) -> HttpResponse:
    """Say what begins with a challenge; without a name, as after signing in, go to the standings."""
    about, opponent = _about(request, ladder), player(request.GET.get("opponent", ""))
    if about["me"] is None or opponent is None:
        return go_to(request, link_of(ladder))
    return render(request, "ladders/challenge.html", {"opponent": opponent.username, **about})


def _about(request: HttpRequest, ladder: Ladder) -> dict[str, Any]:
    """The context that all pages of a ladder share."""
    me = selectors.member_of(ladder, member(request))
    return {
        "ladder": ladder,
        "name": name_of(ladder),
        "variant": variant_of(ladder),
        "pace": pace_of(ladder),
        "style": ladders_presenters.style_words(ladder),
        "numbers": styles.NUMBERS[ladder.style],
        "stairs": ladder.style == Style.STAIRS,
        "me": me,
        "my_rank": "" if me is None else ladders_presenters.rank_words(ladder, me.rank),
        "start": None if me is None else _around(ladder, me.rank),
        **frame(request),
    }


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


def _around(ladder: Ladder, rank: int) -> int:
    """The rank at which the standings start, so that a member is shown with those above them."""
    return rank + _ABOVE_ME if ladder.style == Style.STAIRS else max(rank - _ABOVE_ME, 1)
