"""Whether enough players are there for a tournament to start, and why one was cancelled instead."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from crownhead.contest import ContestError, Player
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    begins_at_once,
    format_of_tournament,
    is_before_date,
    waits_without_date,
)
from crownhead.server.competitions.choices import Start, Status
from crownhead.server.competitions.models import Entrant, Pairing, Round, Tournament
from crownhead.server.competitions.problems import cannot_start
from crownhead.server.core.problems import Conflict
from crownhead.server.live.selectors import is_here

MOST_NAMED = 3
NEEDS_DIRECTOR = Q(status=Status.ENTRY) & (Q(start=Start.HAND) | Q(held_rounds=True))  # to begin at all


def obstacle(tournament: Tournament) -> Conflict | None:
    """Why a tournament with so many players cannot start; None if it can."""
    facts = {"min_players": tournament.min_players, "size": tournament.size}
    if tournament.size < tournament.min_players:
        return Conflict(_("It needs at least %(min_players)s players; %(size)s have entered.") % facts)
    anybody = [Player(key=str(number)) for number in range(tournament.size)]
    try:
        format_of_tournament(tournament).check(tournament.options, anybody)
    except ContestError as error:
        return cannot_start(error, tournament.size)
    return None


def are_all_here(tournament: Tournament, *, but: User | None = None) -> bool:
    """Whether all players are here now; ``but``: of one it is known."""
    rows = awaited([tournament.pk])
    others = rows if but is None else rows.exclude(user=but)
    return all(map(is_here, others.values_list("user_id", flat=True)))


def may_begin(tournament: Tournament, *, by: User, begins: datetime) -> bool:
    """Whether players are ready for a start then: it is as they were told, or all are here.

    Of live games that wait for players everybody was told that they begin once all are here, also if one of
    them has withdrawn since. ``by``: who decides it, and is here.
    """
    if not (is_before_date(tournament, begins) or waits_without_date(tournament)):
        return True
    waits = tournament.start == Start.FULL and begins_at_once(tournament)
    return waits and are_all_here(tournament, but=by)


def missing(tournament: Tournament, *, but: User, rounds: Collection[Round] | None = None) -> str:
    """Who of all players, or of those who meet in these rounds, isn't here now, in words; empty if all are.

    Some are named of those who let others see it. Who has left is not waited for.
    """
    entrants = awaited([tournament.pk]).exclude(user=but)
    if rounds is not None:
        met = Pairing.objects.filter(round__in=rounds, bye="")
        entrants = entrants.filter(Q(pk__in=met.values("first")) | Q(pk__in=met.values("second")))
    away = [key for key in entrants.values_list("user_id", flat=True) if not is_here(key)]
    if not away:
        return ""
    shown = User.objects.filter(pk__in=away).exclude(preferences__show_here=False).order_by("folded")
    named = list(shown.values_list("username", flat=True)[:MOST_NAMED])
    return ", ".join([*named, "…"] if len(named) < len(away) else named)


def awaited(tournaments: Iterable[int]) -> QuerySet[Entrant]:
    """The players of tournaments without those who have left, or who can't come."""
    return Entrant.objects.filter(tournament__in=list(tournaments), left=None, user__is_active=True)


def why_cancelled(tournament: Tournament) -> str:
    """Why the club cancels or cancelled a tournament, in words for the reader; empty if it could start."""
    closed_at, ended_at = tournament.host.closed_at, tournament.ended_at
    is_alone = closed_at is not None and (ended_at is None or closed_at <= ended_at)
    if is_alone and (tournament.start == Start.HAND or tournament.held_rounds):
        return _("Its host has closed their account, and it has no other director.")
    problem = obstacle(tournament)
    return "" if problem is None else problem.detail


def cancel_reason(tournament: Tournament) -> str:
    """Why a tournament was cancelled: in a director's words, or in the club's for the reader; else empty."""
    if tournament.status != Status.CANCELLED or tournament.cancel_reason:
        return tournament.cancel_reason
    return why_cancelled(tournament)
