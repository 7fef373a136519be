"""Base classes for admin pages of rows that pages, workers and logs write."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest


class NoAddDeleteAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # no class takes arguments at run time
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
