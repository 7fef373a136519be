"""Telling players of a round and of the end: of many a worker tells a few in each transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from crownhead.server.competitions.access import publish_list_change
from crownhead.server.competitions.events import (
    Paired,
    RoundStarted,
    TournamentFinished,
    TrophyWon,
    about,
)
from crownhead.server.competitions.models import Entrant, Pairing, Round, Status, Tournament, Trophy
from crownhead.server.competitions.selectors import awaited, winning
from crownhead.server.core.events import emit
from crownhead.server.core.queries.prepared import Prepared

MAX_TOLD = 12  # pairings in one transaction: both their players are notified
MAX_TOLD_OF_END = 16  # players in one transaction, some of them also of a trophy
LATELY = timedelta(days=1)  # how long after the end those who were left out are still told
MAX_NAMED = 20  # winners; who shares the first place with more knows that, but nobody hears all names
Users = tuple[int, ...]

# By round of which not all are told: the last table. Telling again changes nothing.
_told: dict[int, int] = {}


def announce_round(tournament: Tournament, row: Round, now: datetime) -> None:
    """Notify the players of a round that begins, once; who is left over is told by ``tell_some``."""
    if row.told_at is not None or row.starts_at is None:
        return
    if tournament.minutes is None:
        publish_list_change()
    some = list(_news(row, now)[: MAX_TOLD + 1])
    if len(some) <= MAX_TOLD:
        _tell(tournament, row, some, now)
        row.told_at = now
        row.save(update_fields=["told_at"])


def tell_substitute(tournament: Tournament, place: Entrant, now: datetime) -> None:
    """Tell a substitute of the rounds that are known to start later with a game of theirs."""
    theirs = Pairing.objects.filter(Q(first=place) | Q(second=place), bye="")
    later = theirs.filter(round__tournament=tournament, round__starts_at__gt=now)
    for pairing in later.select_related("round").prefetch_related("games").order_by("round__number"):
        if awaited(pairing, pairing.games.all()):
            row, players = pairing.round, (place.user_id,)
            starts_at = row.starts_at
            emit(about(RoundStarted, tournament, round=row.number, player_ids=players, starts_at=starts_at))


def tell_some(*, pk: int, now: datetime) -> bool:
    """Tell some players of a round of a tournament that is due; whether there were any to tell."""
    row = _NEXT_ROUND.first(tournament=pk, now=now)
    if row is None:
        return False
    with transaction.atomic():
        some = list(_news(row, now).filter(table__gt=_told.get(row.pk, 0))[:MAX_TOLD])
        _tell(row.tournament, row, some, now)
        if len(some) < MAX_TOLD:
            Round.objects.filter(pk=row.pk, told_at=None).update(told_at=now)
    if len(some) < MAX_TOLD:
        _told.pop(row.pk, None)
    else:
        _told[row.pk] = some[-1].table
    return True


def is_left(tournament: Tournament) -> bool:
    """Whether players of a round that begins are still to be told."""
    return _left(tournament.pk).exists()


def tell_end(tournament: Tournament) -> bool:
    """Tell the next players of a locked tournament that it is over; whether all are told now.

    Those with the best places come first. Save how many are ``told`` in the same transaction.
    """
    rows = Entrant.objects.filter(tournament=tournament)
    in_order = rows.order_by(F("place").asc(nulls_last=True), "pk").values_list("user_id", flat=True)
    some = tuple(in_order[tournament.told : tournament.told + MAX_TOLD_OF_END])
    tournament.told += len(some)
    for players, winners in _with_winners(tournament, some):
        emit(about(TournamentFinished, tournament, player_ids=players, winner_ids=winners))
    won = Trophy.objects.filter(tournament=tournament, user__in=some).order_by("place", "pk")
    for user_id, name, place in won.values_list("user_id", "name", "place"):
        emit(about(TrophyWon, tournament, user_id=user_id, trophy=name, place=place))
    return tournament.told >= rows.count()


def come_back(now: datetime) -> int:
    """Come back to those who have not heard that a tournament is over; returns to how many tournaments.

    A worker of an older version, during an upgrade, knows nothing of them and takes it for done.
    """
    ended = Tournament.objects.filter(ended_at__gt=now - LATELY, status=Status.FINISHED, due_at=None)
    return ended.filter(told__gt=0, told__lt=F("size")).update(due_at=now)


def _with_winners(tournament: Tournament, some: Users) -> Iterator[tuple[Users, Users]]:
    """Some players, in parts, each with the winners that it hears: of very many only those in it."""
    winners = tuple(winning([tournament]).order_by("pk").values_list("user_id", flat=True))
    if len(winners) <= MAX_NAMED:
        parts = [(some, winners)]
    else:
        among = {*winners}
        won = tuple(key for key in some if key in among)
        others = tuple(key for key in some if key not in among)
        parts = [(won, tuple(dict.fromkeys((*won, *winners[:2])))), (others, ())]
    return ((players, named) for players, named in parts if players)


def _left(tournament_id: int) -> QuerySet[Round]:
    return Round.objects.filter(tournament=tournament_id, told_at=None, starts_at__isnull=False)


_NEXT_ROUND = Prepared(
    lambda tournament, now: (
        _left(tournament)
        .filter(tournament__status=Status.RUNNING, tournament__due_at__lte=now)
        .select_related("tournament")
        .order_by("number")[:1]
    ),
    tournament=int,
    now=datetime,
)


def _news(row: Round, now: datetime) -> QuerySet[Pairing]:
    """The pairings of which their players have to know.

    If games start at once, those are the byes: other players are notified of their games. Who has left need
    not know that they have no opponent.
    """
    rows = Pairing.objects.filter(round=row).exclude(second=None, first__left__isnull=False)
    if row.deadline is None and row.starts_at is not None and row.starts_at <= now:
        rows = rows.filter(second=None)
    return rows.select_related("first", "second").order_by("table")


def _tell(tournament: Tournament, row: Round, pairings: Sequence[Pairing], now: datetime) -> None:
    """Tell the players of some pairings when the round starts, and whom they meet or that they have a bye."""
    players = tuple(
        entrant.user_id for pairing in pairings for entrant in (pairing.first, pairing.second) if entrant
    )
    if tournament.minutes is None and row.starts_at is not None and row.starts_at > now and players:
        emit(about(RoundStarted, tournament, round=row.number, player_ids=players, starts_at=row.starts_at))
    for pairing in pairings:
        if pairing.second is None or row.deadline is not None:
            emit(
                about(
                    Paired,
                    tournament,
                    round=row.number,
                    table=pairing.table,
                    first_id=pairing.first.user_id,
                    second_id=pairing.second.user_id if pairing.second else None,
                    by_appointment=row.deadline is not None and pairing.second is not None,
                )
            )
