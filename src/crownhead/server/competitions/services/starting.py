"""Starting a tournament if enough players have entered, or cancelling it."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import publish_change
from crownhead.server.competitions.events import TournamentCancelled, TournamentStarted, about
from crownhead.server.competitions.models import Entrant, Start, Status, Tournament
from crownhead.server.competitions.selectors.starts import obstacle
from crownhead.server.core.events import emit
from crownhead.server.core.problems import Conflict
from crownhead.server.core.queries.rows import update_all
from crownhead.server.ratings import selectors as ratings

_DICE = 62  # random bits that seed a tournament's draws


def begin_if_due(tournament: Tournament, now: datetime) -> None:
    """Start or cancel a locked tournament whose time has come; otherwise schedule it for its date."""
    full = tournament.start == Start.FULL and tournament.size >= tournament.max_players
    dated = tournament.starts_at is not None and tournament.start != Start.HAND
    late = dated and tournament.starts_at is not None and tournament.starts_at <= now
    if not full and not late:
        tournament.due_at = tournament.starts_at if dated else None
        return
    try:
        begin(tournament, now)
    except Conflict:
        cancel(tournament, now)


def begin(tournament: Tournament, now: datetime) -> None:
    """Start a locked tournament; raises ``Conflict`` if it cannot start."""
    problem = obstacle(tournament)
    if problem is not None:
        raise problem
    rated = {
        row.user_id: row for row in Entrant.objects.filter(tournament=tournament, left=None).order_by("pk")
    }
    known = ratings.ratings_in(tournament.variant, rated)
    changed = [rated[user_id] for user_id, row in known.items() if row.points != rated[user_id].rating]
    for entrant in changed:
        entrant.rating = known[entrant.user_id].points
    update_all(changed, changed=("rating",))
    tournament.status, tournament.started_at = Status.RUNNING, now
    tournament.dice = secrets.randbits(_DICE)
    if tournament.minutes is not None:
        tournament.ends_at = now + timedelta(minutes=tournament.minutes)
    emit(about(TournamentStarted, tournament, player_ids=tuple(rated)))
    publish_change(tournament)


def cancel(tournament: Tournament, now: datetime, *, by: User | None = None, reason: str = "") -> None:
    """Cancel a locked tournament that has not started, for a director's reason or because it can't start."""
    players = Entrant.objects.filter(tournament=tournament).values_list("user_id", flat=True)
    tournament.status, tournament.ended_at, tournament.due_at = Status.CANCELLED, now, None
    tournament.cancel_reason = reason
    by_id = None if by is None else by.pk
    emit(about(TournamentCancelled, tournament, player_ids=tuple(players), by_id=by_id, reason=reason))
    publish_change(tournament)
