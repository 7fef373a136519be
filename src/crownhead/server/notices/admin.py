"""Deliveries in the back office: to look at, and to retry."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from crownhead.server.core import clock
from crownhead.server.core.admin import ReadOnlyAdmin
from crownhead.server.notices.models import Delivery, State


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    """Deliveries, read-only."""

    list_display = ("user", "channel", "kind", "state", "due_at", "done_at", "tries", "trouble")
    list_filter = ("state", "channel", "kind")
    list_select_related = ("user",)
    search_fields = ("user__username", "trouble")
    ordering = ("-id",)
    actions = ("try_again",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        """Without closed accounts, whose rows a job deletes."""
        return super().get_queryset(request).filter(user__closed_at=None)

    @admin.action(description=_("Retry the selected deliveries"))
    def try_again(self, request: HttpRequest, rows: QuerySet[Delivery]) -> None:
        """Retry failed deliveries."""
        failed = rows.filter(state=State.FAILED)
        count = failed.update(state=State.WAITING, due_at=clock.now(), tries=0, done_at=None, trouble="")
        self.message_user(request, _("%(count)s will be retried.") % {"count": count})
