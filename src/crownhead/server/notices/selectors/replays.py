"""Whether a game of a tournament replays another one, and why."""

from __future__ import annotations

from dataclasses import dataclass

from crownhead.server.competitions.selectors import boards
from crownhead.server.play.selectors import Game


@dataclass(frozen=True, slots=True)
class Replayed:
    """The game before; ``tied``: it counts, and decided nothing. ``player_ids``: who played it."""

    tied: bool
    player_ids: frozenset[int | None]


def replayed_by(game: Game) -> Replayed | None:
    """The game that this one replays, if it does."""
    before = boards.before(game.contest_key)
    if before is None:
        return None
    rows = Game.objects.filter(public_id=before.game_id).values_list("first_player", "second_player")
    return Replayed(not before.replaced, frozenset(rows.first() or ()))
