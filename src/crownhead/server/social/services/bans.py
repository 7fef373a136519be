"""Suspending players: for a time, with a reason, and lifting it again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import expect_staff, hold_user
from crownhead.server.accounts.guests import services as guests
from crownhead.server.accounts.selectors import User
from crownhead.server.accounts.services.locking import lock, unlock
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import checked_reason
from crownhead.server.social.access import expect_span, log, span_text
from crownhead.server.social.choices import Verb
from crownhead.server.social.events import PlayerBanned
from crownhead.server.social.models import LONGEST_REASON, Ban
from crownhead.server.social.services.spans import keep_out


def ban(
    *,
    staff: User,
    user: User,
    until: datetime | None,
    reason: str,
    now: datetime,
    shorten: bool = True,
    reopens: bool | None = None,
) -> Ban:
    """Ban a player until a time, or until it is lifted; they get the reason by e-mail.

    A guest is closed for good: they have no account that could wait. Banning again changes the moment and
    the reason; without ``shorten``, a later moment stays. ``reopens``: whether the end of the ban opens the
    account; None: if the ban has shut it, and nobody of the staff has meanwhile. Raises ``Forbidden`` unless
    ``staff`` is of the staff, ``Unprocessable`` for one of the staff or a closed account, and for a moment
    that will not do.
    """
    expect_staff(staff)
    expect_span(until, now=now)
    checked = checked_reason(reason, longest=LONGEST_REASON)
    with transaction.atomic():
        user = _hold(user.pk)
        if user.has_rights or user.closed_at is not None:
            raise Unprocessable(_("Choose a player with an open account who is not staff."))
        facts = {"reason": checked, "banned_by": staff, "banned_at": now}
        row = keep_out(Ban, user=user, until=until, shorten=shorten, facts=facts)
        if lock(user=user):
            row.reopens = True
        if reopens is not None:
            row.reopens = reopens
        row.save(update_fields=["reopens"])
        guests.close(guest_id=user.pk, now=now)
        log(staff=staff, verb=Verb.BANNED, about=user, words=f"{span_text(row.until)}: {checked}", now=now)
        if user.email:
            emit(PlayerBanned(user_id=user.pk, address=user.email, reason=checked, until=row.until))
    return row


def lift(*, staff: User, user: User, now: datetime, words: str = "") -> bool:
    """Let a player sign in again; returns whether they were banned."""
    expect_staff(staff)
    return _end(Ban.objects.filter(user=user), by=staff, words=words, now=now)


def keep_shut(*, user_id: int) -> None:
    """Leave an account shut when its ban ends; does nothing where there is none."""
    Ban.objects.filter(user=user_id).update(reopens=False)


def lift_due(*, now: datetime) -> int:
    """Lift the bans whose time is over; returns how many. Safe to repeat, and in several workers."""

    def end(key: int) -> bool:
        return _end(Ban.objects.filter(pk=key, until__lte=now), by=None, words="time is over", now=now)

    due = Ban.objects.filter(until__lte=now).order_by("until")
    return one_by_one(list(due.values_list("pk", flat=True)), end, failing="ban %s cannot be lifted")


def _hold(user_id: int) -> User:
    """A player as they are now, held: a guest may become a member, or a member close, at this moment."""
    hold_user(user_id)
    return User.objects.get(pk=user_id)


def _end(rows: QuerySet[Ban], *, by: User | None, words: str, now: datetime) -> bool:
    """Lift a ban in the name of somebody, or of who banned."""
    with transaction.atomic():
        user_id = rows.values_list("user", flat=True).first()
        if user_id is None:
            return False
        hold_user(user_id)  # before the ban, as in `ban`
        held = rows.select_for_update(of=("self",)).select_related("user", "banned_by").first()
        if held is None or not Ban.objects.filter(pk=held.pk).delete()[0]:
            return False
        if held.reopens:
            unlock(user=held.user)
        log(staff=by or held.banned_by, verb=Verb.UNBANNED, about=held.user, words=words, now=now)
    return True
