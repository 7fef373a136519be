"""Starting a tournament if enough players have entered, or cancelling it."""

from __future__ import annotations

import math
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    is_full,
    lock_tournament_if_free,
    publish_change,
    waits_for_players,
)
from crownhead.server.competitions.events import StartSet, TournamentCancelled, TournamentStarted, Why, about
from crownhead.server.competitions.models import DirectorAction, Entrant, Start, Status, Tournament, Verb
from crownhead.server.competitions.selectors.starts import are_all_here, awaited, obstacle
from crownhead.server.competitions.selectors.waiting import due_tournament
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.batches import batched
from crownhead.server.core.events import emit
from crownhead.server.core.limits import too_many
from crownhead.server.core.moments import to_the_minute
from crownhead.server.core.problems import Conflict, TooMany
from crownhead.server.core.queries.rows import update_all
from crownhead.server.live.selectors import is_here
from crownhead.server.ratings import selectors as ratings

MOMENT = timedelta(seconds=5)  # until a worker has withdrawn whose account was just closed
DAY = timedelta(days=1)  # of notice: the same time of day, at which some of the players do come
MOST_WAITING = 100  # tournaments that are looked at together, those that begin soonest anyway
MOST_MOVES = 10  # of a start, in a day: each time all players hear of it
MAX_NOTED = 50  # ratings in one transaction
_DICE = 62  # random bits that seed a tournament's draws


def begin_if_due(tournament: Tournament, now: datetime) -> None:
    """Start or cancel a locked tournament whose time has come; otherwise schedule it for its date.

    Players whose accounts are closed count no more: a worker withdraws them first.
    """
    if has_closed(tournament):
        tournament.due_at = now + MOMENT
        return
    full = tournament.start == Start.FULL and is_full(tournament)
    if full and waits_for_players(tournament) and not are_all_here(tournament):
        _set_date(tournament, now)
        full = False
    dated = tournament.starts_at is not None and tournament.start != Start.HAND
    late = dated and tournament.starts_at is not None and tournament.starts_at <= now
    if not full and not late:
        tournament.due_at = tournament.starts_at if dated else None
        return
    try:
        begin(tournament, now)
    except Conflict:
        if tournament.date_by_club and not is_full(tournament):
            _wait_again(tournament)
        else:
            cancel(tournament, now)


def has_closed(tournament: Tournament) -> bool:
    """Whether somebody among its players has closed their account, whom the worker has still to withdraw."""
    return Entrant.objects.filter(tournament=tournament, user__closed_at__isnull=False).exists()


def begin_attended(now: datetime) -> int:
    """Let the worker begin what is full and waits for its date, once all players are here; returns how many.

    Nothing is locked for those that go on waiting.
    """
    full = Tournament.objects.filter(start=Start.FULL, size__gte=F("max_players"))
    unstarted = full.filter(started_at=None, due_at__gt=now)  # an index has their order
    waiting = [row for row in unstarted.order_by("due_at", "pk")[:MOST_WAITING] if waits_for_players(row)]
    expected = awaited(row.pk for row in waiting).values_list("tournament_id", "user_id")
    away = {key for key, user_id in expected if not is_here(user_id)}
    attended = [row.pk for row in waiting if row.pk not in away]
    return full.filter(pk__in=attended, status=Status.ENTRY).update(due_at=now) if attended else 0


def announce_date(tournament: Tournament, why: Why, *, by: User | None = None) -> None:
    """Tell the players of a locked tournament, but who has set it, of its date, or that it has none now."""
    players = Entrant.objects.filter(tournament=tournament).values_list("user_id", flat=True)
    by_id = None if by is None else by.pk
    told = tuple(key for key in players if key != by_id)
    emit(about(StartSet, tournament, player_ids=told, starts_at=tournament.starts_at, why=why))
    publish_change(tournament)


def checked_move(tournament: Tournament, now: datetime) -> str:
    """What the log says of a moved start; raises ``TooMany`` if players have heard of others all day."""
    moved = Q(verb=Verb.EXTENDED) | (Q(verb=Verb.EDITED) & ~Q(text=""))
    acts = DirectorAction.objects.filter(moved, tournament=tournament, done_at__gt=now - DAY)
    first = acts.order_by("-done_at", "-pk")[MOST_MOVES - 1 : MOST_MOVES].first()
    if first is not None:
        seconds = math.ceil((first.done_at + DAY - now).total_seconds())
        raise TooMany(
            _("The start can be moved %(most)s times a day. %(wait)s")
            % {"most": MOST_MOVES, "wait": too_many(seconds).text},
            seconds=seconds,
        )
    return f"{tournament.starts_at:%Y-%m-%d %H:%M} UTC"


def _set_date(tournament: Tournament, now: datetime) -> None:
    """Give a full tournament a date, unless it has one that its players know."""
    if tournament.starts_at is None:
        tournament.starts_at, tournament.date_by_club = to_the_minute(now + DAY), True
        announce_date(tournament, Why.FULL)


def _wait_again(tournament: Tournament) -> None:
    """Let a tournament that too few players are left for wait until it is full, as its host wanted."""
    tournament.starts_at, tournament.date_by_club, tournament.due_at = None, False, None
    announce_date(tournament, Why.TOO_FEW)


def begin(tournament: Tournament, now: datetime) -> None:
    """Start a locked tournament; raises ``Conflict`` if it cannot start.

    The ratings of its players are noted before the first round, see ``note_ratings``.
    """
    problem = obstacle(tournament)
    if problem is not None:
        raise problem
    tournament.status, tournament.started_at = Status.RUNNING, now
    tournament.dice = secrets.randbits(_DICE)
    if tournament.minutes is not None:
        tournament.ends_at = now + timedelta(minutes=tournament.minutes)
    players = Entrant.objects.filter(tournament=tournament, left=None).order_by("pk")
    emit(about(TournamentStarted, tournament, player_ids=tuple(players.values_list("user_id", flat=True))))
    publish_change(tournament)


def note_ratings(*, pk: int, now: datetime) -> bool | None:
    """Note the ratings with which the players of a tournament that is due begin it; whether any have changed.

    They are written a few at a time, before the first round is made of them. None if another worker is at it.
    """
    tournament = due_tournament(pk, now)
    if tournament is None or tournament.rounds_made:
        return False
    players = Entrant.objects.filter(tournament=tournament, left=None).only("user_id", "rating")
    rows = {row.user_id: row for row in players.order_by("pk")}
    known = ratings.ratings_in(tournament.variant, rows)
    changed = [rows[user_id] for user_id, row in known.items() if row.points != rows[user_id].rating]
    for entrant in changed:
        entrant.rating = known[entrant.user_id].points
    for some in throttled(batched(changed, MAX_NOTED)):
        with transaction.atomic():
            locked = lock_tournament_if_free(pk)
            if locked is None or locked.status != Status.RUNNING or locked.rounds_made:
                return None
            update_all(some, changed=("rating",))
    return bool(changed)


def cancel(tournament: Tournament, now: datetime, *, by: User | None = None, reason: str = "") -> None:
    """Cancel a locked tournament that has not started, for a director's reason or because it can't start."""
    players = Entrant.objects.filter(tournament=tournament).values_list("user_id", flat=True)
    tournament.status, tournament.ended_at, tournament.due_at = Status.CANCELLED, now, None
    tournament.cancel_reason = reason
    by_id = None if by is None else by.pk
    emit(about(TournamentCancelled, tournament, player_ids=tuple(players), by_id=by_id, reason=reason))
    publish_change(tournament)
