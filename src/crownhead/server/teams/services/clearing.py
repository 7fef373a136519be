"""Deletes what is left of disbanded teams and of closed accounts in teams, a few rows at a time.

Nobody sees these rows any more; a request that deleted them all at once would hold up everybody who writes.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from crownhead.server.accounts.services.leftovers import closed_with
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.batches import batched
from crownhead.server.core.events import emit
from crownhead.server.core.jobs import sweep
from crownhead.server.teams.access import about
from crownhead.server.teams.events import AskingWithdrawn, InvitationWithdrawn
from crownhead.server.teams.models import JoinRequest, JoinRequestKind, Member, Post, Team
from crownhead.server.teams.services import membership

AT_ONCE = 50  # join requests of one transaction: each takes words out of notices
_OF_A_TEAM = (Post, Member, JoinRequest)
_WITHDRAWN = {JoinRequestKind.ASKED: AskingWithdrawn, JoinRequestKind.INVITED: InvitationWithdrawn}


def clear_disbanded() -> int:
    """Delete the boards, members and join requests of disbanded teams; returns how many rows."""
    left = Q()
    for model in _OF_A_TEAM:
        left |= Q(Exists(model.objects.filter(team=OuterRef("pk"))))
    teams = Team.objects.filter(left, disbanded_at__isnull=False).order_by("pk")
    return one_by_one(
        list(teams.values_list("pk", flat=True)), _clear, failing="team %s, disbanded, cannot be cleared"
    )


def leave_teams_of_closed_accounts(*, now: datetime) -> None:
    """Come back to what a worker has left of closed accounts in teams, and to their join requests."""
    _withdraw(JoinRequest.objects.filter(user__closed_at__isnull=False))
    for user_id in closed_with(Member.objects.filter(team__disbanded_at=None), now=now):
        leave_teams_of(user_id=user_id, now=now)


def leave_teams_of(*, user_id: int, now: datetime) -> None:
    """Remove the user of a closed account from their teams, each in a transaction of its own."""
    one_by_one(
        membership.teams_to_leave(user_id),
        partial(_leave, user_id, now),
        failing="team %s cannot be left by a closed account",
    )


def _clear(team_id: int) -> int:
    left = _withdraw(JoinRequest.objects.filter(team=team_id))
    return left + sum(sweep(model.objects.filter(team=team_id)) for model in (Post, Member))


def _withdraw(requests: QuerySet[JoinRequest]) -> int:
    """Delete requests with the words of them that others were notified of; returns how many."""
    keys = list(requests.order_by("pk").values_list("pk", flat=True))
    for some in throttled(batched(keys, AT_ONCE)):
        with transaction.atomic():
            rows = requests.filter(pk__in=some).select_related("team")
            for row in rows:
                emit(about(_WITHDRAWN[JoinRequestKind(row.kind)], row.team, user_id=row.user_id))
            rows.delete()
    return len(keys)


def _leave(user_id: int, now: datetime, team_id: str) -> None:
    membership.leave_for_good(user_id=user_id, team_id=team_id, now=now)
