"""Advancing a tournament, as ``crownhead.contest`` decides: pairing rounds, starting games, finishing.

``advance_if_free`` may be called at any time, any number of times and by several workers at once: it locks
the tournament, takes the next step of the contest, and never makes a round or a game twice. It works in many
short transactions, each with one round or a few games, so that others can write in between.

Rows are locked in the same order everywhere, games before their tournament: ending a game locks the game
and then waits for the tournament. So nothing here touches a game that has started.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from crownhead.contest import Finished, Pair, Wait, WaitReason
from crownhead.server.competitions.access import lock_tournament_if_free, publish_change
from crownhead.server.competitions.events import DirectorNeeded, RoundHeld, about
from crownhead.server.competitions.models import Round, Status, Tournament
from crownhead.server.competitions.selectors.waiting import due_pairings, due_tournament, next_beginning
from crownhead.server.competitions.services import beginning, finish, precompute, starting, telling
from crownhead.server.competitions.services.precompute import Precomputed
from crownhead.server.competitions.services.storing import store_pairings
from crownhead.server.core.background.throttling import rest
from crownhead.server.core.events import emit

MAX_TURNS = 30  # transactions of one worker for one tournament, before others have their turn
_BREATH = 0.002  # seconds of work that a rest between two of them is for
_AGAIN = timedelta(seconds=1)  # until what another worker has kept from beginning is tried once more
MAX_MISSES = 3  # of those transactions that found the tournament changed; a second later there is the next
WAVE = timedelta(seconds=5)  # how often an arena pairs free players


def advance_if_free(*, pk: int, now: datetime) -> bool:
    """Advance by a worker, unless another one is busy with it; return whether anything was due."""
    turns = misses = 0
    found: list[int] = []  # pairings with games to begin
    for _ in range(MAX_TURNS):
        turns += 1
        rest(_BREATH)
        found = found or _due_pairings(pk, now)
        some, found = found[: beginning.MAX_BEGUN], found[beginning.MAX_BEGUN :]
        begun = _begin_if_free(pk, some, now, are_last=not found) if some else 0
        if begun is None:  # somebody holds the tournament: whether these games begin is not known
            break
        if begun:
            continue
        found = []
        if telling.tell_some(pk=pk, now=now):
            continue
        noted = starting.note_ratings(pk=pk, now=now)
        if noted is None:
            break
        if noted:
            continue
        done = _advance_if_free(pk, now)
        misses += done is False
        if done is None or misses >= MAX_MISSES:
            break
    return turns > 1


def _due_pairings(pk: int, now: datetime) -> list[int]:
    """The pairings of a running tournament with due games: they begin before anything is computed."""
    tournament = due_tournament(pk, now)
    return [] if tournament is None else due_pairings(tournament, now)


def _begin_if_free(pk: int, pairings: list[int], now: datetime, *, are_last: bool) -> int | None:
    """How many of these pairings' due games were begun, or forfeited; None if another worker is at it."""
    with transaction.atomic():
        tournament = _locked_if_due(pk, now)
        if tournament is None or tournament.status != Status.RUNNING:
            return None
        Tournament.objects.filter(pk=pk).update(due_at=now)  # behind those that have waited longer
        return beginning.begin(tournament, pairings, now, are_last=are_last)


def _advance_if_free(pk: int, now: datetime) -> bool | None:
    """Whether what was computed could be used; None if nothing is due, or it is being computed."""
    precomputed = precompute.next_step_of(pk=pk, now=now)
    if precomputed is None:
        return None
    with transaction.atomic():
        tournament = _locked_if_due(pk, now)
        if tournament is None:
            return None
        return _advance(tournament, now, precomputed)


def _locked_if_due(pk: int, now: datetime) -> Tournament | None:
    tournament = lock_tournament_if_free(pk)
    is_due = tournament is not None and tournament.due_at is not None and tournament.due_at <= now
    return tournament if is_due else None


def _advance(tournament: Tournament, now: datetime, precomputed: Precomputed) -> bool:
    """Whether what was computed could be used."""
    is_used = True
    tournament.due_at = None
    if tournament.status == Status.RUNNING:
        is_used = _take_step(tournament, now, precomputed)
    elif tournament.status == Status.ENTRY:
        starting.begin_if_due(tournament, now)
        if tournament.status == Status.RUNNING:
            tournament.due_at = now  # the next transaction pairs it
    elif tournament.status == Status.FINISHED and not telling.tell_end(tournament):
        tournament.due_at = now
    tournament.save()
    return is_used


def _take_step(tournament: Tournament, now: datetime, precomputed: Precomputed) -> bool:
    """Take the step that was computed: one round, however many are due; see what to wait for; or finish.

    Returns whether it could be used; otherwise nothing is done.
    """
    precompute.close_if_due(tournament, now)
    tournament.due_at = now
    if not precomputed.still_holds(tournament):
        return False
    step, tournament.rounds_planned = precomputed.step, precomputed.planned
    if isinstance(step, Pair):
        is_wave = tournament.ends_at is not None
        wave = precompute.of_who_is_free(tournament, step) if is_wave else step
        if wave is not None:
            _store_round(tournament, wave, now)
        if precomputed.is_last:
            precompute.put_off(tournament, step.round)
    elif isinstance(step, Finished):
        is_current = precomputed.version == tournament.version
        finish.finish(tournament, step, now, is_current=is_current)
    elif isinstance(step, Wait):
        _wait(tournament, step, now)
    return True


def _wait(tournament: Tournament, step: Wait, now: datetime) -> None:
    """Store what the tournament waits for, and when to advance it again."""
    text = "" if step.why is WaitReason.GAMES else step.sentence
    if step.why is WaitReason.DIRECTOR and tournament.waiting_for != text:
        emit(about(DirectorNeeded, tournament, sentence=text))
    tournament.waiting_for = text[:200]
    moments = [next_beginning(tournament, now)]
    if tournament.ends_at is not None and not tournament.closed:
        moments += [now + WAVE, tournament.ends_at]
    elif due_pairings(tournament, now) or telling.is_left(tournament):  # another worker was at it
        moments.append(now + _AGAIN)
    tournament.due_at = min((moment for moment in moments if moment and moment > now), default=None)


def _store_round(tournament: Tournament, step: Pair, now: datetime) -> None:
    """Store a round; its games start at once, after a break, by appointment or on release."""
    number = step.round.number
    days = tournament.appointment_days
    pause = timedelta(minutes=tournament.pause_minutes if number > 1 else 0)
    row = Round.objects.create(
        tournament=tournament,
        number=number,
        made_at=now,
        starts_at=None if tournament.held_rounds else now + pause,
        deadline=None if days is None else now + timedelta(days=days),
    )
    store_pairings(step.round, row)
    tournament.rounds_made, tournament.waiting_for = number, ""
    if row.starts_at is not None:
        telling.announce_round(tournament, row, now)
    else:
        emit(about(RoundHeld, tournament, round=number))
    publish_change(tournament)
