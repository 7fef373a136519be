"""Stepping on a ladder and off it, by oneself or by the staff."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Forbidden, Unprocessable
from crownhead.server.ladders import access, problems
from crownhead.server.ladders.choices import Happening, Style
from crownhead.server.ladders.events import LadderJoined, LadderLeft
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.services import challenges, positions

LONGEST_REASON = 200


def join(*, user: User, ladder_id: str, now: datetime) -> Member:
    """Step on a ladder: on its last place, or its lowest step; raises ``OnLadder`` or ``LadderIsClosed``."""
    with transaction.atomic():
        ladder = access.held_open(ladder_id)
        if Member.objects.filter(ladder=ladder, user=user).exists():
            raise problems.OnLadder(_("expected a ladder that you are not on yet"))
        positions.resize(ladder, 1)
        rank = {"place": ladder.size} if ladder.style == Style.PLACES else {"step": 1}
        member = Member.objects.create(ladder=ladder, user=user, joined_at=now, active_at=now, **rank)
        access.note(ladder, Happening.JOINED, at=now, user=user, after=member.rank)
        emit(LadderJoined(**access.told(ladder, now), user_id=user.pk, rank=member.rank))
    return member


def leave(*, user: User, ladder_id: str, now: datetime) -> None:
    """Step off a ladder. Challenges that are open are lost with it, though their games go on.

    Raises ``NotOnLadder``.
    """
    with transaction.atomic():
        ladder = access.held(ladder_id)
        _take_off(ladder, access.member(ladder, user), now)


def leave_all(*, user_id: int, now: datetime) -> None:
    """Step off every ladder."""
    mine = Member.objects.filter(user=user_id).select_related("user", "ladder").order_by("ladder_id")
    for member in mine:
        leave(user=member.user, ladder_id=member.ladder.public_id, now=now)


def remove(*, staff: User, ladder_id: str, user: User, reason: str, now: datetime) -> None:
    """Take somebody off a ladder; the reason is kept."""
    kept = _checked(staff, reason)
    with transaction.atomic():
        ladder = access.held(ladder_id)
        _take_off(ladder, access.member(ladder, user), now, staff=staff, reason=kept)


def place(*, staff: User, ladder_id: str, user: User, rank: int, reason: str, now: datetime) -> None:
    """Put somebody on another place, those between making room, or on another step; the reason is kept."""
    kept = _checked(staff, reason)
    with transaction.atomic():
        ladder = access.held_open(ladder_id)
        member = access.member(ladder, user)
        most = ladder.size if ladder.style == Style.PLACES else None
        if rank < 1 or (most is not None and rank > most):
            raise Unprocessable(
                "rank: "
                + _("expected 1 to %(value)s, got %(rank)s") % {"value": most or "any step", "rank": rank}
            )
        challenges.bring(ladder, member, rank, now, kind=Happening.PLACED, staff=staff, reason=kept)


def _take_off(
    ladder: Ladder, member: Member, now: datetime, *, staff: User | None = None, reason: str = ""
) -> None:
    challenges.give_up(ladder, member.user, now)
    member.refresh_from_db()
    user, rank = member.user, member.rank
    positions.remove(member)
    kind = Happening.LEFT if staff is None else Happening.REMOVED
    access.note(ladder, kind, at=now, user=user, before=rank, staff=staff, reason=reason)
    emit(LadderLeft(**access.told(ladder, now), user_id=user.pk, rank=rank, by_staff=staff is not None))


def _checked(staff: User, reason: str) -> str:
    if not (staff.is_active and staff.is_staff):
        raise Forbidden(_("expected a member of the staff"))
    kept = reason.strip()
    if not 1 <= len(kept) <= LONGEST_REASON:
        raise Unprocessable(
            "reason: "
            + _("expected 1 to %(longest_reason)s characters, got %(count)s")
            % {"longest_reason": LONGEST_REASON, "count": len(kept)}
        )
    return kept
