"""A tournament goes on: rounds are paired, games begin, the end comes. The contest decides what.

``advance`` may be called at any time, as often as one likes and by several workers at once: it holds the
tournament's row, asks the contest what comes next, and a round or a game that is there is not made twice.
It takes one look after another, each a transaction of its own that is soon over: others want to write, too.

Rows are locked in one order everywhere, games before their tournament: who ends a game holds it and then
waits for the tournament. So nothing here touches a game that has begun.
"""

from __future__ import annotations

import random
import secrets
from datetime import datetime, timedelta

from django.db import transaction

from crownhead.contest import Contest as ContestValue
from crownhead.contest import Finished, Pair, Planned, Wait, Why
from crownhead.rules import variant_of
from crownhead.server.accounts import selectors as accounts
from crownhead.server.accounts.selectors import User
from crownhead.server.competitions.access import format_played, locked, locked_if_free, tell_pages
from crownhead.server.competitions.events import DirectorNeeded, Paired, RoundStarted, about
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Round, Status, Tournament
from crownhead.server.competitions.services import (
    appointments,
    contest_rows,
    finish,
    precompute,
    starting,
    unplayed,
)
from crownhead.server.competitions.services.precompute import Thought
from crownhead.server.core.events import emit
from crownhead.server.play.games.contests import Contest
from crownhead.server.play.games.replay import draw_ballot
from crownhead.server.play.games.seating import start_game
from crownhead.server.teams.services import terms

KIND = "tournament"  # of a contest, as games tell it
MOST_STEPS = 100  # in one go: rounds that are byes alone follow one another at once
MOST_LOOKS = 100  # of one worker at one tournament
MOST_BEGUN = 25  # games in one look
WAVE = timedelta(seconds=5)  # how often an arena looks for players who are free


def advance(*, tournament_id: str, now: datetime) -> None:
    """Do what is to be done in a tournament now; doing it again changes nothing."""
    with transaction.atomic():
        tournament = locked(tournament_id)
        _look(tournament, now, precompute.NOTHING)
    advance_if_free(pk=tournament.pk, now=now)


def advance_if_free(*, pk: int, now: datetime) -> bool:
    """The same by a worker, unless another one is at it; whether there was something to look at."""
    looks = 0
    while looks < MOST_LOOKS and _look_if_free(pk, now):
        looks += 1
    return looks > 0


def _look_if_free(pk: int, now: datetime) -> bool:
    thought = precompute.think(pk=pk, now=now)
    with transaction.atomic():
        tournament = locked_if_free(pk)
        if tournament is None or tournament.due_at is None or tournament.due_at > now:
            return False
        _look(tournament, now, thought)
    return True


def _look(tournament: Tournament, now: datetime, thought: Thought) -> None:
    tournament.due_at = None
    if tournament.status == Status.RUNNING:
        _go_on(tournament, now, thought)
    elif tournament.status == Status.ENTRY:
        starting.begin_if_due(tournament, now)
        if tournament.status == Status.RUNNING:
            tournament.due_at = now  # the next look pairs it
    tournament.save()


def _go_on(tournament: Tournament, now: datetime, thought: Thought) -> None:
    """Take step after step until there is something to wait for, or enough for one look."""
    if tournament.ends_at is not None and tournament.ends_at <= now:
        tournament.closed = True
    for _ in range(MOST_STEPS):
        state = contest_rows.load(tournament)
        begun = start_due_games(tournament, state, now)
        if begun >= MOST_BEGUN:
            break
        if begun:
            state = contest_rows.load(tournament)
        step = thought.next_step(state)
        tournament.rounds_planned = format_played(tournament).planned_rounds(state)
        if isinstance(step, Pair):
            _keep(tournament, step, now)
        elif isinstance(step, Finished):
            finish.finish(tournament, step, now)
            return
        else:
            _wait(tournament, step, state, now)
            return
    tournament.due_at = now


def _wait(tournament: Tournament, step: Wait, state: ContestValue, now: datetime) -> None:
    """Note for whom, and when to look again."""
    said = "" if step.why is Why.GAMES else step.sentence
    if step.why is Why.DIRECTOR and tournament.waiting_for != said:
        emit(about(DirectorNeeded, tournament, sentence=said))
    tournament.waiting_for = said[:200]
    moments = [moment for moment in _moments(tournament, state) if moment > now]
    if tournament.ends_at is not None:
        moments += [tournament.ends_at] if tournament.ends_at > now else []
        moments += [now + WAVE] if not tournament.closed else []
    tournament.due_at = min(moments, default=None)


def _moments(tournament: Tournament, state: ContestValue) -> list[datetime]:
    """When games begin that have not: those of rounds with a pause or with appointments."""
    if not tournament.pause_minutes and tournament.appointment_days is None:
        return []
    open_rounds = [made.number for made in state.rounds if not made.over]
    moments: list[datetime] = []
    for row in Round.objects.filter(tournament=tournament, number__in=open_rounds):
        waiting = Pairing.objects.filter(round=row, bye="", games=None)
        if row.starts_at is not None:
            moments += [begins_at(row, pairing) or row.starts_at for pairing in waiting]
    return moments


def begins_at(row: Round, pairing: Pairing) -> datetime | None:
    """When the games of a pairing begin; None while a director holds the round."""
    if row.starts_at is None:
        return None
    if row.deadline is None:
        return row.starts_at
    return pairing.starts_at or row.deadline


def start_due_games(tournament: Tournament, state: ContestValue, now: datetime) -> int:
    """Begin games that are due, as many as go into one look; how many began, or were decided.

    The round's row and the number of a game keep each from being begun twice.
    """
    due = {(number, pairing.table): found for number, pairing in state.pairings() if (found := pairing.due())}
    if not due:
        return 0
    rows = Pairing.objects.filter(round__tournament=tournament, round__number__in={key[0] for key in due})
    games: list[tuple[Pairing, Planned]] = []
    silent = 0
    for row in rows.filter(bye="").select_related("round", "first", "second").order_by("round", "table"):
        wanted = due.get((row.round.number, row.table), ())
        if wanted and terms.is_live(tournament.terms):  # nobody plays two live games at once
            going_on = PairingGame.objects.filter(pairing=row, first_points=None, replaced=False)
            wanted = () if going_on.exists() else wanted[:1]
        at = begins_at(row.round, row)
        if not wanted or at is None or at > now:
            continue
        loser = appointments.at_fault(row, now)
        if loser is not None and wanted[0].number == 1:
            silent += unplayed.decide(row, loser)
        else:
            games += [(row, planned) for planned in wanted]
    games = games[:MOST_BEGUN]
    users = _users(tournament, [row for row, _ in games])
    for row, planned in games:
        _start(tournament, row, planned, users, now)
    return len(games) + silent


def _start(
    tournament: Tournament, pairing: Pairing, planned: Planned, users: dict[str, User], now: datetime
) -> None:
    attempts = PairingGame.objects.filter(pairing=pairing, number=planned.number).count()
    game = start_game(
        first=users[planned.first],
        second=users[planned.second],
        options=terms.options_of(tournament.variant, tournament.terms),
        now=now,
        dice=secrets.SystemRandom(),
        opening=_opening(tournament, pairing.round.number, planned.ballot),
        contest=Contest(
            kind=KIND,
            key=f"{tournament.public_id}:r{pairing.round.number}:t{pairing.table}",
            name=tournament.name,
            link=f"/tournaments/{tournament.public_id}/",
        ),
    )
    PairingGame.objects.create(
        pairing=pairing,
        number=planned.number,
        attempt=attempts + 1,
        swapped=planned.first != contest_rows.key_of(pairing.first_id),
        game_id=game.public_id,
    )


def _opening(tournament: Tournament, number: int, slot: int) -> int | None:
    """The ballot of games that share one; None: each draws its own."""
    if not slot:
        return None
    dice = random.Random(f"{tournament.dice}:{number}:{slot}")
    ballot = draw_ballot(variant_of(tournament.variant), dice)
    return None if ballot is None else ballot.number


def _users(tournament: Tournament, pairings: list[Pairing]) -> dict[str, User]:
    """The people at the boards, by the keys of their entrants."""
    keys = {key for pairing in pairings for key in (pairing.first_id, pairing.second_id) if key}
    places = dict(Entrant.objects.filter(tournament=tournament, pk__in=keys).values_list("pk", "user_id"))
    people = accounts.players(places.values())
    return {contest_rows.key_of(pk): people[user] for pk, user in places.items()}


def _keep(tournament: Tournament, step: Pair, now: datetime) -> None:
    """Keep a round; its games begin at once, after the pause, by appointment, or when a director says so."""
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
    Pairing.objects.bulk_create(contest_rows.rows_of(step.round, row))
    tournament.rounds_made, tournament.waiting_for = number, ""
    if row.starts_at is not None:
        tell_round(tournament, row, now)
    else:
        emit(
            about(DirectorNeeded, tournament, sentence=f"Round {number} is paired and waits for its release.")
        )
    tell_pages(tournament)


def tell_round(tournament: Tournament, row: Round, now: datetime) -> None:
    """Tell everybody in a round whom he meets; once."""
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
