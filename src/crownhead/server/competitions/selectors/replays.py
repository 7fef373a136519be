"""What players of a tournament are told when a game begins: whether it is a replay, and when it is lost."""

from __future__ import annotations

import re
from dataclasses import dataclass

from crownhead.server.competitions.models import PairingGame, Tournament

_PAIRING = re.compile(r"(?P<tournament>.+):r(?P<round>\d+):t(?P<table>\d+)")


@dataclass(frozen=True, slots=True)
class Before:
    """The latest game of a pairing: it doesn't count and is ``replaced``, or was the last one planned."""

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
    if not games:
        return None
    latest, pairing = games[-1], games[-1].pairing
    planned_are_over = not pairing.wins and sum(not game.replaced for game in games) >= pairing.planned
    return Before(latest.game_id or "", latest.replaced) if latest.replaced or planned_are_over else None


def no_show_minutes(tournament_id: str) -> int | None:
    """How many minutes a player has for the first move of a live game; None: as many as the clock gives."""
    rows = Tournament.objects.filter(public_id=tournament_id)
    return rows.values_list("no_show_minutes", flat=True).first()
