"""Base classes for admin pages of rows that pages, workers and logs write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, CHANGE, DELETION, LogEntry
from django.contrib.admin.views.main import ChangeList
from django.contrib.admin.widgets import AutocompleteSelect
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db import connection
from django.db.models import ForeignKey, Model, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from crownhead.server.core.problems import Problem

MAX_LISTED = 10_000
"""Rows of a list that can be leafed through; a search or filter leads to the others."""


class BoundedPaginator(Paginator):  # type: ignore[type-arg]
    """The pages of a list of which no more rows are counted than can be leafed through."""

    @cached_property
    def count(self) -> int:
        """The number of rows, ``MAX_LISTED`` at most."""
        rows: QuerySet[Any] = self.object_list[:MAX_LISTED]  # type: ignore[assignment]
        return rows.count()


class BoundedAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # no class takes arguments at run time
    """Lists of which there may be millions of rows, which are never counted."""

    paginator = BoundedPaginator
    show_full_result_count = False


class _Latest(ChangeList):
    """A list whose filters look among the latest rows only, where nothing is sought."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[Any]:
        """Return the rows of the list."""
        page = self.model_admin
        if isinstance(page, LatestAdmin) and not self.query and self.get_filters_params():
            latest = page.latest(request)[:MAX_LISTED]
            self.root_queryset = self.root_queryset.filter(pk__in=latest.values("pk"))
        rows: QuerySet[Any] = super().get_queryset(request, exclude_parameters)
        return rows


class LatestAdmin(BoundedAdmin):
    """Lists of rows as many as games: filters look among the latest, a search goes by indexes.

    No filter of theirs asks which values a column has, and no column sorts them.
    """

    ordering = ("-pk",)
    sortable_by = ()
    search_help_text = _(
        "The beginning of a player's name. Without a search, filters cover only the latest rows."
    )

    def latest(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows that filters look at, the latest first; as many of them as can be listed count."""
        rows: QuerySet[Any] = self.get_queryset(request)
        return rows.order_by("-pk")

    def sought(self, text: str) -> Q:
        """Return what finds the rows of a text, each part by an index."""
        raise NotImplementedError(text)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:  # noqa: ARG002
        """Return what makes the list."""
        return _Latest

    def get_search_results(
        self, _request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Return the rows of a text, none of them twice."""
        text = search_term.strip()
        return (queryset.filter(self.sought(text)) if text else queryset), False


class KnownFilter(admin.SimpleListFilter):
    """The values that a column may have, as the code knows them: to ask which it has reads all rows."""

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the rows that have the chosen one, of those that are looked at: by no index of all rows."""
        chosen = self.value()
        if chosen is None:
            return queryset
        rows: QuerySet[Any] = queryset.alias(known=Coalesce(str(self.parameter_name), Value("")))
        return rows.filter(known=chosen)


CHANGED_SINCE = _("This has changed since you opened this page. Open it again, and look at it first.")


def as_shown(row: Model, names: Iterable[str]) -> str:
    """What a page shows of a row that others may change meanwhile, as something to compare."""
    shown = [f"{row._meta.label} {row.pk}"]
    for name in sorted(names):
        field = row._meta.get_field(name)
        value = field.value_from_object(row)  # type: ignore[union-attr] # a column of a form
        many = sorted(other.pk for other in value) if field.many_to_many else value
        shown.append(f"{name}={many!r}")
    return salted_hmac("core.admin", "\n".join(shown)).hexdigest()


class AsShownForm(forms.ModelForm):  # type: ignore[type-arg] # no class takes arguments at run time
    """A form that sends what its page showed: an older page would silently undo what others have changed."""

    shown: ClassVar[tuple[str, ...]] = ()
    """The fields that are compared; none: those of the form."""

    as_shown = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None:
            meta = self.instance._meta
            ours = {field.name for field in (*meta.concrete_fields, *meta.many_to_many)} & self.fields.keys()
            self.initial["as_shown"] = as_shown(self.instance, self.shown or ours)

    def clean_as_shown(self) -> str:
        """Refuse what was sent from an older page."""
        sent = str(self.cleaned_data["as_shown"])
        if sent != self.initial.get("as_shown", sent):
            raise ValidationError(CHANGED_SINCE)
        return sent


class AsShownAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that several of the staff may change: none undoes unseen what another did meanwhile.

    The form of the page is an ``AsShownForm``; a page that names its fields also names ``as_shown``.
    """

    form = AsShownForm

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the row, held until what was sent is stored."""
        row = super().get_object(request, object_id, from_field)
        if row is None or not connection.in_atomic_block:
            return row
        held = self.get_queryset(request).select_for_update(no_key=True).filter(pk=row.pk)
        return super().get_object(request, object_id, from_field) if list(held.values_list("pk")) else None

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave out what is only sent, where nothing can be."""
        sets = super().get_fieldsets(request, obj)
        if obj is None or self.has_change_permission(request, obj):
            return sets
        return [
            (title, {**options, "fields": [name for name in options["fields"] if name != "as_shown"]})
            for title, options in sets
        ]


_LONGEST_KEY = 18  # digits of a number that every database can look for


class KeySelect(AutocompleteSelect):
    """A row to be found by typing; what was sent and can be no key is none, and the form says so."""

    def optgroups(self, name: str, value: Sequence[str], attr: dict[str, Any] | None = None) -> list[Any]:
        """Return the row that is chosen, to be shown again."""
        keys = [text for text in value if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_KEY]
        groups: list[Any] = super().optgroups(name, keys, attr)
        return groups


class ByServiceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that a service writes: what it refuses is said in words, and nothing is stored or logged."""

    def formfield_for_foreignkey(
        self, db_field: ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField[Any] | None:
        """Return the field; a row to be found by typing is chosen by what can be a key."""
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = KeySelect(db_field, self.admin_site)
        field: forms.ModelChoiceField[Any] | None = super().formfield_for_foreignkey(
            db_field, request, **kwargs
        )
        return field

    def changeform_view(self, request: HttpRequest, *args: Any, **given: Any) -> HttpResponse:
        """Show the form, or store what it says; what a service refuses leads back to it."""
        try:
            return super().changeform_view(request, *args, **given)
        except Problem as problem:
            if request.method != "POST":  # there is no form to lead back to
                raise
            messages.error(request, problem.message)
            return redirect(request.get_full_path())


class LoggedByKeyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that the log of the back office names by their keys: it stays, a name or an address may not.

    Each has an entry of its own, and so a line in the security log, whichever way it is deleted.
    """

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        """Log that a row was added."""
        return self._log(request, obj, ADDITION, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        """Log that a row was changed."""
        return self._log(request, obj, CHANGE, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> list[LogEntry]:
        """Log that rows are deleted."""
        return [self._log(request, row, DELETION, "") for row in queryset]

    def _log(self, request: HttpRequest, row: Model, action: int, message: Any) -> LogEntry:
        assert request.user.pk is not None
        return LogEntry.objects.create(
            user_id=request.user.pk,
            content_type=ContentType.objects.get_for_model(row),
            object_id=str(row.pk),
            object_repr=f"#{row.pk}",
            action_flag=action,
            change_message=json.dumps(message) if isinstance(message, list) else message,
        )


class NoAddDeleteAdmin(BoundedAdmin):
    """Rows that the back office neither adds nor deletes, but may change."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """They are created by what people do on the site."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """Records stay, or are deleted automatically."""
        return False


class ReadOnlyAdmin(NoAddDeleteAdmin):
    """Rows that can only be viewed; actions may still change them."""

    def has_change_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """Pages and workers change them, and log it."""
        return False


class StaffReadOnlyAdmin(ReadOnlyAdmin):
    """Rows that every staff member can view."""

    def has_module_permission(self, _request: HttpRequest) -> bool:
        """The start page of the back office lists them for all staff."""
        return True

    def has_view_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """All staff may view them."""
        return True
