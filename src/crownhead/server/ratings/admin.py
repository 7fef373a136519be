"""Ratings in the back office: to be read; they follow from the games."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from crownhead.server.ratings.models import Change, PlayerRating, TakenBack


class _Read(admin.ModelAdmin):  # type: ignore[type-arg] # no class takes arguments at run time
    """Rows that nobody writes by hand."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Games make them."""
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """Games change them."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        """An annulled game takes them back."""
        return False


@admin.register(PlayerRating)
class PlayerRatingAdmin(_Read):
    """Who is rated what."""

    list_display = ("user", "variant", "points", "deviation", "games", "peak", "updated_at")
    list_filter = ("variant",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-id",)
    show_full_result_count = False


@admin.register(Change)
class ChangeAdmin(_Read):
    """What each game did."""

    list_display = ("at", "variant", "user", "opponent", "score", "value_before", "value", "game_id")
    list_filter = ("variant", "score")
    list_select_related = ("user", "opponent")
    search_fields = ("user__username", "game_id")
    ordering = ("-id",)
    show_full_result_count = False


@admin.register(TakenBack)
class TakenBackAdmin(_Read):
    """Which games count no more."""

    list_display = ("game_id", "variant", "first", "second", "recounted")
    list_select_related = ("first", "second")
    search_fields = ("game_id",)
    ordering = ("-id",)
