"""Calling off matches that have not started: those of a team that was disbanded, and old proposals.

A request calls off a few matches of its team. The worker does the rest, each in a transaction of its own;
until then nobody can accept them or line up, as the team is gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q

from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.events import emit
from crownhead.server.teams.access.matches import (
    EXPIRES,
    OPEN,
    about_match,
    lock_match,
    lock_open_matches,
    open_matches,
)
from crownhead.server.teams.events import TeamMatchAnswered, TeamMatchExpired, TeamMatchWithdrawn
from crownhead.server.teams.models import MatchStatus, Team, TeamMatch

MAX_AT_ONCE = 4  # called off by the request that disbands a team: each takes some milliseconds
MAX_IN_A_RUN = 1000  # by the job; the next one goes on
_FAILING = "match %s of a disbanded team cannot be called off"


def mark_answered(match: TeamMatch, *, accepted: bool, now: datetime) -> None:
    """Accept or decline a locked match."""
    match.status = MatchStatus.LINING_UP if accepted else MatchStatus.DECLINED
    match.answered_at = now
    if not accepted:
        match.ended_at = now
    match.save(update_fields=["status", "answered_at", "ended_at"])
    emit(about_match(TeamMatchAnswered, match, accepted=accepted))


def mark_withdrawn(match: TeamMatch, *, by_id: int, now: datetime) -> None:
    """Withdraw a locked match."""
    _end(match, now)
    emit(about_match(TeamMatchWithdrawn, match, by_id=by_id))


def call_off_first(team: Team, *, most: int, by_id: int, now: datetime) -> None:
    """Call off the first matches of a locked team that has just been disbanded."""
    for match in lock_open_matches(team, most=most) if most else ():
        _call_off(match, by_id=by_id, now=now)


def are_left(team_id: str) -> bool:
    """Whether a team has matches that have not started."""
    return open_matches(team_id).exists()


def call_off_rest(*, team_id: str, by_id: int, now: datetime) -> int:
    """Call off the matches of a disbanded team, one in each transaction; returns how many."""
    return _each(open_matches(team_id).order_by("pk").values_list("public_id", flat=True), by_id, now)


def call_off_what_was_left(*, now: datetime) -> int:
    """Call off matches of disbanded teams that are still open, as when the worker was stopped."""
    gone = Q(home__disbanded_at__isnull=False) | Q(away__disbanded_at__isnull=False)
    rows = TeamMatch.objects.filter(gone, status__in=OPEN).select_related("home", "away").order_by("pk")
    done = 0
    for match in rows[:MAX_IN_A_RUN]:
        team = match.away if match.away.disbanded_at is not None else match.home
        done += _each([match.public_id], team.captain_id, now)
    return done


def expire_proposals(*, now: datetime) -> int:
    """Withdraw the proposals that nobody has answered in time, one in each transaction; returns how many."""
    late = TeamMatch.objects.filter(status=MatchStatus.PROPOSED, proposed_at__lte=now - EXPIRES)
    keys = late.order_by("proposed_at").values_list("public_id", flat=True)[:MAX_IN_A_RUN]
    return one_by_one(list(keys), partial(_expire, now), failing="proposal %s of a match cannot expire")


def _each(match_ids: Iterable[str], by_id: int, now: datetime) -> int:
    return one_by_one(list(match_ids), partial(_call_off_one, by_id, now), failing=_FAILING)


def _call_off_one(by_id: int, now: datetime, match_id: str) -> int:
    with transaction.atomic():
        match = lock_match(match_id)
        if match.status not in OPEN:
            return 0
        _call_off(match, by_id=by_id, now=now)
    return 1


def _call_off(match: TeamMatch, *, by_id: int, now: datetime) -> None:
    """Decline what was proposed to a disbanded team; withdraw its other matches."""
    if match.status == MatchStatus.PROPOSED and match.away.disbanded_at is not None:
        mark_answered(match, accepted=False, now=now)
    else:
        mark_withdrawn(match, by_id=by_id, now=now)


def _expire(now: datetime, match_id: str) -> int:
    with transaction.atomic():
        match = lock_match(match_id)
        if match.status != MatchStatus.PROPOSED:
            return 0
        _end(match, now)
        emit(about_match(TeamMatchExpired, match))
    return 1


def _end(match: TeamMatch, now: datetime) -> None:
    match.status, match.ended_at = MatchStatus.WITHDRAWN, now
    match.save(update_fields=["status", "ended_at"])
