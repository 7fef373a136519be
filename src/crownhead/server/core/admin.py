"""Base classes for admin pages of rows that pages, workers and logs write."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

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
