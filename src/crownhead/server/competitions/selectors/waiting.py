"""Which pairings of a tournament wait for games, asked of the database: a whole contest may be large."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Case,
    Count,
    DateTimeField,
    Exists,
    F,
    Min,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from crownhead.server.competitions.choices import Withdrawal
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Tournament
from crownhead.server.competitions.selectors.contest_rows import pairing_of
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.selectors import Game
from crownhead.server.teams.selectors.terms import is_live, options_of

MOST = 200  # pairings that are found at once
USUAL_MOVES = 60  # of each side, in a live game that takes long

_COUNTING = PairingGame.objects.filter(pairing=OuterRef("pk"), replaced=False)
_IN_PROGRESS = Exists(_COUNTING.filter(first_points=None))
COUNTING_GAMES = Prefetch("games", queryset=PairingGame.objects.filter(replaced=False).order_by("number"))


def is_unfinished(tournament: Tournament, *, latest: bool) -> bool:
    """Whether games of its pairings, or of those of the latest round, are certainly open or to come.

    Of the latest round adjourned ones don't count. Matches that may go on only the contest knows.
    """
    rows = _with_games(tournament)
    if latest:
        rows = rows.filter(round__number=tournament.rounds_made, adjourned=False)
    return rows.filter(Q(in_progress=True) | Q(begun__lt=F("planned"))).exists()


def due_pairings(tournament: Tournament, now: datetime) -> list[int]:
    """The keys of pairings with games to begin or to forfeit now, some of many, those of who left first.

    Of a live tournament only those whose players are free, each player once.
    """
    rows = _with_games(tournament).filter(adjourned=False)
    leavers = losing(tournament)
    if leavers and (lost := list(_due(rows.filter(Q(first__in=leavers) | Q(second__in=leavers))))):
        return [key for key, *_ in lost]
    rows = _with_beginnings(rows).filter(begins__lte=now)
    if not is_live(tournament.terms):
        return [key for key, *_ in _due(rows)]
    everybody = Entrant.objects.filter(tournament=tournament).values_list("pk", flat=True)
    free = set(everybody) - playing(tournament, list(everybody), now)
    if len(free) < 2:
        return []
    found = []
    for key, first, second in _due(rows.filter(first__in=free, second__in=free)):
        if {first, second} <= free:
            found.append(key)
            free -= {first, second}
    return found


def next_beginning(tournament: Tournament, now: datetime) -> datetime | None:
    """When the next of the waiting games of rounds with a break or with appointments begins, if any does."""
    if not tournament.pause_minutes and tournament.appointment_days is None:
        return None
    rows = _with_beginnings(_with_games(tournament).filter(adjourned=False, in_progress=False))
    to_come = rows.filter(Q(begun__lt=F("planned")) | Q(wins__gt=0) | Q(replays__gt=0), begins__gt=now)
    found: datetime | None = to_come.aggregate(at=Min("begins"))["at"]
    return found


def losing(tournament: Tournament) -> list[int]:
    """The entrants who have left and lose what they had not begun, at once."""
    gone = Entrant.objects.filter(tournament=tournament, left__isnull=False)
    if tournament.withdrawal != Withdrawal.FORFEIT:
        gone = gone.filter(expelled=True)
    return list(gone.values_list("pk", flat=True))


def playing(tournament: Tournament, entrants: Collection[int], now: datetime) -> set[int]:
    """Those of the entrants of a live tournament who can't begin a game now.

    They have one in progress, or an adjourned one that goes on before a new one is likely to be over.
    """
    found: set[int] = set()
    adjourned: dict[int, set[int]] = {}
    for side in ("first", "second"):
        rows = Pairing.objects.filter(_IN_PROGRESS, **{f"{side}__in": entrants}, second__isnull=False)
        for key, first, second, is_adjourned in rows.values_list("pk", "first", "second", "adjourned"):
            if is_adjourned:
                adjourned[key] = {first, second}
            else:
                found |= {first, second}
    going_on = _going_on(adjourned, now + _length(tournament)) if adjourned else set()
    return found.union(*(adjourned[key] for key in going_on))


def _length(tournament: Tournament) -> timedelta:
    """How long a live game of the tournament may usually last."""
    clock = options_of(tournament.variant, tournament.terms).clock
    assert isinstance(clock, LiveClock)
    return 2 * timedelta(seconds=clock.initial + USUAL_MOVES * clock.increment)


def _going_on(pairings: Collection[int], moment: datetime) -> set[int]:
    """Those of the adjourned pairings with a game whose clock runs again by then."""
    rows = PairingGame.objects.filter(pairing__in=pairings, replaced=False, first_points=None)
    of_game = dict(rows.exclude(game_id=None).values_list("game_id", "pairing"))
    spans = Game.objects.filter(public_id__in=of_game).values_list("public_id", "adjourned")
    return {
        of_game[key]
        for key, stops in spans
        if all(datetime.fromisoformat(ends) <= moment for _begins, ends in stops)
    }


def _with_games(tournament: Tournament) -> QuerySet[Any]:
    """The pairings of two, with how many of their games have begun, and whether one is in progress."""
    begun = _COUNTING.order_by().values("pairing").annotate(count=Count("pk")).values("count")
    rows = Pairing.objects.filter(round__tournament=tournament, bye="")
    made: QuerySet[Any] = rows.annotate(begun=Coalesce(Subquery(begun), 0), in_progress=_IN_PROGRESS)
    return made


def _with_beginnings(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of rounds that are not on hold, with the moment of ``selectors.begins_at``."""
    begins = Case(
        When(round__deadline=None, then=F("round__starts_at")),
        default=Coalesce("starts_at", "round__deadline"),
        output_field=DateTimeField(),
    )
    made: QuerySet[Any] = rows.filter(round__starts_at__isnull=False).annotate(begins=begins)
    return made


def _due(rows: QuerySet[Any]) -> Iterator[tuple[int, int, int | None]]:
    """The keys and players of pairings with due games, in the order of their rounds and tables."""
    by_place = rows.order_by("round__number", "table")
    fresh = by_place.alias(rest=F("begun") % F("planned")).filter(Q(begun=0) | Q(rest__gt=0))
    yield from fresh.values_list("pk", "first", "second")[:MOST]
    again = by_place.filter(Q(wins__gt=0) | Q(begun__lt=F("planned") * (1 + F("replays"))))
    for row in again.filter(begun__gt=0, in_progress=False).prefetch_related(COUNTING_GAMES):
        if len(row.games.all()) % row.planned == 0 and pairing_of(row, row.games.all()).due():
            yield row.pk, row.first_id, row.second_id
