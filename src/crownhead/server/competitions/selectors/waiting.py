"""Which pairings of a tournament wait for games, asked of the database: a whole contest may be large."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
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
    Sum,
    When,
)
from django.db.models.functions import Coalesce

from crownhead.contest import ResultKind
from crownhead.contest.model import WIN
from crownhead.server.competitions.choices import Withdrawal
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Round, Status, Tournament
from crownhead.server.core.queries.prepared import Prepared
from crownhead.server.play.choices import Status as GameStatus
from crownhead.server.play.games.options import LiveClock
from crownhead.server.play.selectors import Game
from crownhead.server.teams.selectors.terms import is_live, options_of

MOST = 200  # pairings that are found at once
USUAL_MOVES = 60  # of each side, in a live game that takes long

_COUNTING = PairingGame.objects.filter(pairing=OuterRef("pk"), replaced=False)
_IN_PROGRESS = Exists(_COUNTING.filter(first_points=None))
_OPEN = Game.objects.filter(public_id=OuterRef("game_id"), status=GameStatus.PLAYING)
LEFT_TO_SUBSTITUTE = Q(replaced=True, first_points=None) | Q(how=ResultKind.ANNULLED)  # if it is open still
_TO_BE_ENDED = Exists(PairingGame.objects.filter(LEFT_TO_SUBSTITUTE, Exists(_OPEN), pairing=OuterRef("pk")))
_COUNTED = (ResultKind.PLAYED, ResultKind.ADJUDICATED)
_OF_FIRST = Case(When(swapped=True, then=F("second_points")), default=F("first_points"))
_OF_SECOND = Case(When(swapped=True, then=F("first_points")), default=F("second_points"))
COUNTING_GAMES = Prefetch("games", queryset=PairingGame.objects.filter(replaced=False).order_by("number"))


def due_tournament(pk: int, now: datetime) -> Tournament | None:
    """The running tournament of a key, if a worker has something to do in it now."""
    return _RUNNING.first(pk=pk, now=now)


def is_unfinished(tournament: Tournament, *, latest: bool) -> bool:
    """Whether games of its pairings, or of those of the latest round, are certainly open or to come.

    Of the latest round adjourned ones don't count. Matches that may go on only the contest knows.
    """
    rows = _with_games(tournament.pk)
    if latest:
        rows = rows.filter(round__number=tournament.rounds_made, adjourned=False)
    return rows.filter(Q(in_progress=True) | Q(begun__lt=F("planned"))).exists()


def due_pairings(tournament: Tournament, now: datetime) -> list[int]:
    """The keys of pairings with games to begin or to forfeit now, some of many, those of who left first.

    Of a live tournament only those whose players are free, each player once.
    """
    leavers = losing(tournament)
    if leavers:
        rows = _with_games(tournament.pk).filter(adjourned=False)
        lost = list(_due(rows.filter(Q(first__in=leavers) | Q(second__in=leavers))))
        if lost:
            return [key for key, *_ in lost]
    if not is_live(tournament.terms):
        return [key for query in _DUE for key, *_ in query.rows(tournament=tournament.pk, now=now)]
    everybody = Entrant.objects.filter(tournament=tournament).values_list("pk", flat=True)
    free = set(everybody) - playing(tournament, list(everybody), now)
    if len(free) < 2:
        return []
    found = []
    rows = _begun_by(tournament.pk, now).filter(first__in=free, second__in=free)
    for key, first, second in _due(rows):
        if {first, second} <= free:
            found.append(key)
            free -= {first, second}
    return found


def next_beginning(tournament: Tournament, now: datetime) -> datetime | None:
    """When the next waiting game of a round that begins later, or by appointment, begins, if any does.

    Also of a round before the latest one: a pairing may be resumed before the time of its round.
    """
    to_start = Round.objects.filter(tournament=tournament, starts_at__gt=now)
    if tournament.appointment_days is None and not tournament.pause_minutes and not to_start.exists():
        return None
    rows = _with_beginnings(_with_games(tournament.pk).filter(adjourned=False, in_progress=False))
    to_come = rows.filter(Q(begun__lt=F("planned")) | Q(wins__gt=0) | Q(replays__gt=0), begins__gt=now)
    found: datetime | None = to_come.aggregate(at=Min("begins"))["at"]
    return found


def losing(tournament: Tournament) -> list[int]:
    """The entrants who have left and lose what they had not begun, at once."""
    gone = _LEFT if tournament.withdrawal == Withdrawal.FORFEIT else _EXPELLED
    return [key for (key,) in gone.rows(tournament=tournament.pk)]


def playing(tournament: Tournament, entrants: Collection[int], now: datetime) -> set[int]:
    """Those of the entrants of a live tournament who can't begin a game now.

    They have one in progress, also one that a worker has still to end, or an adjourned one that goes on
    before a new one is likely to be over.
    """
    found: set[int] = set()
    adjourned: dict[int, set[int]] = {}
    for side in ("first", "second"):
        rows = Pairing.objects.filter(**{f"{side}__in": entrants}, second__isnull=False)
        rows = rows.filter(_IN_PROGRESS | _TO_BE_ENDED)
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


def _with_games(tournament: int) -> QuerySet[Any]:
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


def _begun_by(tournament: int, now: datetime) -> QuerySet[Any]:
    """The pairings that may begin games now."""
    return _with_beginnings(_with_games(tournament).filter(adjourned=False)).filter(begins__lte=now)


def _due(rows: QuerySet[Any]) -> Iterator[tuple[int, int, int | None]]:
    """The keys and players of pairings with due games: those that begin first, and those that go on."""
    yield from _to_begin(rows)
    yield from _to_go_on(rows)


def _to_begin(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those with games that are planned, in the order of their rounds and tables."""
    by_place = rows.order_by("round__number", "table").alias(rest=F("begun") % F("planned"))
    some: QuerySet[Any] = by_place.filter(Q(begun=0) | Q(rest__gt=0)).values_list("pk", "first", "second")
    return some[:MOST]


def _to_go_on(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those whose planned games are over and that have more to play, in the same order."""
    by_place = rows.order_by("round__number", "table").alias(rest=F("begun") % F("planned"))
    go_on = _going_on_after(by_place.filter(begun__gt=0, rest=0, in_progress=False))
    return go_on.values_list("pk", "first", "second")[:MOST]


def _going_on_after(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Those of pairings whose games are over that have more to play, as ``contest.Pairing.due`` says.

    A match for wins is not decided, or a tie is replayed. The database is asked, for in a large bracket
    nearly all are decided.
    """
    may = Q(wins__gt=0) | Q(begun__lt=F("planned") * (1 + F("replays")))
    counted = rows.filter(may).alias(
        put_out=Exists(_COUNTING.exclude(how__in=_COUNTED)),
        lead=_of_games(Sum(_OF_FIRST - _OF_SECOND)),
        first_won=_of_games(Count("pk"), own=WIN),
        second_won=_of_games(Count("pk"), others=WIN),
    )
    undecided = Q(wins__gt=0, first_won__lt=F("wins"), second_won__lt=F("wins"))
    made: QuerySet[Any] = counted.filter(
        (undecided & (Q(most=0) | Q(most__gt=F("begun")))) | Q(wins=0, lead=0), put_out=False
    )
    return made


def _of_games(total: Any, **wanted: int) -> Any:
    """A sum or a number over the games of a pairing that count; ``own``: half points of its first player."""
    games = _COUNTING.order_by().alias(own=_OF_FIRST, others=_OF_SECOND).filter(**wanted)
    return Coalesce(Subquery(games.values("pairing").annotate(total=total).values("total")), 0)


def _written(some: Callable[[QuerySet[Any]], QuerySet[Any]]) -> Prepared[tuple[int, int, int | None]]:
    return Prepared(lambda tournament, now: some(_begun_by(tournament, now)), tournament=int, now=datetime)


_DUE = [_written(_to_begin), _written(_to_go_on)]
_LEFT = Prepared(
    lambda tournament: Entrant.objects.filter(tournament=tournament, left__isnull=False).values_list("pk"),
    tournament=int,
)
_EXPELLED = Prepared(
    lambda tournament: Entrant.objects.filter(
        tournament=tournament, left__isnull=False, expelled=True
    ).values_list("pk"),
    tournament=int,
)
_RUNNING = Prepared(
    lambda pk, now: Tournament.objects.filter(pk=pk, due_at__lte=now, status=Status.RUNNING),
    pk=int,
    now=datetime,
)
