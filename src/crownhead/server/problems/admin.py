"""Solvers in the back office: to be read; they follow from their attempts."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from crownhead.server.core.admin import ReadOnlyAdmin
from crownhead.server.problems.models import Attempt, Solver


@admin.register(Solver)
class SolverAdmin(ReadOnlyAdmin):
    """Who solves how well."""

    list_display = ("user", "value", "deviation", "tried", "solved", "streak", "best_streak", "solved_on")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    ordering = ("-id",)


@admin.register(Attempt)
class AttemptAdmin(ReadOnlyAdmin):
    """Who has tried what."""

    list_display = ("at", "user", "problem", "solved", "rated", "before", "after")
    list_filter = ("solved", "rated")
    list_select_related = ("user",)
    search_fields = ("user__username", "problem")
    ordering = ("-id",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Attempt]:
        """Without closed accounts, whose rows a job deletes."""
        return super().get_queryset(request).filter(user__closed_at=None)
