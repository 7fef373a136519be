"""Finishing a tournament: places are stored and trophies awarded."""

from __future__ import annotations

from datetime import datetime

from crownhead.contest import Finished
from crownhead.server.competitions.access import publish_change
from crownhead.server.competitions.events import TournamentFinished, TrophyWon, about
from crownhead.server.competitions.models import Entrant, Status, Tournament, Trophy
from crownhead.server.core.events import emit
from crownhead.server.core.queries.rows import update_all


def finish(tournament: Tournament, step: Finished, now: datetime) -> None:
    """Finish a locked tournament with the contest's final tables."""
    tournament.status, tournament.ended_at, tournament.due_at = Status.FINISHED, now, None
    tournament.waiting_for = ""
    entrants = {str(row.pk): row for row in Entrant.objects.filter(tournament=tournament)}
    placed: list[Entrant] = []
    for row in step.tables[0].rows:
        entrant = entrants[row.player]
        entrant.place, entrant.points = row.place, row.points
        placed.append(entrant)
    update_all(placed, changed=("place", "points"))
    winners = tuple(entrants[key].user_id for key in step.winners)
    emit(
        about(
            TournamentFinished,
            tournament,
            player_ids=tuple(entrant.user_id for entrant in entrants.values()),
            winner_ids=winners,
        )
    )
    for entrant in placed:
        if entrant.left is None:
            _reward(tournament, entrant, now)
    publish_change(tournament)


def _reward(tournament: Tournament, entrant: Entrant, now: datetime) -> None:
    """Award the trophy of a place to an entrant; players who share a place all get it."""
    if entrant.place is None or entrant.place > len(tournament.prizes):
        return
    name = tournament.prizes[entrant.place - 1]
    _, made = Trophy.objects.get_or_create(
        tournament=tournament,
        user_id=entrant.user_id,
        defaults={"name": name, "place": entrant.place, "won_at": now},
    )
    if made:
        emit(about(TrophyWon, tournament, user_id=entrant.user_id, trophy=name, place=entrant.place))
