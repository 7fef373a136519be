"""Counting games in their tournament, in the transaction that ends the game.

The tournament is written first, and so held before its players and pairings: who has it locks those later.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Case, F, Q, Value, When

from crownhead.contest import ResultKind
from crownhead.rules import Termination
from crownhead.server.competitions.access import format_of_tournament, publish_change
from crownhead.server.competitions.events import Paused, about
from crownhead.server.competitions.models import Entrant, PairingGame, Status, Tournament
from crownhead.server.core.events import emit
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.events import GameEnded

MANY_WAVES = 100
MAX_ATTEMPTS = 3  # per game: one without a result is replayed, but not for ever


def count(event: GameEnded) -> None:
    """Count the result of a game; a game without one is replayed.

    After one that a substitute replays already, or does not, its players are free.
    """
    row = _row(event.game_id)
    if row is None:
        return
    wake(row.pairing.round.tournament, event.seen_at)
    if row.replaced or row.first_points is not None:
        return
    if event.half_points is None:
        _without_result(row)
    else:
        row.first_points, row.second_points = event.half_points
        row.how = how(event).value
        row.save(update_fields=["first_points", "second_points", "how"])
        _pause_absent(row.pairing.round.tournament, event)


def annul(*, game_id: str, now: datetime) -> None:
    """Annul a finished game: it is replayed while its round is the latest one."""
    row = _row(game_id)
    if row is None or row.replaced:
        return
    tournament = row.pairing.round.tournament
    if tournament.status != Status.RUNNING:
        return
    wake(tournament, now)
    if row.pairing.round.number == tournament.rounds_made:
        _without_result(row)
    else:
        set_aside(row)


def how(event: GameEnded) -> ResultKind:
    """How the points came about; a loss without play counts as a forfeit."""
    if event.termination == FORFEIT or (event.annulled and event.winner is not None):
        return ResultKind.FORFEIT
    return ResultKind.ADJUDICATED if event.termination == Termination.ADJUDICATION else ResultKind.PLAYED


def set_aside(row: PairingGame) -> None:
    """Annul a game that is not replayed."""
    row.first_points, row.second_points, row.how = 0, 0, ResultKind.ANNULLED.value
    row.save(update_fields=["first_points", "second_points", "how"])


def wake(tournament: Tournament, now: datetime) -> None:
    """Let a worker advance a running tournament, and open pages refresh.

    An arena with many waves is advanced by the next one, a few seconds later.
    """
    running = Tournament.objects.filter(pk=tournament.pk, status=Status.RUNNING)
    due_at: datetime | Case = now
    if format_of_tournament(tournament).timed and tournament.rounds_made > MANY_WAVES:
        # No condition of the rows: they may be held by a worker, who is about to change it.
        due_at = Case(When(Q(due_at=None) | Q(closed=True), then=Value(now)), default=F("due_at"))
    running.update(due_at=due_at)
    publish_change(tournament)


def _pause_absent(tournament: Tournament, event: GameEnded) -> None:
    """In an arena, players who did not come are paired again once they resume, as they are told.

    Once its time is up, nobody is paired.
    """
    if how(event) is not ResultKind.FORFEIT or not format_of_tournament(tournament).timed:
        return
    absent = {event.first_id, event.second_id}
    if event.winner is not None:
        absent.discard(event.first_id if event.winner == "first" else event.second_id)
    rows = Entrant.objects.filter(tournament=tournament, user__in=absent, here=True, left=None)
    paused = tuple(rows.values_list("user_id", flat=True))
    rows.update(here=False)
    goes_on = tournament.ends_at is not None and tournament.ends_at > event.seen_at
    if paused and goes_on and not tournament.closed:
        emit(about(Paused, tournament, player_ids=paused))


def _without_result(row: PairingGame) -> None:
    """Let a game be played again, unless it was too often."""
    if row.attempt >= MAX_ATTEMPTS:
        set_aside(row)
        return
    row.replaced, row.first_points, row.second_points = True, None, None
    row.save(update_fields=["replaced", "first_points", "second_points"])


def _row(game_id: str) -> PairingGame | None:
    rows = PairingGame.objects.select_related(
        "pairing__round__tournament", "pairing__first", "pairing__second"
    )
    return rows.filter(game_id=game_id).first()


def annul_open_games(entrant: Entrant) -> None:
    """Mark an entrant's open games as replaced, so that they are replayed, unless they were too often."""
    rows = PairingGame.objects.filter(
        Q(pairing__first=entrant) | Q(pairing__second=entrant), replaced=False, first_points=None
    )
    given_up = rows.filter(attempt__gte=MAX_ATTEMPTS)
    given_up.update(first_points=0, second_points=0, how=ResultKind.ANNULLED.value)
    rows.update(replaced=True)
