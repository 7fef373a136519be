"""The page of a team's message board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.http import whole_number
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.markup.stored import stored_html
from crownhead.server.core.problems import Unprocessable
from crownhead.server.teams import selectors, services
from crownhead.server.teams.models import Post, Team
from crownhead.server.teams.services.board import LONGEST_POST, MAX_OF_MEMBER, MAX_POSTS
from crownhead.server.web.done_once import done_once
from crownhead.server.web.forms import given_back
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.slices import keyed

PER_PAGE = 30


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """A message on the board."""

    key: int
    author: str
    html: str
    at: datetime
    mine: bool


@require_http_methods(["GET", "HEAD", "POST"])
@page
@done_once
def board(request: HttpRequest, team_id: str) -> HttpResponse:
    """The message board of a team, newest first."""
    user, team = signed_in(request), selectors.access_team(team_id)
    text = error = ""
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            return _change(request, user, team_id, text)
        except Unprocessable:
            error = _("Write 1 to %(most)s characters.") % {"most": LONGEST_POST}
            text = given_back(text, LONGEST_POST)
    page_obj = keyed(selectors.posts(user, team), order=("-id",), query=request.GET, limit=PER_PAGE)
    context = {
        "team": team,
        "games": page_obj,
        "posts": [_message(post, user, team) for post in page_obj],
        "may_write": selectors.is_member(user.pk, team_id),
        "text": text,
        "error": error,
        "longest": LONGEST_POST,
        "kept": MAX_POSTS,
        "kept_of_member": MAX_OF_MEMBER,
        **frame(request),
    }
    return render(request, "teams/board.html", context)


def _change(request: HttpRequest, user: User, team_id: str, text: str) -> HttpResponse:
    post_id = request.POST.get("take_down", "")
    if post_id:
        services.take_down(user=user, team_id=team_id, post_id=whole_number(post_id) or 0)
        messages.success(request, _("Message deleted."))
    else:
        spend(scope="team_posts", who=caller(request))
        services.write(user=user, team_id=team_id, text=text, now=clock.now())
    return go_to(request, reverse("teams:board", args=[team_id]))


def _message(post: Post, user: User, team: Team) -> BoardMessage:
    return BoardMessage(
        key=post.pk,
        author=post.author.username,
        html=stored_html(post),
        at=post.written_at,
        mine=post.author_id == user.pk or selectors.is_captain(user, team),
    )
