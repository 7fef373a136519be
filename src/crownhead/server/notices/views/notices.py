"""The list of notifications, following one, marking them as read."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import signed_in
from crownhead.server.core import clock
from crownhead.server.notices import services
from crownhead.server.notices.kinds import Group, Kind
from crownhead.server.notices.selectors import recipients
from crownhead.server.notices.selectors.reading import as_read, notices_of, unread_count
from crownhead.server.notices.services import reading
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.slices import keyed

PER_PAGE = 30
_ICONS = {Group.GAMES: "board", Group.TIME: "clock", Group.NEW_GAMES: "play", Group.CLUB: "talk"}


@require_safe
@page
def all_notices(request: HttpRequest) -> HttpResponse:
    """List the notifications, the latest first."""
    user = signed_in(request)
    page_obj = keyed(notices_of(user), order=("-created_at", "-id"), query=request.GET, limit=PER_PAGE)
    as_read(page_obj, user)
    context = {
        "games": page_obj,
        "lines": [(notice, _ICONS[Kind(notice.kind).row.group]) for notice in page_obj],
        "unread": unread_count(user),
        "zone": recipients.person(user).zone,
        **frame(request),
    }
    return render(request, "notices/all.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@page
def read_all(request: HttpRequest) -> HttpResponse:
    """Mark all as read."""
    if request.method == "POST":
        services.mark_all_read(user=signed_in(request), now=clock.now())
        messages.success(request, _("All notifications are marked as read."))
    return go_to(request, reverse("notices:all"))


@require_safe
@page
def follow(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mark one as read and go to its page."""
    notice = reading.follow(user=signed_in(request), public_id=public_id, now=clock.now())
    return redirect(notice.link)
