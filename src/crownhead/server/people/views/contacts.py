"""Contacts: buttons on a profile, the buddies and the blocked players."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.contacts import services as contact_services
from crownhead.server.accounts.contacts.validators import LONGEST_NOTE
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import NotFound, Problem, Unprocessable
from crownhead.server.people.presenters.people import summary
from crownhead.server.web.page import frame, go_to, page
from crownhead.server.web.slices import numbered

PER_PAGE = 50

_POST = ["GET", "HEAD", "POST"]
_LISTS = {"buddies": "people:buddies", "blocked": "people:blocked"}


@require_http_methods(_POST)
@page
def change(request: HttpRequest, name: str) -> HttpResponse:
    """Change a contact; after signing in, the user finds the buttons on the profile."""
    came_from = _LISTS.get(request.POST.get("back", ""))
    address = reverse(came_from) if came_from else reverse("people:player", args=[name])
    if request.method != "POST":
        return go_to(request, address)
    user = signed_in(request)
    try:
        _perform(request, user, request.POST.get("do", ""), name)
    except Problem as problem:
        messages.error(request, problem.message)
    return go_to(request, address)


@require_safe
@page
def buddies(request: HttpRequest) -> HttpResponse:
    """List the buddies with notes, those online first."""
    user, now = signed_in(request), clock.now()
    rows = accounts.buddies_here_first(user, now).select_related("buddy__profile")
    some = numbered(rows, query=request.GET, limit=PER_PAGE)
    context = {
        "rows": [(row, summary(row.buddy, now=now, viewer=user)) for row in some],
        "games": some,
        "here": accounts.buddies_here(user, now).count(),
        "longest": LONGEST_NOTE,
        **frame(request),
    }
    return render(request, "people/buddies.html", context)


@require_safe
@page
def blocked(request: HttpRequest) -> HttpResponse:
    """List the blocked players."""
    rows = numbered(accounts.blocked_by(signed_in(request)), query=request.GET, limit=PER_PAGE)
    return render(request, "people/blocked.html", {"rows": rows, "games": rows, **frame(request)})


def _perform(request: HttpRequest, user: User, action: str, name: str) -> None:
    other = accounts.person(name)
    if other is None:
        raise NotFound(_("There is no player %(given)s.") % {"given": repr(name[:60])})
    facts = {"name": other.username}
    match action:
        case "add":
            contact_services.add_buddy(user=user, other=_active(other), now=clock.now())
            messages.success(request, _("%(name)s is now one of your buddies.") % facts)
        case "note":
            contact_services.write_note(user=user, other=other, note=request.POST.get("note", ""))
            messages.success(request, _("Your note about %(name)s is saved.") % facts)
        case "remove":
            contact_services.remove_buddy(user=user, other=other)
            messages.success(request, _("%(name)s is no longer one of your buddies.") % facts)
        case "block":
            contact_services.block(user=user, other=_active(other), now=clock.now())
            messages.success(
                request,
                _("You have blocked %(name)s: no more messages, chat or invitations from them.") % facts,
            )
        case "unblock":
            contact_services.unblock(user=user, other=other)
            messages.success(request, _("You have unblocked %(name)s.") % facts)
        case _:
            raise Unprocessable(_("This action doesn't exist."))


def _active(other: User) -> User:
    if not other.is_active:
        raise Unprocessable(_("%(username)s has left the club.") % {"username": other.username})
    return other
