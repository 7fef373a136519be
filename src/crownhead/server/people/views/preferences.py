"""Editing your profile and preferences."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from crownhead.server.accounts.access import signed_in
from crownhead.server.accounts.choices import countries
from crownhead.server.accounts.preferences import selectors
from crownhead.server.accounts.preferences import services as preferences_services
from crownhead.server.accounts.selectors import preferences_of, profile_of
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.people.forms import preference_groups
from crownhead.server.people.presenters.board_preview import board_preview
from crownhead.server.web.forms import given_back
from crownhead.server.web.page import frame, go_to, page

_POST = ["GET", "HEAD", "POST"]


@require_http_methods(_POST)
@page
def edit_profile(request: HttpRequest) -> HttpResponse:
    """Edit the text and country of the profile."""
    user, status = signed_in(request), 200
    profile = profile_of(user)
    if request.method == "POST":
        profile.text, profile.country = request.POST.get("text", ""), request.POST.get("country", "")
        try:
            preferences_services.set_profile(
                user=user, text=profile.text, country=profile.country, now=clock.now()
            )
        except Problem as problem:
            messages.error(request, problem.message)
            status = problem.status
            profile.text = given_back(profile.text, preferences_services.LONGEST_TEXT)
        else:
            messages.success(request, _("Your profile is saved."))
            return go_to(request, reverse("people:player", args=[user.username]))
    context = {
        "profile": profile,
        "countries": countries.choices(),
        "longest": preferences_services.LONGEST_TEXT,
        **frame(request),
    }
    return render(request, "people/edit_profile.html", context, status=status)


@require_http_methods(_POST)
@page
def edit_preferences(request: HttpRequest) -> HttpResponse:
    """Edit all preferences in one form."""
    user, status = signed_in(request), 200
    chosen = preferences_of(user)
    if request.method == "POST":
        try:
            chosen = preferences_services.set_preferences(user=user, changes=_changes(request.POST))
        except Problem as problem:
            messages.error(request, problem.message)
            status = problem.status
        else:
            with translation.override(chosen.language or translation.get_language()):
                messages.success(request, _("Your preferences are saved."))
            return go_to(request, request.path)
    context = {
        "groups": preference_groups(chosen),
        "zones": selectors.time_zones(),
        "languages": settings.LANGUAGES,
        "chosen": chosen,
        "preview": board_preview(),
        **frame(request),
    }
    return render(request, "people/preferences.html", context, status=status)


def _changes(form: QueryDict) -> dict[str, Any]:
    """Read the form: it has every choice, and an unticked box is not sent."""
    changes: dict[str, Any] = {name: form[name] for name in preferences_services.NAMES if name in form}
    return changes | {name: name in form for name in ("show_here", "guests")}
