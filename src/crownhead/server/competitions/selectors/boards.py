"""What players at the boards of a tournament are told: of replays, of first moves, of the next opponent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from crownhead.server.competitions.models import Entrant, PairingGame, Status, Tournament

_PAIRING = re.compile(r"(?P<tournament>.+):r(?P<round>\d+):t(?P<table>\d+)")


@dataclass(frozen=True, slots=True)
class Before:
    """A game of a pairing: it doesn't count and is ``replaced``, or was the last one planned."""

    game_id: str
    replaced: bool


def before(key: str) -> Before | None:
    """The game that the next one of a pairing replays; None if there is none. ``key``: of its ``Contest``."""
    names = _PAIRING.fullmatch(key)
    if names is None:
        return None
    rows = PairingGame.objects.filter(
        pairing__round__tournament__public_id=names["tournament"],
        pairing__round__number=int(names["round"]),
        pairing__table=int(names["table"]),
    )
    games = list(rows.select_related("pairing").order_by("pk"))
    counting = {game.number for game in games if not game.replaced}
    for game in reversed(games):
        if game.number not in counting:
            return Before(game.game_id or "", replaced=True)
    if not games:
        return None
    latest, pairing = games[-1], games[-1].pairing
    planned_are_over = not pairing.wins and len(counting) >= pairing.planned
    return Before(latest.game_id or "", replaced=False) if planned_are_over else None


def no_show_minutes(tournament_id: str) -> int | None:
    """How many minutes a player has for the first move of a live game; None: as many as the clock gives."""
    rows = Tournament.objects.filter(public_id=tournament_id)
    return rows.values_list("no_show_minutes", flat=True).first()


def pairs_again(tournament_id: str, user_id: int, now: datetime) -> bool:
    """Whether the user is in an arena that will pair them again by itself."""
    arena = Tournament.objects.filter(
        public_id=tournament_id, status=Status.RUNNING, closed=False, ends_at__gt=now
    )
    return Entrant.objects.filter(tournament__in=arena, user=user_id, left=None, here=True).exists()
