"""Every rating follows from the results: they can be recalculated, all of them or those after a game.

When a game is annulled, it is as if it had never been played: the two get other ratings, so has everybody
whom they met since, and whom those met. A few such results are recalculated at once. Many are left to the
worker, who goes through them part by part while the club plays on, and stores the ratings in parts as well.
Only those that have changed again meanwhile are held for the last part, after which the game is gone.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from crownhead.server.core import clock
from crownhead.server.core.background.throttling import throttled
from crownhead.server.core.queries.in_progress import writers
from crownhead.server.ratings.models import Change, PlayerRating, TakenBack
from crownhead.server.ratings.selectors.strength import Strength
from crownhead.server.ratings.services.result_sequence import (
    ResultSequence,
    games_of,
    hold,
    parts_by_games,
    store_changes,
)

AT_ONCE = 100  # games after the annulled one that somebody is kept waiting for
SUMMED_AT_ONCE = 2000  # games of the players of those, on which their ratings rest
TAKEN_AT_ONCE = 100  # annulled games of a variant: the ratings of their players are stored together
_ROUNDS = 3  # the second has what was played in the first; the third next to nothing
_PAUSE = 0.05  # seconds, about as long as a transaction takes
_CLAIM = timedelta(minutes=10)  # after which a silent worker counts as dead


class _ClaimedByAnotherError(Exception):
    """Another worker has taken over."""


def take_back(*, game_id: str, first_id: int, second_id: int) -> None:
    """Let a game count no more; doing so again, or for one that never counted, changes nothing."""
    with transaction.atomic():
        change = Change.objects.filter(game_id=game_id).order_by("id").first()
        if change is None:
            return
        others_wait = _waiting(change.variant).exists()
        taken, new = TakenBack.objects.get_or_create(
            game_id=game_id,
            defaults={
                "variant": change.variant,
                "since": change.pk,
                "first_id": first_id,
                "second_id": second_id,
            },
        )
        later = Change.objects.filter(variant=change.variant, id__gt=change.pk)[: 2 * AT_ONCE + 2]
        if new and not others_wait and later.count() <= 2 * AT_ONCE + 1:
            sequence = _sequence_without([taken])
            if games_of(taken.variant, sequence.touched((first_id, second_id))) <= SUMMED_AT_ONCE:
                _finish(sequence, [taken])


def recount_waiting(*, now: datetime) -> int:
    """Take back what was left to the worker, the first of it; how many games. Of several workers one does."""
    variants = TakenBack.objects.filter(recounted=False).values_list("variant", flat=True)
    return sum(_recount(variant, now) for variant in set(variants))


def recalculate(*, variant: str) -> int:
    """Recalculate all ratings of a variant; returns how many were wrong."""
    with transaction.atomic():
        players = set(_users(PlayerRating.objects.filter(variant=variant).order_by("user_id")))
        hold(variant, players)
        players |= set(_users(Change.objects.filter(variant=variant)))
        waiting = list(_waiting(variant))
        sequence = ResultSequence(variant, _games(waiting), 0, {user_id: Strength() for user_id in players})
        return _finish(sequence, waiting, players)


def _recount(variant: str, now: datetime) -> int:
    claimed = _claimed(variant, now)
    if not claimed:
        return 0
    sequence = _sequence_without(claimed)
    try:
        for _ in range(_ROUNDS):
            _advance(sequence, claimed)
            for part in throttled(parts_by_games(variant, sequence.unstored - _players(claimed))):
                _claim_on(claimed)
                sequence.store(part)
        with transaction.atomic():
            _claim_on(claimed)
            _finish(sequence, claimed)
    except _ClaimedByAnotherError:
        return 0
    return len(claimed)


def _advance(sequence: ResultSequence, claimed: Sequence[TakenBack]) -> None:
    """Go through the changes that are there, while the club plays on."""
    latest = Change.objects.filter(variant=sequence.variant).order_by("-id").first()
    _wait_for(writers(), claimed)
    for _ in throttled(count()):
        _claim_on(claimed)
        if latest is None or not sequence.advance(until=latest.pk):
            return


def _wait_for(others: frozenset[str], claimed: Sequence[TakenBack]) -> None:
    """Wait until these have ended: they may have written changes before those that are seen."""
    while others & writers():
        _claim_on(claimed)
        time.sleep(_PAUSE)


def _claimed(variant: str, now: datetime) -> list[TakenBack]:
    """The games of a variant that wait, for this worker alone; none while another is at it."""
    with transaction.atomic():
        waiting = list(_waiting(variant).select_for_update())
        if any(taken.claimed_until is not None and taken.claimed_until > now for taken in waiting):
            return []
        claimed = waiting[:TAKEN_AT_ONCE]  # the same first ones after a worker who died, whatever came since
        _note_claim(claimed, _waiting(variant), now + _CLAIM)
    return claimed


def _claim_on(claimed: Sequence[TakenBack]) -> None:
    """Raises ``_ClaimedByAnotherError`` if this worker was silent for so long that another has taken over."""
    mine = TakenBack.objects.filter(recounted=False, claimed_until=claimed[0].claimed_until)
    if _note_claim(claimed, mine, clock.now() + _CLAIM) < len(claimed):
        raise _ClaimedByAnotherError


def _note_claim(claimed: Sequence[TakenBack], rows: QuerySet[TakenBack], until: datetime) -> int:
    for taken in claimed:
        taken.claimed_until = until
    return rows.filter(pk__in=[taken.pk for taken in claimed]).update(claimed_until=until)


def _sequence_without(taken: Sequence[TakenBack]) -> ResultSequence:
    """From the first of some games on."""
    return ResultSequence(taken[0].variant, _games(taken), min(row.since for row in taken) - 1)


def _finish(sequence: ResultSequence, taken: Sequence[TakenBack], players: set[int] | None = None) -> int:
    """Finish the sequence with all locked whose ratings may still become others, and store those."""
    touched = sequence.lock_touched(_players(taken)) if players is None else players
    while sequence.advance():
        pass
    Change.objects.filter(game_id__in=sequence.gone).delete()
    TakenBack.objects.filter(pk__in=[row.pk for row in taken]).update(recounted=True)
    return store_changes(sequence.variant, touched)


def _waiting(variant: str) -> QuerySet[TakenBack]:
    return TakenBack.objects.filter(variant=variant, recounted=False).order_by("id")


def _players(taken: Sequence[TakenBack]) -> set[int]:
    return {key for row in taken for key in (row.first_id, row.second_id)}


def _games(taken: Sequence[TakenBack]) -> frozenset[str]:
    return frozenset(row.game_id for row in taken)


def _users(rows: QuerySet[Any]) -> Iterator[int]:
    return rows.values_list("user_id", flat=True).distinct().iterator()
