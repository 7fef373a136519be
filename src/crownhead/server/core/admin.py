"""What the back office keeps, and shows without changing it: rows that pages, workers and logs write."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest


class Kept(admin.ModelAdmin):  # type: ignore[type-arg] # no class takes arguments at run time
    """Rows that are neither made nor deleted here; a form may decide them."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        """They are made by what people do on pages."""
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """Records are kept, or go by themselves."""
        return False


class ReadOnly(Kept):
    """Shows rows to whom Django lets see them, changes none but by actions."""

    def has_change_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """Their pages or the worker do, and log it."""
        return False


class ReadByStaff(ReadOnly):
    """Shows rows to all of the staff."""

    def has_view_permission(self, _request: HttpRequest, _obj: object = None) -> bool:
        """The staff read them."""
        return True
