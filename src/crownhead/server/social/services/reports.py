"""Reports and messages to the staff."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import hold_user
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.validators import check_address
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, Unprocessable
from crownhead.server.core.texts import checked_reason
from crownhead.server.social.choices import About
from crownhead.server.social.events import ReportMade
from crownhead.server.social.models import LONGEST_REASON, Report
from crownhead.server.social.selectors.reported import find

MAX_WAITING = 50
"""Reports and letters of one member that the staff have not decided."""


def report(*, user: User, kind: str, key: str, reason: str, now: datetime) -> Report:
    """Report something to the staff; its text is stored as it is now.

    Raises ``NotFound`` for what the user does not see, ``Unprocessable`` for their own, ``Conflict`` while
    their report of the same thing waits, or too many others.
    """
    reported = find(user=user, kind=kind, key=key, now=now)
    checked = checked_reason(reason, longest=LONGEST_REASON)
    row = Report(
        kind=reported.kind,
        key=reported.key,
        about=reported.about,
        quoted=reported.quoted,
        link=reported.link,
        reporter=user,
        reason=checked,
        reported_at=now,
    )
    try:
        with transaction.atomic():
            return _create(row)
    except IntegrityError as error:
        raise Conflict(
            _("You have already reported this. The staff will let you know what they decide.")
        ) from error


def letter(*, user: User | None, address: str, reason: str, now: datetime) -> Report:
    """Send a message to the staff; a guest gives an address for the answer. Raises ``Conflict`` likewise."""
    if user is None:
        try:
            check_address(address)
        except ValidationError as error:
            raise Unprocessable(
                _("%(given)s is not an e-mail address.") % {"given": repr(address[:60])}, field="address"
            ) from error
    row = Report(
        kind=About.STAFF,
        reporter=user,
        address="" if user else address,
        reason=checked_reason(reason, longest=LONGEST_REASON),
        reported_at=now,
    )
    with transaction.atomic():
        return _create(row)


def _create(row: Report) -> Report:
    """Store a report, within a transaction."""
    if row.reporter_id is not None:
        hold_user(row.reporter_id)
        if Report.objects.filter(reporter=row.reporter_id, decided_at=None).count() >= MAX_WAITING:
            raise Conflict(
                _("%(count)s of your reports and messages are waiting for the staff. Wait for their answers.")
                % {"count": MAX_WAITING}
            )
    row.save()
    emit(ReportMade(report_id=row.public_id, kind=row.kind, reporter_id=row.reporter_id))
    return row
