"""Tournaments in the back office, read-only; the staff direct them on their pages."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.urls import reverse

from crownhead.server.competitions.models import DirectorAction, Entrant, Tournament, Trophy
from crownhead.server.competitions.selectors.acts import with_names_of_today
from crownhead.server.core.admin import StaffReadOnlyAdmin


@admin.register(Tournament)
class TournamentAdmin(StaffReadOnlyAdmin):
    """Tournaments; the link to the site leads to the directors' page."""

    list_display = ("name", "variant", "format", "status", "size", "rounds_made", "host", "due_at")
    list_filter = ("status", "format", "entry", "variant")
    search_fields = ("name", "public_id", "host__username")
    list_select_related = ("host",)
    ordering = ("-id",)
    exclude = ("dice",)  # the seed of draws to come

    def view_on_site(self, obj: Tournament) -> str:
        """The directors' page."""
        return reverse("competitions:direct", args=[obj.public_id])


@admin.register(Entrant)
class EntrantAdmin(StaffReadOnlyAdmin):
    """The entrants of all tournaments."""

    list_display = ("tournament", "user", "rating", "entered", "left", "expelled", "place")
    search_fields = ("user__username", "tournament__name")
    list_select_related = ("tournament", "user")
    ordering = ("-id",)


@admin.register(DirectorAction)
class DirectorActionAdmin(StaffReadOnlyAdmin):
    """The directors' log of all tournaments, by the names that people have now."""

    list_display = ("done_at", "tournament", "by", "verb", "text", "reason")
    list_filter = ("verb",)
    search_fields = ("tournament__name", "by__username", "text")
    list_select_related = ("tournament", "by")
    ordering = ("-id",)
    exclude = ("people",)  # by the names that they had

    def get_changelist_instance(self, request: HttpRequest) -> ChangeList:
        """A page of the list."""
        made = super().get_changelist_instance(request)
        made.result_list = with_names_of_today(made.result_list)
        return made

    def get_object(self, *args: Any, **given: Any) -> DirectorAction | None:
        """One entry."""
        found = super().get_object(*args, **given)
        return None if found is None else with_names_of_today([found])[0]


@admin.register(Trophy)
class TrophyAdmin(StaffReadOnlyAdmin):
    """The trophies of all tournaments."""

    list_display = ("won_at", "user", "name", "place", "tournament")
    search_fields = ("user__username", "name")
    list_select_related = ("tournament", "user")
    ordering = ("-id",)
