"""Reports: those of a member, and how many wait for the staff."""

from __future__ import annotations

from django.db.models import QuerySet

from crownhead.server.accounts.selectors import User
from crownhead.server.social.models import Report


def reports_of(*, user: User) -> QuerySet[Report]:
    """Return the reports of the user."""
    return Report.objects.filter(reporter=user).select_related("about")


def open_count() -> int:
    """Count the reports that wait for the staff."""
    return Report.objects.filter(decided_at=None).count()
