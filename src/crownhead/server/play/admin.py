"""Games in the back office: to be read by staff, and decided with a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.problems import Problem
from crownhead.server.play.forms import AdjudicationForm
from crownhead.server.play.models import Game, Status
from crownhead.server.play.services import adjudicate


@admin.register(Game)
class GameAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # no class takes arguments at run time
    """Shows every column, changes none but by adjudication."""

    form = AdjudicationForm
    list_display = ("public_id", "variant", "first_player", "second_player", "status", "turn", "deadline_at")
    list_filter = ("status", "variant", "termination")
    search_fields = ("public_id", "first_player__username", "second_player__username")
    list_select_related = ("first_player", "second_player")
    ordering = ("-id",)
    readonly_fields = (
        "public_id",
        "variant",
        "start_fen",
        "opening",
        "moves",
        "version",
        "status",
        "open",
        "hidden",
        "rated",
        "min_rating",
        "max_rating",
        "match",
        "match_number",
        "creator",
        "invited",
        "first_player",
        "second_player",
        "turn",
        "pace",
        "days_per_move",
        "clock_initial",
        "clock_bonus",
        "clock_limit",
        "weekends_off",
        "vacation",
        "first_left",
        "second_left",
        "turn_since",
        "added_hours",
        "deadline_at",
        "remind_at",
        "remind_of",
        "draw_rules",
        "draw_offer_by",
        "winner",
        "termination",
        "adjudication_reason",
        "adjudicated_by",
        "created_at",
        "started_at",
        "last_moved_at",
        "ended_at",
        "expires_at",
    )

    def get_fields(self, _request: HttpRequest, obj: Game | None = None) -> list[Any]:
        """A game in progress can be decided; any other only read."""
        decision = ["result", "reason"] if obj is not None and obj.status == Status.PLAYING else []
        return [*decision, *self.readonly_fields]

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """Games are made by players."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Game | None = None) -> bool:
        """Records are kept."""
        return False

    def save_model(self, request: HttpRequest, obj: Game, form: forms.ModelForm[Game], _change: Any) -> None:
        """Decide the game by the service, which tells everybody."""
        staff = request.user
        assert isinstance(staff, User)
        try:
            adjudicate(
                staff=staff,
                game_id=obj.public_id,
                result=form.cleaned_data["result"],
                reason=form.cleaned_data["reason"],
                now=clock.now(),
            )
        except Problem as problem:
            self.message_user(request, problem.detail, messages.ERROR)
