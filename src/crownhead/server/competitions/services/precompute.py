"""Computing the next step of a contest before the tournament is locked: pairing many players takes seconds.

Once it is locked, the step is taken only if nothing has changed that it follows from; otherwise it is
computed once more, and others can write meanwhile. Who leaves while a round is paired is paired, as if they
left just after. If players keep a round from being paired by what they ask for, it counts for the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from crownhead.contest import Bye, Contest, Pair, Wait, WaitReason, formats
from crownhead.contest.model import Round, Step
from crownhead.server.competitions.access import format_of_tournament
from crownhead.server.competitions.models import Entrant, Pairing, PairingGame, Status, Tournament
from crownhead.server.competitions.selectors.contest_rows import key_of, load, load_schedule
from crownhead.server.competitions.selectors.waiting import due_tournament, is_unfinished
from crownhead.server.core.background.elsewhere import Computation, LostProcess

# An arena with more games than both ends as if its time were up: each wave looks at all of them.
MOST_GAMES = 5_000
MOST_GAMES_EACH = 10  # for each player
MOST_PROCESSES = 2  # at once
MOST_TRIES = 2  # of processes that are killed; then it is computed here
MOST_IN_VAIN = 2  # pairings of a round that players undo by what they ask for meanwhile
IN_A_PROCESS = 100  # players from whom on a pairing is computed in a process of its own
_GAMES = ("pk", "first_points", "second_points", "how", "replaced")
_PAIRINGS = ("pk", "first", "second", "wins", "bye", "adjourned")


@dataclass(frozen=True, slots=True)
class Mark:
    """What is other than before once something has changed that the next step follows from.

    ``asked``: the players, and who of them wants a bye in the next round. Who has left is no part of it.
    """

    facts: tuple[object, ...] = ()
    asked: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Precomputed:
    """The next step of a contest, and how many rounds are planned; no step if it is not running.

    ``look``: how to see what it follows from. ``version``: of the tournament before it was read. ``is_last``:
    what players have asked for since doesn't count for this round.
    """

    step: Step | None
    planned: int | None
    look: Callable[[Tournament], Mark]
    mark: Mark
    version: int
    is_last: bool = False

    def still_holds(self, tournament: Tournament) -> bool:
        """Whether the step still follows from the tournament, which is locked."""
        if self.step is None:
            return False
        is_idle = tournament.ends_at is None or tournament.closed  # no wave wakes it
        if is_idle and isinstance(self.step, Wait) and self.version != tournament.version:
            return False  # what has happened since would wait for something else to happen
        mark = self.look(tournament)
        if mark == self.mark or (self.is_last and mark.facts == self.mark.facts):
            return True
        if mark.facts == self.mark.facts:
            _in_vain[tournament.pk] = tournament.rounds_made, _times_in_vain(tournament) + 1
        return False


NOTHING = Precomputed(None, None, lambda _tournament: Mark(), Mark(), 0)


@dataclass(frozen=True, slots=True)
class _Begun:
    """What another process computes: the step of a contest, which is all that ``result`` lacks."""

    contest: Contest
    result: Precomputed
    computation: Computation[Step]
    tries: int = 1


_begun: dict[int, _Begun] = {}  # by tournament
_in_turn: list[int] = []  # tournaments that wait for a process
_in_vain: dict[int, tuple[int, int]] = {}  # by tournament: after which round, and how often


def next_step_of(*, pk: int, now: datetime) -> Precomputed | None:
    """Compute the next step of a tournament that is due, if it is running.

    None while another process does: ask again later. Raises ``ContestError`` if there is no next step.
    """
    tournament = due_tournament(pk, now)
    if tournament is None:
        return NOTHING
    if pk in _begun:
        return _finished(pk)
    close_if_due(tournament, now)
    return _without_results(tournament) or _with_results(tournament)


def stop_unwanted(now: datetime) -> None:
    """Stop computing for tournaments that are no longer due: others have advanced or ended them."""
    known = {*_begun, *_in_turn, *_in_vain}
    if not known:
        return
    wanted = Tournament.objects.filter(pk__in=known, due_at__lte=now, status=Status.RUNNING)
    for pk in known - set(wanted.values_list("pk", flat=True)):
        _in_vain.pop(pk, None)
        if pk in _in_turn:
            _in_turn.remove(pk)
        if pk in _begun:
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


def put_off(tournament: Tournament, made: Round) -> None:
    """Let what players asked for while a round was paired for the last time count from the next one on."""
    _in_vain.pop(tournament.pk, None)
    there = {key for pairing in made.pairings for key in pairing.players}
    playing = {
        key
        for pairing in made.pairings
        for key in pairing.players
        if pairing.bye not in (Bye.ASKED, Bye.ABSENT)
    }
    for entrant in Entrant.objects.filter(tournament=tournament, left=None):
        key = key_of(entrant.pk)
        if key in playing and made.number in entrant.off:
            entrant.off = sorted({*entrant.off, made.number + 1} - {made.number})
            entrant.save(update_fields=["off"])
        if key not in there and entrant.entered == made.number:
            entrant.entered = made.number + 1
            entrant.save(update_fields=["entered"])


def _without_results(tournament: Tournament) -> Precomputed | None:
    """The next step if it follows without the results, of which a large contest has thousands."""
    kind, made = format_of_tournament(tournament), tournament.rounds_made
    if kind.timed:
        return None
    overlaps = kind.overlaps(tournament.options)
    is_open = made > 0 and not overlaps and is_unfinished(tournament, latest=True)
    is_planned = tournament.rounds_planned is None or made < tournament.rounds_planned
    if kind.scheduled and is_planned and not is_open and not tournament.closed:
        begun = _begin(tournament, _look_at_schedule if overlaps else _look_at_version)
        contest = load_schedule(tournament)
        step = formats.next_step(contest)
        if isinstance(step, Pair):
            return replace(begun, step=step, planned=kind.planned_rounds(contest))
    if is_open or (made and overlaps and is_unfinished(tournament, latest=False)):
        wait = Wait(WaitReason.GAMES, "")
        return replace(_begin(tournament, _look_at_version), step=wait, planned=tournament.rounds_planned)
    return None


def _with_results(tournament: Tournament) -> Precomputed | None:
    """The next step of the whole contest; None if another process computes it, or will."""
    kind = format_of_tournament(tournament)
    look = _look_at_results if kind.ponders else _look_at_version
    begun = _begin(tournament, _look_at_wave if kind.timed and not tournament.closed else look)
    contest = load(tournament)
    if _takes_long(contest):
        if not _is_its_turn(tournament.pk):
            return None
        try:
            computation = Computation(formats.next_step, contest)
        except LostProcess:
            pass
        else:
            _begun[tournament.pk] = _Begun(contest, begun, computation)
            return None
    return _completed(begun, contest, formats.next_step(contest))


def _begin(tournament: Tournament, look: Callable[[Tournament], Mark]) -> Precomputed:
    """What is known before the contest is read: nothing that changes afterwards is missed."""
    is_last = _times_in_vain(tournament) >= MOST_IN_VAIN
    return Precomputed(None, None, look, look(tournament), tournament.version, is_last)


def _completed(begun: Precomputed, contest: Contest, step: Step) -> Precomputed:
    """With the step, and the rounds that are planned once it is taken."""
    after = replace(contest, rounds=(*contest.rounds, step.round)) if isinstance(step, Pair) else contest
    return replace(begun, step=step, planned=formats.format_of(contest.format).planned_rounds(after))


def _times_in_vain(tournament: Tournament) -> int:
    after, times = _in_vain.get(tournament.pk, (0, 0))
    return times if after == tournament.rounds_made else 0


def _look_at_schedule(tournament: Tournament) -> Mark:
    return Mark((tournament.rounds_made, tournament.closed))


def _look_at_wave(tournament: Tournament) -> Mark:
    """Results change while a wave is made, and matter little."""
    return Mark((tournament.rounds_made, tournament.closed))


def _look_at_version(tournament: Tournament) -> Mark:
    """It changes with the results, and with whatever players and directors do."""
    return Mark((tournament.rounds_made, tournament.closed, tournament.version))


def _look_at_results(tournament: Tournament) -> Mark:
    games = PairingGame.objects.filter(pairing__round__tournament=tournament)
    pairings = Pairing.objects.filter(round__tournament=tournament)
    rows = Entrant.objects.filter(tournament=tournament).order_by("pk").values_list("pk", "entered", "off")
    return Mark(
        (
            tournament.rounds_made,
            tournament.closed,
            tuple(games.order_by("pk").values_list(*_GAMES)),
            tuple(pairings.order_by("pk").values_list(*_PAIRINGS)),
        ),
        tuple((key, entered, tournament.rounds_made + 1 in off) for key, entered, off in rows),
    )


def _takes_long(contest: Contest) -> bool:
    """Whether many players are to be paired by compiled code, for which no thread would go on here."""
    kind = formats.format_of(contest.format)
    is_wait = contest.rounds and not contest.rounds[-1].passed
    return kind.ponders and not (is_wait or kind.timed or len(contest.players) < IN_A_PROCESS)


def _is_its_turn(pk: int) -> bool:
    """Whether there is a process for a tournament, and nobody waits who asked earlier."""
    if pk not in _in_turn:
        _in_turn.append(pk)
    if pk not in _in_turn[: max(MOST_PROCESSES - len(_begun), 0)]:
        return False
    _in_turn.remove(pk)
    return True


def _finished(pk: int) -> Precomputed | None:
    """What has been computed; None while it is. A process that was killed is started once more."""
    if not _begun[pk].computation.is_over:
        return None
    begun = _begun.pop(pk)
    try:
        step = begun.computation.result()
    except LostProcess:
        if begun.tries < MOST_TRIES:
            computation = Computation(formats.next_step, begun.contest)
            _begun[pk] = replace(begun, computation=computation, tries=MOST_TRIES)
            return None
        step = formats.next_step(begun.contest)
    return _completed(begun.result, begun.contest, step)
