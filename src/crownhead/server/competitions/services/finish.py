"""Finishing a tournament: places are stored and trophies awarded."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, OuterRef

from crownhead.contest import Finished
from crownhead.server.competitions.access import publish_change, publish_list_change
from crownhead.server.competitions.models import (
    Entrant,
    FinalTables,
    Pairing,
    PairingGame,
    Status,
    Tournament,
    Trophy,
)
from crownhead.server.competitions.selectors import standings
from crownhead.server.competitions.selectors.final_tables import FORM, written
from crownhead.server.competitions.services import telling
from crownhead.server.core.background.one_by_one import one_by_one
from crownhead.server.core.queries.rows import update_all

MAX_CHOSEN_FROM = 10_000  # tournaments
MAX_STORED = 100  # tournaments whose tables one run stores; those of a large one take a second


def finish(tournament: Tournament, step: Finished, now: datetime, *, is_current: bool) -> None:
    """Finish a locked tournament as the contest says, and tell the first players; a worker tells the others.

    That some are told here shows to come back to the others: an older version beside knows nothing of them.
    The tables are stored if nothing has changed since the contest was read; else a job does it.
    """
    tournament.status, tournament.ended_at = Status.FINISHED, now
    tournament.waiting_for, tournament.told = "", 0
    tournament.winners = [int(key) for key in step.winners]
    entrants = {str(row.pk): row for row in Entrant.objects.filter(tournament=tournament)}
    placed: list[Entrant] = []
    for row in step.tables[0].rows:
        entrant = entrants[row.player]
        entrant.place, entrant.points = row.place, row.points
        placed.append(entrant)
    update_all(placed, changed=("place", "points"))
    _award(tournament, placed, now)
    tournament.due_at = None if telling.tell_end(tournament) else now
    publish_list_change()
    publish_change(tournament)
    if is_current:
        pairings = Pairing.objects.filter(round__tournament=tournament)
        games = PairingGame.objects.filter(pairing__round__tournament=tournament, replaced=False)
        FinalTables.keep(tournament, **written(step.tables, max(pairings.count(), games.count())))


def store_missing_tables() -> int:
    """Store the tables of some tournaments that ended in an older version, or changed in some way since.

    Readers would compute them, and write nothing. Returns how many.
    """
    good = FinalTables.objects.filter(tournament=OuterRef("pk"), version=OuterRef("version"), form=FORM)
    over = Tournament.objects.filter(status=Status.FINISHED, rounds_made__gt=0)
    lacking = list(over.filter(~Exists(good)).order_by("-id").values_list("pk", flat=True)[:MAX_CHOSEN_FROM])
    keys = random.sample(lacking, min(len(lacking), MAX_STORED))  # none that fails holds up the others
    return one_by_one(keys, _store_tables, failing="the tables of tournament %s cannot be stored")


def _store_tables(key: int) -> int:
    tournament = Tournament.objects.get(pk=key)
    standing = standings.computed(tournament)
    FinalTables.keep(tournament, **written(standing.tables, standings.size_of(standing.contest)))
    return 1


def _award(tournament: Tournament, placed: Iterable[Entrant], now: datetime) -> None:
    """Award the trophies of the places; players who share a place all get it."""
    trophies = [
        Trophy(
            tournament=tournament,
            user_id=entrant.user_id,
            name=tournament.prizes[entrant.place - 1],
            place=entrant.place,
            won_at=now,
        )
        for entrant in placed
        if entrant.left is None and entrant.place is not None and entrant.place <= len(tournament.prizes)
    ]
    Trophy.objects.bulk_create(trophies, ignore_conflicts=True)
