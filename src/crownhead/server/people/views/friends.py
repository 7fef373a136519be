"""Inviting a friend, the page behind the link, and opting out."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.selectors import User, email_is_confirmed
from crownhead.server.accounts.services import invitation_opt_out, stranger_mail
from crownhead.server.accounts.validators import LONGEST_LOGIN
from crownhead.server.core import clock
from crownhead.server.core.http import site_address
from crownhead.server.core.limits import caller, spend
from crownhead.server.core.mail import no_mail
from crownhead.server.core.problems import Problem
from crownhead.server.people.presenters.people import summary
from crownhead.server.people.selectors.friends import inviter
from crownhead.server.people.services import friends
from crownhead.server.web.done_once import done_once
from crownhead.server.web.forms import given_back
from crownhead.server.web.page import frame, go_to, page

_POST = ["GET", "HEAD", "POST"]
_LONGEST = {"address": LONGEST_LOGIN, "message": stranger_mail.LONGEST_NOTE}


@require_http_methods(_POST)
@page
@done_once
def invite(request: HttpRequest) -> HttpResponse:
    """Ask for the address and a message."""
    user, status = signed_in(request), 200
    sent = {"address": request.POST.get("address", ""), "message": request.POST.get("message", "")}
    if request.method == "POST":
        try:
            spend(scope="friends", who=caller(request))
            friends.invite(user=user, site=site_address(request), now=clock.now(), **sent)
        except Problem as problem:
            messages.error(request, problem.message)
            status = problem.status
            sent = {name: given_back(text, _LONGEST[name]) for name, text in sent.items()}
        else:
            if text := no_mail():
                messages.warning(request, text)
            else:
                messages.success(request, _("Your invitation is on its way."))
            return go_to(request, request.path)
    context = {
        "sent": sent,
        "confirmed": email_is_confirmed(user),
        "longest": stranger_mail.LONGEST_NOTE,
        **frame(request),
    }
    return render(request, "people/tell_a_friend.html", context, status=status)


@require_safe
@page
def welcome(request: HttpRequest, token: str) -> HttpResponse:
    """Show who sent the invitation, and what to do next."""
    person = inviter(token=token)
    context = {
        "summary": summary(person, now=clock.now(), viewer=request.user),
        "member": isinstance(request.user, User),
        "own": request.user == person,
        **frame(request),
    }
    return render(request, "people/welcome.html", context)


@csrf_exempt  # the mail program's one click bears no cookie (RFC 8058)
@require_http_methods(_POST)
@page
def no_more(request: HttpRequest, token: str) -> HttpResponse:
    """Ask before opting out, unless the mail program has asked already."""
    invitation_opt_out.check(token)
    if request.method == "POST":
        invitation_opt_out.opt_out(token=token, now=clock.now())
    return render(
        request, "people/invitation_opt_out.html", {"done": request.method == "POST", **frame(request)}
    )
