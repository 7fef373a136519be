"""The engine in the back office: what it has done and does, and what single members may ask of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.selectors import User, keys_by_prefix
from crownhead.server.analysis.models import Allowance, Review, Study
from crownhead.server.analysis.reviews import services as review_services
from crownhead.server.analysis.services import allowances
from crownhead.server.analysis.studies import services as study_services
from crownhead.server.core import clock
from crownhead.server.core.admin import AsShownAdmin, ByServiceAdmin, LatestAdmin, ReadOnlyAdmin


@admin.register(Study)
class StudyAdmin(ReadOnlyAdmin):
    """Positions that were looked at in the last day, and those that are being looked at."""

    list_display = (
        "public_id",
        "variant",
        "caller",
        "progress",
        "level",
        "seconds",
        "created_at",
        "ended_at",
    )
    list_filter = ("progress", "variant")
    search_fields = ("public_id", "caller")
    ordering = ("-id",)
    actions = ("stop",)

    @admin.action(description=_("Stop the selected analyses"))
    def stop(self, _request: HttpRequest, chosen: QuerySet[Study]) -> None:
        """What was found by now is kept."""
        for study in chosen:
            study_services.stop(caller=study.caller, study_id=study.public_id, now=clock.now())


@admin.register(Review)
class ReviewAdmin(LatestAdmin, ReadOnlyAdmin):
    """Reviews of games; one that failed or is out of date can be restarted."""

    list_display = ("game_id", "nodes", "progress", "done", "total", "asked_by", "created_at", "ended_at")
    list_filter = ("progress",)
    list_select_related = ("asked_by",)
    search_fields = ("game_id", "public_id", "asked_by")
    search_help_text = _(
        "The id of a game or of a review, or the beginning of the name of the player who asked for it."
    )
    actions = ("repeat_reviews",)

    def latest(self, request: HttpRequest) -> QuerySet[Review]:
        """Return the reviews that a filter looks at: those that are as far, by their index."""
        if progress := request.GET.get("progress__exact"):
            return Review.objects.filter(progress=progress).order_by("-touched_at")
        return super().latest(request)

    def sought(self, text: str) -> Q:
        """Return what finds the reviews of a game, one by its id, or those that players asked for."""
        return Q(game_id=text) | Q(public_id=text) | Q(asked_by__in=keys_by_prefix(text))

    def view_on_site(self, obj: Review) -> str:
        """The page that shows it."""
        return reverse("pages:review", args=[obj.game_id])

    @admin.display(description=_("positions done"))
    def done(self, obj: Review) -> int:
        """How far it is."""
        return len(obj.plies)

    @admin.action(description=_("Restart the selected reviews"))
    def repeat_reviews(self, _request: HttpRequest, chosen: QuerySet[Review]) -> None:
        """From the first position on."""
        for review in chosen:
            review_services.restart(review=review, now=clock.now())


@admin.register(Allowance)
class AllowanceAdmin(ByServiceAdmin, AsShownAdmin):
    """Members with their own limits for the engine."""

    fields = ("user", "games", "seconds", "shut", "reason", "set_by", "set_at", "as_shown")
    readonly_fields = ("set_by", "set_at")
    autocomplete_fields = ("user",)
    list_display = ("user", "games", "seconds", "shut", "reason", "set_by", "set_at")
    list_filter = ("shut",)
    list_select_related = ("user", "set_by")
    search_fields = ("user__username",)
    ordering = ("-set_at",)

    def get_readonly_fields(self, _request: HttpRequest, obj: Allowance | None = None) -> tuple[str, ...]:
        """Whose it is stays."""
        return self.readonly_fields if obj is None else ("user", *self.readonly_fields)

    def save_model(
        self, request: HttpRequest, obj: Allowance, _form: forms.ModelForm[Allowance], _change: Any
    ) -> None:
        """Allow it by the service."""
        staff = request.user
        assert isinstance(staff, User)
        made = allowances.allow(
            staff=staff,
            user=obj.user,
            games=obj.games,
            seconds=obj.seconds,
            shut=obj.shut,
            reason=obj.reason,
            now=clock.now(),
        )
        obj.pk = made.pk
