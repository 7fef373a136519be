"""Games as the engine is to think of them: with the moves that led to a position, and the draw rules."""

from __future__ import annotations

import crownhead
from crownhead.rules.draws import OFFICIAL


def first_plies(replay: crownhead.Game, plies: int) -> crownhead.Game:
    """A game as it stood after its first ``plies`` moves."""
    made = crownhead.Game(replay.variant, start=replay.start, draw_rules=replay.draw_rules)
    made.extend(replay.moves[:plies], replay.positions[1 : plies + 1])
    return made


def with_official_draws(replay: crownhead.Game) -> crownhead.Game:
    """A course without draw rules, under those of the federation, whatever they would have ended."""
    made = crownhead.Game(replay.variant, start=replay.start, draw_rules=OFFICIAL)
    made.extend(replay.moves, replay.positions[1:])
    return made
