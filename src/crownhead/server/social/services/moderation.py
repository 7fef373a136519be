"""Moderation: deciding on reports, muting players; everything is logged with its reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import expect_staff
from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict, NotFound, Unprocessable
from crownhead.server.core.texts import checked_reason, expect_one_of, without_controls
from crownhead.server.social.access import expect_span, log, span_text
from crownhead.server.social.choices import Decision, Verb
from crownhead.server.social.events import GuestAnswered, ReportDecided
from crownhead.server.social.models import LONGEST_REASON, Mute, Report
from crownhead.server.social.services import bans
from crownhead.server.social.services.spans import keep_out


def decide(
    *,
    staff: User,
    report_id: str,
    decision: str,
    note: str,
    now: datetime,
    words: str = "",
    until: datetime | None = None,
) -> Report:
    """Close a report. ``note`` goes to the one who made it, ``words`` stay in the log.

    With the decision ``muted`` the player may write to nobody, with ``banned`` they cannot sign in, until a
    moment, or until somebody lifts it; what holds already never ends earlier by it. Raises ``Conflict`` for a
    report that is decided, ``Unprocessable`` for one who cannot be kept out so.
    """
    expect_staff(staff)
    expect_one_of("decision", decision, Decision.values)
    stripped = without_controls(note)
    if len(stripped) > LONGEST_REASON:
        raise Unprocessable(
            _("Use at most %(longest_reason)s characters, not %(count)s.")
            % {"longest_reason": LONGEST_REASON, "count": len(stripped)},
            field="note",
        )
    with transaction.atomic():
        row = Report.objects.select_for_update().filter(public_id=report_id).first()
        if row is None:
            raise NotFound(_("There is no such report."))
        if row.decided_at is not None:
            raise Conflict(_("This report has already been decided."))
        _keep_out(decision, row, staff=staff, until=until, reason=words or stripped, now=now)
        address, row.address = row.address, ""  # of a guest: for nothing but the answer
        row.decision, row.note, row.decided_by, row.decided_at = decision, stripped, staff, now
        row.save(update_fields=["address", "decision", "note", "decided_by", "decided_at"])
        log(staff=staff, verb=Verb.DECIDED, about=row.about, report=row, words=words or stripped, now=now)
        if row.reporter_id is not None:
            emit(
                ReportDecided(
                    report_id=row.public_id,
                    kind=row.kind,
                    decision=decision,
                    note=stripped,
                    reporter_id=row.reporter_id,
                    decided_at=now,
                )
            )
        elif address and stripped:
            emit(GuestAnswered(address=address, letter=row.reason, answer=stripped))
    return row


def _keep_out(
    decision: str, row: Report, *, staff: User, until: datetime | None, reason: str, now: datetime
) -> None:
    """Carry out a decision against the reported player."""
    actions: dict[str, Callable[..., object]] = {Decision.MUTED: mute, Decision.BANNED: bans.ban}
    action = actions.get(decision)
    if action is None:
        return
    if row.about is None:
        raise Unprocessable(
            _("This report is not about a player who could be muted or suspended."), field="decision"
        )
    action(staff=staff, user=row.about, until=until, reason=reason, now=now, shorten=False)


def mute(
    *, staff: User, user: User, until: datetime | None, reason: str, now: datetime, shorten: bool = True
) -> Mute:
    """Mute a player until a time, or until it is lifted; they can read the reason.

    Muting again changes the time and the reason; without ``shorten``, a later time stays.
    """
    expect_staff(staff)
    if user.has_rights:
        raise Unprocessable(_("Staff can't be muted or suspended."))
    expect_span(until, now=now)
    checked = checked_reason(reason, longest=LONGEST_REASON)
    with transaction.atomic():
        facts = {"reason": checked, "muted_by": staff, "muted_at": now}
        row = keep_out(Mute, user=user, until=until, shorten=shorten, facts=facts)
        log(staff=staff, verb=Verb.MUTED, about=user, words=f"{span_text(row.until)}: {checked}", now=now)
    return row


def unmute(*, staff: User, user: User, now: datetime) -> None:
    """Unmute a player; does nothing if they are not muted."""
    expect_staff(staff)
    with transaction.atomic():
        ended, _rows = Mute.objects.filter(user=user).delete()
        if ended:
            log(staff=staff, verb=Verb.UNMUTED, about=user, words="", now=now)
