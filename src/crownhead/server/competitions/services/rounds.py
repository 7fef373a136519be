"""Advancing a tournament, as ``crownhead.contest`` decides: pairing rounds, starting games, finishing.

``advance_if_free`` may be called at any time, any number of times and by several workers at once: it locks
the tournament, asks the contest for the next step, and never makes a round or a game twice. It works in many
short transactions, so that others can write in between.

Rows are locked in the same order everywhere, games before their tournament: ending a game locks the game
and then waits for the tournament. So nothing here touches a game that has started.
"""

from __future__ import annotations

import random
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from crownhead.contest import Contest as ContestValue
from crownhead.contest import Finished, Pair, PlannedGame, Wait, WaitReason, formats
from crownhead.rules import variant_of
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import (
    format_of_tournament,
    lock_tournament_if_free,
    publish_change,
)
from crownhead.server.competitions.events import (
    DirectorNeeded,
    Paired,
    RoundHeld,
    RoundStarted,
    about,
)
from crownhead.server.competitions.models import Pairing, PairingGame, Round, Status, Tournament
from crownhead.server.competitions.selectors import begins_at
from crownhead.server.competitions.selectors.contest_rows import key_of, load, pairing_of, rows_of
from crownhead.server.competitions.services import (
    appointments,
    finish,
    precompute,
    starting,
    unplayed,
)
from crownhead.server.competitions.services.precompute import Precomputed
from crownhead.server.core.events import emit
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.selectors.replay import draw_ballot
from crownhead.server.play.games.services.seating import start_game
from crownhead.server.teams.selectors.terms import is_live, options_of

KIND = "tournament"  # of ``play``'s contests
MAX_STEPS = 100  # per transaction: rounds of byes only follow one another at once
MAX_TURNS = 100  # transactions of one worker for one tournament
MAX_MISSES = 3  # of those transactions that found the tournament changed; a second later there is the next
MAX_BEGUN = 25  # games started in one transaction
WAVE = timedelta(seconds=5)  # how often an arena pairs free players


def advance_if_free(*, pk: int, now: datetime) -> bool:
    """Advance by a worker, unless another one is busy with it; return whether anything was due."""
    turns = misses = 0
    while turns < MAX_TURNS and misses < MAX_MISSES:
        turns += 1
        if _start_fresh_if_free(pk, now):
            continue
        done = _advance_if_free(pk, now)
        if done is None:
            break
        misses += not done
    return turns > 1


def _start_fresh_if_free(pk: int, now: datetime) -> bool:
    """Whether games were started that wait for nothing, before anything that takes long is computed."""
    with transaction.atomic():
        tournament = _locked_if_due(pk, now)
        if tournament is None or not format_of_tournament(tournament).ponders:
            return False
        return tournament.status == Status.RUNNING and _start_fresh_games(tournament, now) > 0


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
        is_used = _take_steps(tournament, now, precomputed)
    elif tournament.status == Status.ENTRY:
        starting.begin_if_due(tournament, now)
        if tournament.status == Status.RUNNING:
            tournament.due_at = now  # the next transaction pairs it
    tournament.save()
    return is_used


def _take_steps(tournament: Tournament, now: datetime, precomputed: Precomputed) -> bool:
    """Take steps until there is something to wait for, or enough for one transaction.

    Returns whether what was computed could be used; otherwise nothing is done.
    """
    precompute.close_if_due(tournament, now)
    ponders = format_of_tournament(tournament).ponders
    if ponders and not precomputed.still_holds(tournament):
        tournament.due_at = now
        return False
    for _ in range(1 if ponders else MAX_STEPS):
        fresh = _start_fresh_games(tournament, now)
        if fresh >= MAX_BEGUN or (fresh and ponders):
            break
        state = precomputed.contest or load(tournament)
        begun = start_due_games(tournament, state, now)
        if begun >= MAX_BEGUN or (begun and ponders):
            break
        if begun:
            state = load(tournament)
        step = precomputed.step or formats.next_step(state)
        tournament.rounds_planned = format_of_tournament(tournament).planned_rounds(state)
        if isinstance(step, Pair):
            is_wave = tournament.ends_at is not None
            wave = precompute.of_who_is_free(tournament, step) if is_wave else step
            if wave is not None:
                _store_round(tournament, wave, now)
        elif isinstance(step, Finished):
            finish.finish(tournament, step, now)
            return True
        else:
            _wait(tournament, step, state, now)
            return True
    tournament.due_at = now
    return True


def _wait(tournament: Tournament, step: Wait, state: ContestValue, now: datetime) -> None:
    """Store what the tournament waits for, and when to advance it again."""
    text = "" if step.why is WaitReason.GAMES else step.sentence
    if step.why is WaitReason.DIRECTOR and tournament.waiting_for != text:
        emit(about(DirectorNeeded, tournament, sentence=text))
    tournament.waiting_for = text[:200]
    moments = [moment for moment in _moments(tournament, state) if moment > now]
    if tournament.ends_at is not None and not tournament.closed:
        moments += [now + WAVE, *([tournament.ends_at] if tournament.ends_at > now else [])]
    tournament.due_at = min(moments, default=None)


def _moments(tournament: Tournament, state: ContestValue) -> list[datetime]:
    """When the waiting games of rounds with a break or with appointments start."""
    if not tournament.pause_minutes and tournament.appointment_days is None:
        return []
    due = {(number, pairing.table) for number, pairing in state.pairings() if pairing.due()}
    rows = Pairing.objects.filter(
        round__tournament=tournament, round__number__in={number for number, _ in due}, bye=""
    )
    waiting = (row for row in rows.select_related("round") if (row.round.number, row.table) in due)
    begins = (begins_at(row.round, row) for row in waiting)
    return [moment for moment in begins if moment is not None]


def start_due_games(tournament: Tournament, state: ContestValue, now: datetime) -> int:
    """Start the games that are due, up to ``MAX_BEGUN``; returns how many were started or decided.

    No game is started for somebody who has left. Unique constraints keep any from being started twice.
    """
    due = {
        (number, pairing.table): due_games
        for number, pairing in state.pairings()
        if (due_games := pairing.due())
    }
    if not due:
        return 0
    rows = Pairing.objects.filter(round__tournament=tournament, round__number__in={key[0] for key in due})
    return _start_those_of(tournament, rows.filter(bye="").order_by("round", "table"), due, now)


def _start_fresh_games(tournament: Tournament, now: datetime) -> int:
    """Start games of the latest round in pairings without any, like ``start_due_games`` does.

    The whole contest isn't loaded for them: it may have tens of thousands of games, and as many batches.
    """
    latest = Pairing.objects.filter(round__tournament=tournament, round__number=tournament.rounds_made)
    fresh = latest.filter(bye="", games=None, adjourned=False).order_by("table")[:MAX_BEGUN]
    due = {(tournament.rounds_made, row.table): pairing_of(row, ()).due() for row in fresh}
    tables = [table for _, table in due]
    return (
        _start_those_of(tournament, latest.filter(table__in=tables).order_by("table"), due, now) if due else 0
    )


def _start_those_of(
    tournament: Tournament,
    rows: QuerySet[Pairing],
    due: dict[tuple[int, int], tuple[PlannedGame, ...]],
    now: datetime,
) -> int:
    """Start those of the due games whose time has come, by round and table; returns how many."""
    games: list[tuple[Pairing, PlannedGame]] = []
    decided = 0
    live = is_live(tournament.terms)
    playing = _playing(tournament) if live else set()
    for row in rows.select_related("round", "first__user", "second__user"):
        wanted = due.get((row.round.number, row.table), ())
        if live:  # nobody plays two live games at once
            wanted = () if not playing.isdisjoint({row.first_id, row.second_id}) else wanted[:1]
        at = begins_at(row.round, row)
        if not wanted or at is None or at > now:
            continue
        without = unplayed.decide_without(tournament, row)
        if without is not None:
            decided += without
            continue
        loser = appointments.at_fault(row, now)
        if loser is not None and wanted[0].number == 1:
            decided += unplayed.decide(row, loser)
        else:
            games += [(row, planned) for planned in wanted]
            playing |= {row.first_id, row.second_id}
    games = games[:MAX_BEGUN]
    users = _users([row for row, _ in games])
    for row, planned in games:
        _start(tournament, row, planned, users, now)
    return len(games) + decided


def _playing(tournament: Tournament) -> set[int | None]:
    """The entrants with a game in progress, but for those that a director has adjourned."""
    open_games = PairingGame.objects.filter(
        pairing__round__tournament=tournament,
        pairing__adjourned=False,
        first_points=None,
        replaced=False,
    )
    pairs = open_games.values_list("pairing__first", "pairing__second")
    return {key for pair in pairs for key in pair}


def _start(
    tournament: Tournament, pairing: Pairing, planned: PlannedGame, users: dict[str, User], now: datetime
) -> None:
    attempts = PairingGame.objects.filter(pairing=pairing, number=planned.number).count()
    game = start_game(
        first=users[planned.first],
        second=users[planned.second],
        options=options_of(tournament.variant, tournament.terms),
        now=now,
        dice=secrets.SystemRandom(),
        opening=_opening(tournament, pairing.round.number, planned.ballot),
        contest=Contest(
            kind=KIND,
            key=f"{tournament.public_id}:r{pairing.round.number}:t{pairing.table}",
            name=tournament.name,
            link=reverse("competitions:tournament", args=[tournament.public_id]),
        ),
    )
    PairingGame.objects.create(
        pairing=pairing,
        number=planned.number,
        attempt=attempts + 1,
        swapped=planned.first != key_of(pairing.first_id),
        game_id=game.public_id,
    )


def _opening(tournament: Tournament, number: int, slot: int) -> int | None:
    """The ballot shared by some games; None if each draws its own."""
    if not slot:
        return None
    dice = random.Random(f"{tournament.dice}:{number}:{slot}")
    ballot = draw_ballot(variant_of(tournament.variant), dice)
    return None if ballot is None else ballot.number


def _users(pairings: list[Pairing]) -> dict[str, User]:
    """The users of these pairings by the keys of their entrants."""
    entrants = (entrant for pairing in pairings for entrant in (pairing.first, pairing.second) if entrant)
    return {key_of(entrant.pk): entrant.user for entrant in entrants}


def _store_round(tournament: Tournament, step: Pair, now: datetime) -> None:
    """Store a round; its games start at once, after a break, by appointment or on release."""
    number = step.round.number
    pause = timedelta(minutes=tournament.pause_minutes if number > 1 else 0)
    days = tournament.appointment_days
    row = Round.objects.create(
        tournament=tournament,
        number=number,
        made_at=now,
        starts_at=None if tournament.held_rounds else now + pause,
        deadline=None if days is None else now + timedelta(days=days),
    )
    Pairing.objects.bulk_create(rows_of(step.round, row))
    tournament.rounds_made, tournament.waiting_for = number, ""
    if row.starts_at is not None:
        announce_round(tournament, row, now)
    else:
        emit(about(RoundHeld, tournament, round=number))
    publish_change(tournament)


def announce_round(tournament: Tournament, row: Round, now: datetime) -> None:
    """Notify the players of a round of their pairings, once."""
    if row.told_at is not None or row.starts_at is None:
        return
    row.told_at = now
    row.save(update_fields=["told_at"])
    pairings = list(Pairing.objects.filter(round=row).select_related("first", "second").order_by("table"))
    players = tuple(
        entrant.user_id for pairing in pairings for entrant in (pairing.first, pairing.second) if entrant
    )
    if tournament.minutes is None:
        emit(about(RoundStarted, tournament, round=row.number, player_ids=players, starts_at=row.starts_at))
    for pairing in pairings:
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
