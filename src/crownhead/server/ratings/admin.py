"""Ratings in the back office: to be read; they follow from the games."""

from __future__ import annotations

from django.contrib import admin

from crownhead.server.core.admin import ReadOnlyAdmin
from crownhead.server.ratings.models import Change, PlayerRating, TakenBack


@admin.register(PlayerRating)
class PlayerRatingAdmin(ReadOnlyAdmin):
    """Who is rated what."""

    list_display = ("user", "variant", "points", "deviation", "games", "peak", "updated_at")
    list_filter = ("variant",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-id",)


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    """What each game did."""

    list_display = ("at", "variant", "user", "opponent", "score", "value_before", "value", "game_id")
    list_filter = ("variant", "score")
    list_select_related = ("user", "opponent")
    search_fields = ("user__username", "game_id")
    ordering = ("-id",)


@admin.register(TakenBack)
class TakenBackAdmin(ReadOnlyAdmin):
    """Which games count no more."""

    list_display = ("game_id", "variant", "first", "second", "recounted")
    list_select_related = ("first", "second")
    search_fields = ("game_id",)
    ordering = ("-id",)
