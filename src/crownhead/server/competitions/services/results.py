"""The end of a game counts in its tournament, in the game's own transaction."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from crownhead.contest import ResultKind
from crownhead.rules import Termination
from crownhead.server.competitions.access import tell_pages
from crownhead.server.competitions.models import Entrant, PairingGame, Status, Tournament
from crownhead.server.play.choices import FORFEIT
from crownhead.server.play.events import GameEnded

MOST_ATTEMPTS = 3  # at one game: one that counts for nothing is played again, but not for ever


def count(event: GameEnded) -> None:
    """Note the result of a game; one without any is played again."""
    row = _row(event.game_id)
    if row is None or row.replaced or row.first_points is not None:
        return
    if event.half_points is None:
        _without_result(row)
    else:
        row.first_points, row.second_points = event.half_points
        row.how = how(event).value
        row.save(update_fields=["first_points", "second_points", "how"])
    wake(row.pairing.round.tournament, event.seen_at)


def annul(*, game_id: str, now: datetime) -> None:
    """A game that was over counts for nothing: it is played again while its round is the latest one."""
    row = _row(game_id)
    if row is None or row.replaced:
        return
    tournament = row.pairing.round.tournament
    if tournament.status != Status.RUNNING:
        return
    if row.pairing.round.number == tournament.rounds_made:
        _without_result(row)
    else:
        set_aside(row)
    wake(tournament, now)


def how(event: GameEnded) -> ResultKind:
    """On what the points rest. Who lost by not playing has lost no game: it counts as a forfeit."""
    if event.termination == FORFEIT or (event.annulled and event.winner is not None):
        return ResultKind.FORFEIT
    return ResultKind.ADJUDICATED if event.termination == Termination.ADJUDICATION else ResultKind.PLAYED


def set_aside(row: PairingGame) -> None:
    """A game counts for nothing, and is not played again."""
    row.first_points, row.second_points, row.how = 0, 0, ResultKind.ANNULLED.value
    row.save(update_fields=["first_points", "second_points", "how"])


def wake(tournament: Tournament, now: datetime) -> None:
    """Have a worker look at a running tournament, and open pages fetch what is new."""
    Tournament.objects.filter(pk=tournament.pk, status=Status.RUNNING).update(due_at=now)
    tell_pages(tournament)


def _without_result(row: PairingGame) -> None:
    if row.attempt >= MOST_ATTEMPTS:
        set_aside(row)
        return
    row.replaced, row.first_points, row.second_points = True, None, None
    row.save(update_fields=["replaced", "first_points", "second_points"])


def _row(game_id: str) -> PairingGame | None:
    rows = PairingGame.objects.select_related("pairing__round__tournament")
    return rows.filter(game_id=game_id).first()


def annul_open_games(entrant: Entrant) -> None:
    """The games of a place that go on, or were just called off, are to be played anew."""
    rows = PairingGame.objects.filter(
        Q(pairing__first=entrant) | Q(pairing__second=entrant), replaced=False, first_points=None
    )
    rows.update(replaced=True)
