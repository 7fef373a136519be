"""Members join and leave ladders; the staff move and remove them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from crownhead.server.accounts.access import expect_staff
from crownhead.server.accounts.selectors import User
from crownhead.server.core import limits
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Unprocessable
from crownhead.server.core.texts import checked_reason
from crownhead.server.ladders import access, problems
from crownhead.server.ladders.choices import Happening, Style
from crownhead.server.ladders.events import LadderJoined, LadderLeft
from crownhead.server.ladders.models import Ladder, Member
from crownhead.server.ladders.selectors import access_ladder
from crownhead.server.ladders.services import challenges, positions

LONGEST_REASON = 200


def join(*, user: User, ladder_id: str, now: datetime) -> Member:
    """Join a ladder on its last place or lowest step.

    Raises ``OnLadder``, ``LadderIsClosed``, and ``TooMany`` for somebody who joins and leaves all day.
    """
    limits.spend(scope="ladders", who=f"user:{user.pk}")
    with transaction.atomic():
        ladder = access.lock_open_ladder(ladder_id)
        if Member.objects.filter(ladder=ladder, user=user).exists():
            raise problems.OnLadder(_("You are already on this ladder."))
        positions.resize(ladder, 1)
        rank = {"place": ladder.size} if ladder.style == Style.PLACES else {"step": 1}
        member = Member.objects.create(ladder=ladder, user=user, joined_at=now, active_at=now, **rank)
        access.add_to_history(ladder, Happening.JOINED, at=now, user=user, after=member.rank)
        emit(LadderJoined(**access.event_fields(ladder, now), user_id=user.pk, rank=member.rank))
    return member


def leave(*, user: User, ladder_id: str, now: datetime) -> None:
    """Leave a ladder. The member's open challenges are lost, though games go on that have been played.

    A challenge without two moves by each side is void instead, and its games end. Each is lost by itself, so
    that others can write in between. Raises ``NotOnLadder``.
    """
    for key in challenges.open_of(access.member(access_ladder(ladder_id), user)):
        challenges.forfeit(ladder_id=ladder_id, challenge_id=key, user_id=user.pk, now=now)
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        _remove(ladder, access.member(ladder, user), now)


def remove(*, staff: User, ladder_id: str, user: User, reason: str, now: datetime) -> None:
    """Remove a member from a ladder; the reason is stored in the history."""
    expect_staff(staff)
    checked = checked_reason(reason, longest=LONGEST_REASON)
    with transaction.atomic():
        ladder = access.lock_ladder(ladder_id)
        _remove(ladder, access.member(ladder, user), now, staff=staff, reason=checked)


def place(*, staff: User, ladder_id: str, user: User, rank: int, reason: str, now: datetime) -> None:
    """Move a member to another place or step; the reason is stored in the history."""
    expect_staff(staff)
    checked = checked_reason(reason, longest=LONGEST_REASON)
    with transaction.atomic():
        ladder = access.lock_open_ladder(ladder_id)
        member = access.member(ladder, user)
        most = ladder.size if ladder.style == Style.PLACES else None
        if rank < 1 or (most is not None and rank > most):
            wanted = (
                _("Choose a step from 1 up.") if most is None else _("Choose a place from 1 to %(most)s.")
            )
            raise Unprocessable(wanted % {"most": most}, field="rank")
        challenges.move_member(ladder, member, rank, now, kind=Happening.PLACED, staff=staff, reason=checked)


def _remove(
    ladder: Ladder, member: Member, now: datetime, *, staff: User | None = None, reason: str = ""
) -> None:
    challenges.forfeit_open_challenges(ladder, member.user, now)
    member.refresh_from_db()
    user, rank = member.user, member.rank
    positions.remove(member)
    kind = Happening.LEFT if staff is None else Happening.REMOVED
    access.add_to_history(ladder, kind, at=now, user=user, before=rank, staff=staff, reason=reason)
    emit(
        LadderLeft(**access.event_fields(ladder, now), user_id=user.pk, rank=rank, by_staff=staff is not None)
    )
