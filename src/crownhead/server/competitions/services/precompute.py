"""Computing the next step of a contest before the tournament is locked: pairing many players takes seconds.

Once it is locked, the step is taken only if nothing has changed that it follows from; otherwise it is
computed once more, and others can write meanwhile. Who leaves while a round is paired is paired, as if they
left just after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from crownhead.contest import Contest, Pair, formats
from crownhead.contest.model import Step
from crownhead.server.competitions.access import format_of_tournament
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Status, Tournament
from crownhead.server.competitions.selectors.contest_rows import key_of, load
from crownhead.server.core.background.elsewhere import Computation, LostProcess

# An arena with more games than both ends as if its time were up: each wave looks at all of them.
MOST_GAMES = 5_000
MOST_GAMES_EACH = 10  # for each player
MOST_PROCESSES = 2  # at once
MOST_TRIES = 2  # of processes that are killed; then it is computed here
IN_A_PROCESS = 100  # players from whom on a pairing is computed in a process of its own
_GAMES = ("pk", "first_points", "second_points", "how", "replaced")
_PAIRINGS = ("pk", "first", "second", "wins", "bye", "adjourned")
_ENTRANTS = ("pk", "entered", "off")  # who has left is paired as if they left just after

Mark = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Precomputed:
    """A contest and its next step; empty if the step is quick anyway."""

    contest: Contest | None = None
    step: Step | None = None
    mark: Mark = ()

    def still_holds(self, tournament: Tournament) -> bool:
        """Whether the step still follows from the tournament, which is locked."""
        return self.mark == _mark_of(tournament)


NOTHING = Precomputed()


@dataclass(frozen=True, slots=True)
class _Begun:
    """What another process computes, of which contest, and what would tell that it has changed."""

    contest: Contest
    mark: Mark
    computation: Computation[Step]
    tries: int = 1


_begun: dict[int, _Begun] = {}  # by tournament


def next_step_of(*, pk: int, now: datetime) -> Precomputed | None:
    """Compute the next step of a running tournament that is due, if its pairing is slow.

    None while another process does: ask again later. Raises ``ContestError`` if there is no next step.
    """
    tournament = Tournament.objects.filter(pk=pk, due_at__lte=now, status=Status.RUNNING).first()
    if tournament is None or not format_of_tournament(tournament).ponders:
        return NOTHING
    if pk in _begun:
        return _finished(pk)
    close_if_due(tournament, now)
    mark = _mark_of(tournament)
    contest = load(tournament)
    if not _takes_long(contest):
        return Precomputed(contest, formats.next_step(contest), mark)
    if len(_begun) < MOST_PROCESSES:
        try:
            _begun[pk] = _Begun(contest, mark, Computation(formats.next_step, contest))
        except LostProcess:
            return Precomputed(contest, formats.next_step(contest), mark)
    return None


def stop_unwanted(now: datetime) -> None:
    """Stop computing for tournaments that are no longer due: others have advanced or ended them."""
    if _begun:
        wanted = Tournament.objects.filter(pk__in=[*_begun], due_at__lte=now, status=Status.RUNNING)
        for pk in _begun.keys() - set(wanted.values_list("pk", flat=True)):
            _begun.pop(pk).computation.stop()


def close_if_due(tournament: Tournament, now: datetime) -> None:
    """Let an arena pair nobody any more once its time is up, or it has very many games."""
    if tournament.ends_at is None or tournament.closed:
        return
    most = max(MOST_GAMES, MOST_GAMES_EACH * tournament.size)
    is_full = Pairing.objects.filter(round__tournament=tournament).count() >= most
    tournament.closed = is_full or tournament.ends_at <= now


def of_who_is_free(tournament: Tournament, step: Pair) -> Pair | None:
    """The pairs of an arena's wave of whom both are still there and have no game; None without any."""
    keys = [int(key) for pairing in step.round.pairings for key in pairing.players]
    rows = Entrant.objects.filter(pk__in=keys, here=True, left=None)
    there = set(map(key_of, rows.values_list("pk", flat=True)))
    counted = PairingGame.objects.filter(pairing=OuterRef("pk"), replaced=False, first_points__isnull=False)
    open_pairings = Pairing.objects.filter(~Exists(counted), round__tournament=tournament)
    theirs = open_pairings.filter(Q(first__in=keys) | Q(second__in=keys)).values_list("first", "second")
    there.difference_update(key_of(key) for pair in theirs for key in pair if key is not None)
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
    entrants = Entrant.objects.filter(tournament=tournament)
    return (
        *mark,
        tuple(games.order_by("pk").values_list(*_GAMES)),
        tuple(pairings.order_by("pk").values_list(*_PAIRINGS)),
        tuple(entrants.order_by("pk").values_list(*_ENTRANTS)),
    )


def _takes_long(contest: Contest) -> bool:
    """Whether many players are to be paired by compiled code, for which no thread would go on here."""
    is_wait = contest.rounds and not contest.rounds[-1].passed
    is_small = formats.format_of(contest.format).timed or len(contest.players) < IN_A_PROCESS
    return not (is_wait or is_small)


def _finished(pk: int) -> Precomputed | None:
    """What has been computed; None while it is. A process that was killed is started once more."""
    if not _begun[pk].computation.is_over:
        return None
    begun = _begun.pop(pk)
    try:
        step = begun.computation.result()
    except LostProcess:
        if begun.tries < MOST_TRIES:
            again = _Begun(
                begun.contest, begun.mark, Computation(formats.next_step, begun.contest), MOST_TRIES
            )
            _begun[pk] = again
            return None
        step = formats.next_step(begun.contest)
    return Precomputed(begun.contest, step, begun.mark)
