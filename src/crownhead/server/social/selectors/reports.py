"""Reports: those of a member, and how many wait for the staff."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.problems import NotFound
from crownhead.server.social.models import Report


def reports_of(*, user: User) -> QuerySet[Report]:
    """Return the reports of the user."""
    return Report.objects.filter(reporter=user).select_related("about")


def access_report(*, user: User, public_id: str) -> Report:
    """Return a report of the user; raises ``NotFound``."""
    row = reports_of(user=user).filter(public_id=public_id).first()
    if row is None:
        raise NotFound(_("You have no such report."))
    return row


def open_count() -> int:
    """Count the reports that wait for the staff."""
    return Report.objects.filter(decided_at=None).count()
