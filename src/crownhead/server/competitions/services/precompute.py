"""Computing the next step of a contest before the tournament is locked: pairing many players takes seconds.

Once it is locked, the step is taken only if nothing has changed that it follows from; otherwise it is
computed once more, and others can write meanwhile. Who leaves while a round is paired is paired, as if they
left just after.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from multiprocessing import get_context

from crownhead.contest import Contest, ContestError, Pair, formats
from crownhead.contest.model import Step
from crownhead.server.competitions.access import format_of_tournament
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Status, Tournament
from crownhead.server.competitions.selectors.contest_rows import key_of, load

MOST_GAMES = 5_000  # of an arena, which then ends as if its time were up: each wave looks at all of them
IN_A_PROCESS = 100  # players from whom on a pairing is computed in a process of its own
_GAMES = ("pk", "first_points", "second_points", "how", "replaced")
_PAIRINGS = ("pk", "first", "second", "wins", "bye", "adjourned")

Mark = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Precomputed:
    """A contest and its next step, None if there is an error to raise; empty if the step is quick anyway."""

    contest: Contest | None = None
    step: Step | None = None
    mark: Mark = ()

    def still_holds(self, tournament: Tournament) -> bool:
        """Whether the step still follows from the tournament, which is locked."""
        return self.mark == _mark_of(tournament)


NOTHING = Precomputed()


def next_step_of(*, pk: int, now: datetime) -> Precomputed:
    """Compute the next step of a running tournament that is due, if its pairing is slow."""
    tournament = Tournament.objects.filter(pk=pk, due_at__lte=now, status=Status.RUNNING).first()
    if tournament is None or not format_of_tournament(tournament).ponders:
        return NOTHING
    close_if_due(tournament, now)
    mark = _mark_of(tournament)
    contest = load(tournament)
    try:
        return Precomputed(contest, _next_step(contest), mark)
    except ContestError:
        return Precomputed(contest, None, mark)  # raised again under the lock, and handled there


def close_if_due(tournament: Tournament, now: datetime) -> None:
    """Let an arena pair nobody any more once its time is up, or it has very many games."""
    if tournament.ends_at is None or tournament.closed:
        return
    is_full = Pairing.objects.filter(round__tournament=tournament).count() >= MOST_GAMES
    tournament.closed = is_full or tournament.ends_at <= now


def without_who_has_gone(step: Pair) -> Pair | None:
    """The pairs of an arena's wave of whom both are still there; None without any."""
    keys = {key for pairing in step.round.pairings for key in pairing.players}
    rows = Entrant.objects.filter(pk__in=map(int, keys), here=True, left=None)
    there = set(map(key_of, rows.values_list("pk", flat=True)))
    kept = tuple(pairing for pairing in step.round.pairings if there.issuperset(pairing.players))
    return Pair(replace(step.round, pairings=kept)) if kept else None


def _mark_of(tournament: Tournament) -> Mark:
    """What is other than before once something has changed that the next step follows from.

    A wave of an arena only needs to be the next one: results change while it is made, and matter little.
    """
    mark: Mark = (tournament.rounds_made, tournament.closed)
    if format_of_tournament(tournament).timed and not tournament.closed:
        return mark
    games = PairingGame.objects.filter(pairing__round__tournament=tournament)
    pairings = Pairing.objects.filter(round__tournament=tournament)
    return (
        *mark,
        tuple(games.order_by("pk").values_list(*_GAMES)),
        tuple(pairings.order_by("pk").values_list(*_PAIRINGS)),
    )


def _next_step(contest: Contest) -> Step:
    """The step; of many players in another process, whose compiled code lets no thread of it go on."""
    if formats.format_of(contest.format).timed or len(contest.players) < IN_A_PROCESS:
        return formats.next_step(contest)
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=os.nice, initargs=(10,)) as process:
        return process.submit(formats.next_step, contest).result()
