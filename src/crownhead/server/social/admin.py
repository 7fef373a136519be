"""Reports, news, mutes and bans in the back office; nobody reads messages there."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.core import clock
from crownhead.server.core.admin import (
    AsShownAdmin,
    ByServiceAdmin,
    LoggedByKeyAdmin,
    NoAddDeleteAdmin,
    ReadOnlyAdmin,
)
from crownhead.server.core.markup.stored import render_ahead
from crownhead.server.core.moments import moment_text
from crownhead.server.core.problems import Problem
from crownhead.server.social.forms.staff import MUTES, BanForm, DecisionForm, MuteForm
from crownhead.server.social.models import LONGEST_NEWS, Ban, ModeratorAction, Mute, News, Report
from crownhead.server.social.selectors import mute_of
from crownhead.server.social.services import bans, moderation, news


class WaitsFilter(admin.SimpleListFilter):
    """Open or decided reports."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> list[tuple[str, Any]]:
        """Return the options."""
        return [("open", _("open")), ("decided", _("decided"))]

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        """Return the reports in the chosen state."""
        if self.value() is None:
            return queryset
        if self.value() == "open":
            return queryset.filter(decision="")  # as in the index
        return queryset.filter(decided_at__isnull=False)


@admin.register(Report)
class ReportAdmin(ByServiceAdmin, NoAddDeleteAdmin, LoggedByKeyAdmin):
    """Reports: open ones first, the oldest at the top."""

    form = DecisionForm
    list_display = ("reported_at", "kind", "about", "reporter", "short_reason", "decision")
    list_filter = (WaitsFilter, "kind", "decision")
    list_select_related = ("about", "reporter")
    search_fields = ("about__username", "reporter__username", "public_id")
    readonly_fields = (
        "kind",
        "about",
        "earlier",
        "holds",
        "reporter",
        "address",
        "reported_at",
        "reason",
        "quoted",
        "where",
        "decision",
        "note",
        "decided_by",
        "decided_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """Leave out the texts, which are long: a list shows how they begin."""
        rows: QuerySet[Report] = super().get_queryset(request)
        return rows.defer("reason", "quoted", "note").annotate(beginning=Left("reason", 80))

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        """The order in which the rows come, which has an index: open ones have no decision."""
        if request.GET.get(WaitsFilter.parameter_name) == "decided":
            return ("-decided_at", "-pk")
        return ("decision", "reported_at", "-pk")

    def get_fields(self, _request: HttpRequest, obj: Report | None = None) -> list[Any]:
        """Return the fields: an open report can be decided, others only read."""
        waits = obj is not None and obj.decided_at is None
        form = ["verdict", "muted_for", "reply", "words"] if waits else []
        return [*self.readonly_fields[:10], *(form or self.readonly_fields[10:])]

    @admin.display(description=_("reason"))
    def short_reason(self, obj: Report) -> str:
        """The beginning of the reason."""
        return str(obj.beginning)  # type: ignore[attr-defined] # of the query

    @admin.display(description=_("reported before"))
    def earlier(self, obj: Report) -> int:
        """How often the player was reported before."""
        return Report.objects.filter(about=obj.about, pk__lt=obj.pk).count() if obj.about else 0

    @admin.display(description=_("in force"))
    def holds(self, obj: Report) -> str:
        """How long the player is muted or suspended already."""
        return _kept_out(obj.about, clock.now()) if obj.about else "–"

    @admin.display(description=_("page"))
    def where(self, obj: Report) -> str | SafeString:
        """A link to the page, if there is one."""
        return format_html('<a href="{}">{}</a>', obj.link, obj.link) if obj.link else "–"

    def save_model(
        self, request: HttpRequest, obj: Report, form: forms.ModelForm[Report], _change: Any
    ) -> None:
        """Decide by the service, which notifies the reporter."""
        cleaned, now = form.cleaned_data, clock.now()
        span = MUTES[cleaned["muted_for"]][1]
        moderation.decide(
            staff=_member(request),
            report_id=obj.public_id,
            decision=cleaned["verdict"],
            note=cleaned["reply"],
            words=cleaned["words"],
            until=now + span if span else None,
            now=now,
        )


@admin.register(News)
class NewsAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Announcements: saved as a draft, or published by a button of the form or an action of the list."""

    list_display = ("title", "author", "written_at", "published_at")
    list_select_related = ("author",)
    fields = ("title", "text")
    search_fields = ("title",)
    ordering = (F("published_at").desc(nulls_first=True), "-pk")
    actions = ("publish", "withdraw")

    def changeform_view(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        """Render what is to be saved before anybody has to wait for that; what is too long is refused."""
        text = request.POST.get("text", "")
        may_write = self.has_add_permission(request) or self.has_change_permission(request)
        if text and len(text) <= LONGEST_NEWS and may_write:
            render_ahead(text, trusted=True)
        return super().changeform_view(request, *args, **given)

    def save_model(self, request: HttpRequest, obj: News, form: forms.ModelForm[News], change: Any) -> None:
        """Set the author and the time."""
        now = clock.now()
        obj.changed_at = now
        if not change:
            obj.author, obj.written_at = _member(request), now
        super().save_model(request, obj, form, change)
        if "_publish" in request.POST:
            self._publish(request, obj)
        elif obj.published_at is None:
            self.message_user(request, _("Saved as a draft: not published yet."), messages.WARNING)

    @admin.action(description=_("Publish"), permissions=["change"])
    def publish(self, request: HttpRequest, queryset: QuerySet[News]) -> None:
        """Publish the selected drafts."""
        for row in queryset.order_by("pk"):
            self._publish(request, row)

    @admin.action(description=_("Withdraw"), permissions=["change"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[News]) -> None:
        """Make the selected news drafts again."""
        for row in queryset:
            news.withdraw(staff=_member(request), news=row, now=clock.now())

    def _publish(self, request: HttpRequest, row: News) -> None:
        try:
            news.publish(staff=_member(request), news=row, now=clock.now())
        except Problem as problem:
            self.message_user(request, f"{row.title}: {problem.message}", messages.WARNING)


@admin.register(Mute)
class MuteAdmin(ByServiceAdmin, AsShownAdmin, LoggedByKeyAdmin):
    """Muted players; deleting a row unmutes the player."""

    form = MuteForm
    list_display = ("user", "until", "reason", "muted_by", "muted_at")
    list_select_related = ("user", "muted_by")
    autocomplete_fields = ("user",)
    search_fields = ("user__username",)
    ordering = ("-muted_at",)

    def get_readonly_fields(self, _request: HttpRequest, obj: Mute | None = None) -> tuple[str, ...]:
        """Whom it concerns is chosen once."""
        return ("user",) if obj else ()

    def save_model(self, request: HttpRequest, obj: Mute, _form: Any, _change: Any) -> None:
        """Mute by the service, which keeps the log."""
        moderation.mute(
            staff=_member(request), user=obj.user, until=obj.until, reason=obj.reason, now=clock.now()
        )

    def delete_model(self, request: HttpRequest, obj: Mute) -> None:
        """By the service, which keeps the log."""
        moderation.unmute(staff=_member(request), user=obj.user, now=clock.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Mute]) -> None:
        """Each by the service."""
        for row in queryset.select_related("user"):
            self.delete_model(request, row)


@admin.register(Ban)
class BanAdmin(ByServiceAdmin, AsShownAdmin, LoggedByKeyAdmin):
    """Banned players; deleting a row lifts the ban, which opens the account unless it is to stay shut."""

    form = BanForm
    list_display = ("user", "until", "reason", "banned_by", "banned_at")
    list_select_related = ("user", "banned_by")
    autocomplete_fields = ("user",)
    search_fields = ("user__username",)
    ordering = ("-banned_at",)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row; its player is held first, as by the service."""
        if connection.in_atomic_block and object_id.isascii() and object_id.isdecimal():
            for user_id in self.get_queryset(request).filter(pk=object_id).values_list("user", flat=True):
                hold_user(user_id)
        return super().get_object(request, object_id, from_field)

    def get_readonly_fields(self, _request: HttpRequest, obj: Ban | None = None) -> tuple[str, ...]:
        """Whom it concerns is chosen once."""
        return ("user",) if obj else ()

    def get_fields(self, _request: HttpRequest, obj: Ban | None = None) -> tuple[str, ...]:
        """A new ban has no choice: it reopens the account if it has locked it."""
        return ("user", "until", "reason", *(("opened",) if obj else ()), "as_shown")

    def save_model(self, request: HttpRequest, obj: Ban, form: forms.ModelForm[Ban], change: Any) -> None:
        """By the service, which keeps the log and ends the player's sessions."""
        bans.ban(
            staff=_member(request),
            user=obj.user,
            until=obj.until,
            reason=obj.reason,
            reopens=form.cleaned_data["opened"] if change else None,
            now=clock.now(),
        )

    def delete_model(self, request: HttpRequest, obj: Ban) -> None:
        """By the service, which keeps the log."""
        bans.lift(staff=_member(request), user=obj.user, now=clock.now())

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Ban]) -> None:
        """Each by the service."""
        for row in queryset.select_related("user"):
            self.delete_model(request, row)


@admin.register(ModeratorAction)
class ModeratorActionAdmin(ReadOnlyAdmin):
    """The log of what the staff did to those who write, and with news."""

    list_display = ("done_at", "staff", "verb", "about", "report", "words")
    list_filter = ("verb",)
    list_select_related = ("staff", "about", "report__about", "report__reporter")
    search_fields = ("about__username", "staff__username")
    ordering = ("-done_at", "-pk")


def _kept_out(user: User, now: datetime) -> str:
    """How long a player is muted or suspended already, in a sentence."""
    muted, banned = mute_of(user, now), Ban.objects.filter(user=user).first()
    ends = {"mute": muted and _end(muted.until), "ban": banned and _end(banned.until)}
    if muted and banned:
        return gettext("Muted %(mute)s and suspended %(ban)s; no decision here ends that earlier.") % ends
    if muted:
        return gettext("Muted %(mute)s; no decision here ends that earlier.") % ends
    if banned:
        return gettext("Suspended %(ban)s; no decision here ends that earlier.") % ends
    return "–"


def _end(until: datetime | None) -> str:
    if until is None:
        return gettext("until it is lifted")
    return gettext("until %(moment)s") % {"moment": moment_text(until)}


def _member(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
