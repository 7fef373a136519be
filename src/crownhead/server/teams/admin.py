"""Teams in the back office, read-only; the staff manage them on their pages."""

from __future__ import annotations

from django.contrib import admin
from django.urls import reverse

from crownhead.server.core.admin import StaffReadOnlyAdmin
from crownhead.server.teams.models import Team, TeamMatch


@admin.register(Team)
class TeamAdmin(StaffReadOnlyAdmin):
    """Teams, also disbanded ones."""

    list_display = ("name", "captain", "size", "joining", "created_at", "disbanded_at")
    search_fields = ("name", "captain__username")
    list_select_related = ("captain",)
    ordering = ("-id",)

    def view_on_site(self, obj: Team) -> str:
        """The team's page, where the staff have the captain's tools."""
        return reverse("teams:team", args=[obj.public_id])


@admin.register(TeamMatch)
class TeamMatchAdmin(StaffReadOnlyAdmin):
    """Team matches."""

    list_display = ("home", "away", "variant", "status", "home_points", "away_points", "proposed_at")
    list_filter = ("status", "variant")
    list_select_related = ("home", "away")
    ordering = ("-id",)

    def view_on_site(self, obj: TeamMatch) -> str:
        """The match's page."""
        return reverse("teams:match", args=[obj.public_id])
