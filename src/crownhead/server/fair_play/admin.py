"""Fair play in the back office: the report on rated games, and what was asked of the engine."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from crownhead.server.core import clock
from crownhead.server.core.admin import StaffReadOnlyAdmin
from crownhead.server.fair_play.models import EngineRequest, RatingReport
from crownhead.server.fair_play.presenters import report
from crownhead.server.play.presenters.entry_markup import game_link


@admin.register(RatingReport)
class RatingReportAdmin(StaffReadOnlyAdmin):
    """Who gained rating points from whom, and what speaks for an arrangement."""

    def changelist_view(
        self, request: HttpRequest, _extra_context: dict[str, object] | None = None
    ) -> TemplateResponse:
        """The report itself: hashes of addresses are not for reading."""
        context = {
            **self.admin_site.each_context(request),
            "title": self.model._meta.verbose_name_plural,
            "opts": self.model._meta,
            "report": report(now=clock.now()),
        }
        return TemplateResponse(request, "fair_play/report.html", context)


@admin.register(EngineRequest)
class EngineRequestAdmin(StaffReadOnlyAdmin):
    """What players asked about their own running games; the link leads to the game."""

    list_display = ("last_at", "user", "game_id", "variant", "ply", "times", "fen")
    list_filter = ("variant",)
    list_select_related = ("user",)
    search_fields = ("user__username", "game_id")
    ordering = ("-last_at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[EngineRequest]:
        """Without closed accounts, whose rows a job deletes."""
        return super().get_queryset(request).filter(user__closed_at=None)

    def view_on_site(self, obj: EngineRequest) -> str:
        """The game."""
        return game_link(obj.game_id)
