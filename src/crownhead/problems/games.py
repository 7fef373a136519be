"""Where positions come from: games on record, or games that the engine plays against itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from crownhead.engine import Engine
from crownhead.engine.levels import choose
from crownhead.rules import Game, Position

ENGINE_GAME = "engine game"  # how the source of a problem begins that no game of people had
_RANDOM_PLIES = 4  # at the start, so that games differ
_MAX_PLIES = 160
_UNKNOWN = {"", "?"}


@dataclass(frozen=True, slots=True)
class Origin:
    """The positions of a game, and what it is called in the source of its problems."""

    name: str
    positions: tuple[Position, ...]

    @property
    def is_set_up(self) -> bool:
        """Whether it does not begin at the start of the variant, as composed problems."""
        return self.positions[0] != Position.start(self.positions[0].variant)


def recorded(game: Game) -> Origin:
    """A game on record, called by its event and date, or its players."""
    tags = {name: text for name, text in game.tags.items() if text not in _UNKNOWN}
    players = " – ".join(tags[side] for side in ("Black", "White") if side in tags)
    names = [tags.get("Event", ""), players or tags.get("Date", "")]
    return Origin(", ".join(filter(None, names)) or "a game", game.positions)


def engine_games(engine: Engine, *, count: int, level: int, seed: int) -> Iterator[Origin]:
    """Games of the engine against itself at a low level, where it makes mistakes as people do.

    The same seed gives the same games.
    """
    for number in range(seed, seed + count):
        dice = random.Random(f"{engine.variant.key} {number}")
        game = Game(engine.variant)
        while len(game.moves) < _MAX_PLIES and game.outcome() is None:
            if len(game.moves) < _RANDOM_PLIES:
                game.push(dice.choice(game.position.legal_moves()))
            else:
                game.push(choose(engine, game, level=level, dice=dice))
        yield Origin(f"{ENGINE_GAME}, level {level}, seed {number}", game.positions)
