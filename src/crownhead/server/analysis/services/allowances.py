"""A member's limits for the engine: the usual ones, or those set by the staff."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.analysis.choices import RUNNING
from crownhead.server.analysis.models import Allowance, Study
from crownhead.server.core.problems import Forbidden

Requester = User | AnonymousUser | None


def games_at_once(user: User) -> int:
    """How many games against computers the user may have in progress."""
    own = _allowance_of(user)
    everybody: int = settings.COMPUTER_GAMES_PER_PLAYER
    return everybody if own is None or own.games is None else own.games


def max_seconds(user: Requester) -> int:
    """For how many seconds the user may have a position analysed."""
    own = _allowance_of(user)
    everybody: int = settings.ANALYSIS_SECONDS
    return everybody if own is None or own.seconds is None else own.seconds


def expect_allowed(user: Requester) -> None:
    """Raise ``Forbidden`` with the reason if the staff have blocked the user from the engine."""
    own = _allowance_of(user)
    if own is not None and own.shut:
        raise Forbidden(
            _("The staff have blocked your access to the engine: %(reason)s") % {"reason": own.reason}
        )


def allow(
    *, staff: User, user: User, games: int | None, seconds: int | None, shut: bool, reason: str, now: datetime
) -> Allowance:
    """Set a member's own limits; None: the usual one. ``shut`` also stops their running analyses."""
    facts = {"games": games, "seconds": seconds, "shut": shut, "reason": reason}
    with transaction.atomic():
        made, _is_new = Allowance.objects.update_or_create(
            user=user, defaults={**facts, "set_by": staff, "set_at": now}
        )
        if shut:
            Study.objects.filter(caller=f"user:{user.pk}", progress__in=RUNNING).update(stop_asked=True)
    return made


def _allowance_of(user: Requester) -> Allowance | None:
    if not isinstance(user, User):
        return None
    return Allowance.objects.filter(user=user).first()
