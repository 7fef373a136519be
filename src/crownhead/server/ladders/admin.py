"""Ladders in the back office: open and close them, move and remove their members."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.admin import ByServiceAdmin, NoAddDeleteAdmin, ReadOnlyAdmin
from crownhead.server.ladders import services
from crownhead.server.ladders.forms import LadderForm, MemberForm
from crownhead.server.ladders.models import Challenge, Ladder, Line, Member


@admin.register(Ladder)
class LadderAdmin(ByServiceAdmin):
    """Ladders are opened here and closed with an action; their terms never change."""

    form = LadderForm
    list_display = ("variant", "style", "title", "pace", "time", "games", "size", "opened_at", "closed_at")
    list_filter = ("style", "variant")
    search_fields = ("title", "public_id")
    ordering = ("variant", "style", "id")
    actions = ("close", "close_up")

    def has_delete_permission(self, _request: HttpRequest, _obj: Ladder | None = None) -> bool:
        """Records are kept."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Ladder | None = None) -> bool:
        """Members agreed to its terms, so they never change."""
        return obj is None and super().has_change_permission(request)

    def save_model(
        self, request: HttpRequest, obj: Ladder, form: forms.ModelForm[Ladder], _change: Any
    ) -> None:
        """Open it with the service."""
        made = services.open_ladder(staff=_staff(request), now=clock.now(), **form.cleaned_data)
        obj.pk, obj.public_id = made.pk, made.public_id

    @admin.action(description=_("Close the selected ladders; open challenges become void"))
    def close(self, request: HttpRequest, chosen: QuerySet[Ladder]) -> None:
        """For good."""
        for ladder in chosen:
            services.close_ladder(staff=_staff(request), ladder_id=ladder.public_id, now=clock.now())

    @admin.action(description=_("Remove empty steps from the selected stairs"))
    def close_up(self, request: HttpRequest, chosen: QuerySet[Ladder]) -> None:
        """Remove empty steps from the ladders that are open."""
        for ladder in chosen.filter(closed_at__isnull=True):
            services.close_up(staff=_staff(request), ladder_id=ladder.public_id, now=clock.now())


@admin.register(Member)
class MemberAdmin(ByServiceAdmin, NoAddDeleteAdmin):
    """Members; they are moved or removed with a reason."""

    form = MemberForm
    list_display = ("user", "ladder", "place", "step", "won", "drawn", "lost", "active_at")
    list_filter = ("ladder__style", "ladder__variant")
    list_select_related = ("user", "ladder")
    search_fields = ("user__username", "ladder__public_id")
    ordering = ("ladder", "place", "-step")
    readonly_fields = ("user", "ladder", "place", "step", "joined_at", "active_at", "won", "drawn", "lost")
    fields = ("rank", "off", "reason", *readonly_fields)

    def save_model(
        self, request: HttpRequest, obj: Member, form: forms.ModelForm[Member], _change: Any
    ) -> None:
        """Use the services, which write the history."""
        data = form.cleaned_data
        about: dict[str, Any] = {
            "staff": _staff(request),
            "ladder_id": obj.ladder.public_id,
            "user": obj.user,
            "reason": data["reason"],
            "now": clock.now(),
        }
        if data["off"]:
            services.remove(**about)
        elif data["rank"]:
            services.place(rank=data["rank"], **about)


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin):
    """The challenges of all ladders."""

    list_display = ("made_at", "ladder", "challenger", "challenged", "outcome", "ended_at")
    list_filter = ("outcome", "ladder__variant")
    list_select_related = ("ladder", "challenger", "challenged")
    search_fields = ("challenger__username", "challenged__username")
    ordering = ("-id",)


@admin.register(Line)
class LineAdmin(ReadOnlyAdmin):
    """The history of all ladders."""

    list_display = ("at", "ladder", "kind", "user", "other", "before", "after", "staff", "reason")
    list_filter = ("kind",)
    list_select_related = ("ladder", "user", "other", "staff")
    search_fields = ("user__username", "ladder__public_id")
    ordering = ("-id",)


def _staff(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
